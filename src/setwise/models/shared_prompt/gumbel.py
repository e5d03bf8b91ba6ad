"""Draw a token from each row of logits in one pass over them.

The largest of logits with Gumbel noise is a draw from their softmax. Noise, maximum and the sum of exponentials are
worked out where the logits are read, in blocks of the vocabulary; torch would write and read them five times over.
"""

from typing import Any

import torch
import triton  # pyright: ignore[reportMissingImports]
import triton.language as tl  # pyright: ignore[reportMissingImports]

QUARTER = 1024
BLOCK = 4 * QUARTER
"""Words that one program reads. A call of the generator gives four numbers, so the noise comes in quarters."""


@triton.jit
def _draw(logits, seed, best, index, drawn, top, total, words, stride, blocks, temperature, quarter_size: tl.constexpr):
    row, block = tl.program_id(0).to(tl.int64), tl.program_id(1)
    start = block * 4 * quarter_size
    within = tl.arange(0, quarter_size)
    noise = tl.rand4x(tl.load(seed), (row * blocks + block) * quarter_size + within)
    found = tl.full((), float("-inf"), tl.float32)
    place = start
    value = tl.full((), float("-inf"), tl.float32)
    highest = tl.full((), float("-inf"), tl.float32)
    mass = tl.full((), 0.0, tl.float32)
    for quarter in tl.static_range(4):
        word = start + quarter * quarter_size + within
        logit = tl.load(logits + row * stride + word, mask=word < words, other=float("-inf")).to(tl.float32)
        logit = logit / temperature
        # An exponential variable, exact where it is small: there 1 - u would round.
        u = tl.maximum(noise[quarter], 1.0e-10)
        waited = tl.where(u < 1.0e-3, u + 0.5 * u * u, -tl.log(1.0 - u))
        score = logit - tl.log(waited)
        here = tl.max(score, 0)
        at = tl.argmax(score, 0)
        better = here > found
        found = tl.where(better, here, found)
        place = tl.where(better, start + quarter * quarter_size + at, place)
        value = tl.where(better, tl.sum(tl.where(within == at, logit, 0.0), 0), value)
        new = tl.maximum(highest, tl.max(logit, 0))
        # A block without a single finite logit has no mass.
        mass = tl.where(new == float("-inf"), 0.0, mass * tl.exp(highest - new) + tl.sum(tl.exp(logit - new), 0))
        highest = new
    out = row * blocks + block
    tl.store(best + out, found)
    tl.store(index + out, place)
    tl.store(drawn + out, value)
    tl.store(top + out, highest)
    tl.store(total + out, mass)


def draw(logits: torch.Tensor, temperature: float, seed: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Tokens and their log-probabilities. The same `seed`, an integer on the device, gives the same tokens."""
    rows, words = logits.shape
    blocks = triton.cdiv(words, BLOCK)
    best, drawn, top, total = torch.empty(4, rows, blocks, device=logits.device)
    index = torch.empty(rows, blocks, dtype=torch.int64, device=logits.device)
    kernel: Any = _draw
    kernel[rows, blocks](
        logits, seed, best, index, drawn, top, total, words, logits.stride(0), blocks, temperature, quarter_size=QUARTER
    )
    winner = best.argmax(1, keepdim=True)
    log_mass = (top + total.log()).logsumexp(1)
    return index.gather(1, winner)[:, 0], drawn.gather(1, winner)[:, 0] - log_mass
