"""Draws a token from each row of logits in one pass over them.

The first arrival among independent exponential waits, each at the rate of its word, is a draw from the softmax. Waits,
maximum and sum of exponentials are computed where the logits are read, in blocks of the vocabulary; torch would write
and read them five times.
"""

from typing import Any

import torch
import triton  # pyright: ignore[reportMissingImports]
import triton.language as tl  # pyright: ignore[reportMissingImports]

QUARTER = 1024
BLOCK = 4 * QUARTER
"""Words that one program reads. A call of the generator gives four numbers, so the waits come in quarters."""
ROUNDS = 7
"""Rounds of Philox4x32, the fewest that pass BigCrush (Salmon et al., 2011)."""


@triton.jit
def _read(logits, start, words, temperature, size: tl.constexpr):
    word = start + tl.arange(0, size)
    return tl.load(logits + word, mask=word < words, other=float("-inf")).to(tl.float32) / temperature


@triton.jit
def _arrival(logit, noise, top, size: tl.constexpr):
    """The first arrival of a quarter, with its place and its logit, and the sum of rates."""
    rate = tl.exp(logit - top)
    # An exponential variable, exact for small values, where 1 - u would round.
    u = tl.maximum(noise, 1.0e-10)
    waited = tl.where(u < 1.0e-3, u + 0.5 * u * u, -tl.log(1.0 - u)) / rate
    at = tl.argmin(waited, 0)
    value = tl.sum(tl.where(tl.arange(0, size) == at, logit, 0.0), 0)
    return tl.min(waited, 0), at, value, tl.sum(rate, 0)


@triton.jit
def _draw(
    logits, seed, score, index, drawn, top, total, words, stride, blocks, temperature,
    size: tl.constexpr, rounds: tl.constexpr,
):  # fmt: skip
    row, block = tl.program_id(0).to(tl.int64), tl.program_id(1)
    start, logits, out = block * 4 * size, logits + row * stride, row * blocks + block
    first = _read(logits, start, words, temperature, size)
    second = _read(logits, start + size, words, temperature, size)
    third = _read(logits, start + 2 * size, words, temperature, size)
    fourth = _read(logits, start + 3 * size, words, temperature, size)
    highest = tl.max(tl.maximum(tl.maximum(first, second), tl.maximum(third, fourth)), 0)
    # A block without a finite logit has no mass and no arrival.
    shift = tl.where(highest == float("-inf"), 0.0, highest)
    a, b, c, d = tl.rand4x(tl.load(seed), out * size + tl.arange(0, size), rounds)
    soonest, place, value, mass = _arrival(first, a, shift, size)
    when, at, logit, more = _arrival(second, b, shift, size)
    place, value = tl.where(when < soonest, size + at, place), tl.where(when < soonest, logit, value)
    soonest, mass = tl.minimum(soonest, when), mass + more
    when, at, logit, more = _arrival(third, c, shift, size)
    place, value = tl.where(when < soonest, 2 * size + at, place), tl.where(when < soonest, logit, value)
    soonest, mass = tl.minimum(soonest, when), mass + more
    when, at, logit, more = _arrival(fourth, d, shift, size)
    place, value = tl.where(when < soonest, 3 * size + at, place), tl.where(when < soonest, logit, value)
    soonest, mass = tl.minimum(soonest, when), mass + more
    tl.store(score + out, shift - tl.log(soonest))
    tl.store(index + out, start + place)
    tl.store(drawn + out, value)
    tl.store(top + out, highest)
    tl.store(total + out, mass)


def draw(logits: torch.Tensor, temperature: float, seed: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Tokens and their log-probabilities. The same `seed`, an integer on the device, gives the same tokens."""
    rows, words = logits.shape
    blocks = triton.cdiv(words, BLOCK)
    score, drawn, top, total = torch.empty(4, rows, blocks, device=logits.device)
    index = torch.empty(rows, blocks, dtype=torch.int64, device=logits.device)
    kernel: Any = _draw
    kernel[rows, blocks](
        logits, seed, score, index, drawn, top, total, words, logits.stride(0), blocks, temperature,
        size=QUARTER, rounds=ROUNDS,
    )  # fmt: skip
    winner = score.argmax(1, keepdim=True)
    log_mass = (top + total.log()).logsumexp(1)
    return index.gather(1, winner)[:, 0], drawn.gather(1, winner)[:, 0] - log_mass
