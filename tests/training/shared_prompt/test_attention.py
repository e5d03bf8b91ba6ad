from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from setwise.models.shared_prompt.attention import attend, attention_arguments, install
from setwise.models.shared_prompt.flash import SequenceBounds
from setwise.models.shared_prompt.support import ATTENTION
from setwise.training.shared_prompt import attention, flash
from setwise.training.shared_prompt.attention import PackedSight, dense_sight
from setwise.training.shared_prompt.flash import attend_by_flash, read_stretches
from setwise.training.shared_prompt.packs import PackedSequence, Row, idle_sequence, pack
from tests.models.shared_prompt.toys import VOCABULARY, toy_model

torch.set_num_threads(1)
CPU = torch.device("cpu")


def packed_rows(prompts: tuple[int, ...]) -> PackedSequence:
    chance = np.random.default_rng(0)
    drawn = [chance.integers(3, VOCABULARY, length) for length in prompts]
    rows = [Row(prompt, chance.integers(3, VOCABULARY, n)) for prompt in drawn for n in (4, 7, 9)]
    (sequence,) = pack(rows, budget=10_000)
    return sequence


@pytest.fixture
def packed() -> PackedSequence:
    """Prompts of several tokens and of one, which leaves nothing to share."""
    return packed_rows(prompts=(15, 9, 1))


@pytest.fixture(autouse=True)
def plain_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the kernels compute, written out for a CPU: forward, and backward from output and log-sum-exp alone."""
    monkeypatch.setattr(attention, "flash_takes", lambda device, dtype, head_size: True)
    monkeypatch.setattr(flash, "flash_forward", _forward)
    monkeypatch.setattr(flash, "flash_backward", _backward)


@pytest.mark.parametrize(("piece", "most_read"), [(1, 1000), (1, 30), (6, 1000), (2048, 16_384)])
def test_the_two_parts_are_the_whole_softmax_and_so_are_their_gradients(
    piece: int, most_read: int, packed: PackedSequence, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(flash, "LARGEST_PIECE", piece)
    monkeypatch.setattr(flash, "MOST_READ", most_read)
    torch.manual_seed(0)
    tokens = packed.segments.tokens
    inputs = [torch.randn(tokens, heads, 8, dtype=torch.float64, requires_grad=True) for heads in (4, 2, 2)]
    found = attend_by_flash(inputs[0], inputs[1], inputs[2], read_stretches(packed.segments, CPU), 0.5)
    mask = torch.from_numpy(dense_sight(packed.segments))
    query, key, value = (tensor.transpose(0, 1) for tensor in inputs)
    expected = torch.nn.functional.scaled_dot_product_attention(
        query, key, value, attn_mask=mask, scale=0.5, enable_gqa=True
    ).transpose(0, 1)
    torch.testing.assert_close(found, expected)
    direction = torch.randn_like(expected)
    for ours, theirs in zip(
        torch.autograd.grad(found, inputs, direction), torch.autograd.grad(expected, inputs, direction), strict=True
    ):
        torch.testing.assert_close(ours, theirs)


def test_a_prompt_is_read_again_for_every_piece_and_a_long_one_seldom(
    packed: PackedSequence, monkeypatch: pytest.MonkeyPatch
):
    read = []
    for piece, most_read in ((2048, 16_384), (10, 16_384), (10, 20)):
        monkeypatch.setattr(flash, "LARGEST_PIECE", piece)
        monkeypatch.setattr(flash, "MOST_READ", most_read)
        read.append(len(read_stretches(packed.segments, CPU).read))
    assert read == [14 + 8, 2 * (14 + 8), 14 + 2 * 8]


def test_a_sequence_without_a_shared_stretch_needs_one_part():
    stretches = read_stretches(idle_sequence().segments, CPU)
    assert stretches.shared is None
    lonely = torch.randn(1, 2, 8)
    torch.testing.assert_close(attend_by_flash(lonely, lonely, lonely, stretches, None), lonely)


def test_it_takes_what_rotary_embeddings_leave_under_autocast(packed: PackedSequence):
    query, key, value = (torch.randn(1, 2, packed.segments.tokens, 8) for _ in range(3))
    with torch.autocast("cpu", torch.bfloat16):
        sight = PackedSight([packed.segments], CPU)
        output, _ = attend(torch.nn.Module(), query, key, value.bfloat16(), None, sight=sight)
    assert output.dtype == torch.bfloat16


def test_each_of_several_sequences_reads_as_if_alone(packed: PackedSequence):
    torch.manual_seed(0)
    short = packed_rows(prompts=(6, 4))
    batch = [packed.segments, short.segments]
    query, key, value = torch.randn(3, 2, 4, packed.tokens, 8)
    together, _ = PackedSight(batch, CPU).attend(torch.nn.Module(), query, key, value)
    assert together.isfinite().all()
    for row, segments in enumerate(batch):
        own = (tensor[row : row + 1, :, : segments.tokens] for tensor in (query, key, value))
        alone, _ = PackedSight([segments], CPU).attend(torch.nn.Module(), *own)
        torch.testing.assert_close(together[row, : segments.tokens], alone[0])


@pytest.mark.parametrize("checkpointing", [False, True])
@pytest.mark.parametrize("family", ["gemma", "llama", "mistral", "qwen2", "qwen3", "smollm3"])
def test_a_model_with_it_installed_attends_by_sight_and_everything_else_as_before(
    family: str, checkpointing: bool, packed: PackedSequence
):
    model = toy_model(family).train()
    ids, positions = (torch.from_numpy(column)[None] for column in (packed.token_ids, packed.position_ids))
    plain_before = model(input_ids=ids[:, :9]).logits
    mask = torch.from_numpy(dense_sight(packed.segments))[None, None]
    dense = model(input_ids=ids, position_ids=positions, attention_mask=mask).logits
    if checkpointing:
        model.gradient_checkpointing_enable({"use_reentrant": False})
    install(model)
    sight = PackedSight([packed.segments], CPU)
    by_sight = model(input_ids=ids, position_ids=positions, use_cache=False, **attention_arguments(sight, CPU)).logits
    assert sight.used
    torch.testing.assert_close(by_sight, dense)
    torch.testing.assert_close(model(input_ids=ids[:, :9]).logits, plain_before)
    weight = model.get_input_embeddings().weight
    ours, theirs = (torch.autograd.grad(logits.square().mean(), weight)[0] for logits in (by_sight, dense))
    torch.testing.assert_close(ours, theirs)


def test_an_installed_attention_does_not_hinder_generation_and_is_not_saved(tmp_path: Path):
    model = toy_model("llama")
    ids = torch.tensor([[0, 0, 5, 6], [7, 8, 9, 10]])
    mask = (ids != 0).long()
    options = {"attention_mask": mask, "do_sample": False, "max_new_tokens": 6}
    before = model.generate(ids, **options)
    install(model)
    assert (model.generate(ids, **options) == before).all()
    model.save_pretrained(tmp_path)
    assert ATTENTION not in (tmp_path / "config.json").read_text()


def _forward(
    query: Any, key: Any, value: Any, bounds: SequenceBounds, scale: float | None
) -> tuple[torch.Tensor, torch.Tensor]:
    precise = torch.promote_types(query.dtype, torch.float32)
    output, weight = torch.empty_like(query), torch.empty(query.shape[1], len(query), dtype=precise)
    for queries, keys in _slices(bounds):
        scores = _scores(query[queries], key[keys], bounds.causal, scale)
        weight[:, queries] = scores.to(precise).logsumexp(-1)
        output[queries] = torch.einsum("hqk,khd->qhd", scores.softmax(-1), _repeated(value[keys], query)).to(query)
    return output, weight


def _backward(
    gradient: Any,
    query: Any,
    key: Any,
    value: Any,
    output: Any,
    weight: Any,
    bounds: SequenceBounds,
    scale: float | None,
) -> tuple[torch.Tensor, ...]:
    found = tuple(map(torch.empty_like, (query, key, value)))
    for queries, keys in _slices(bounds):
        factor = query.shape[-1] ** -0.5 if scale is None else scale
        scores = _scores(query[queries], key[keys], bounds.causal, scale)
        share = (scores - weight[:, queries, None]).exp()
        against_value = torch.einsum("qhd,khd->hqk", gradient[queries], _repeated(value[keys], query))
        total = (gradient[queries] * output[queries]).sum(-1).T[:, :, None]
        against_score = share * (against_value - total) * factor
        found[0][queries] = torch.einsum("hqk,khd->qhd", against_score, _repeated(key[keys], query))
        found[1][keys] = _gathered(torch.einsum("hqk,qhd->khd", against_score, query[queries]), key)
        found[2][keys] = _gathered(torch.einsum("hqk,qhd->khd", share, gradient[queries]), value)
    return found


def _slices(bounds: SequenceBounds) -> list[tuple[slice, slice]]:
    queries, keys = (
        [slice(start, end) for start, end in pairwise(side.tolist())] for side in (bounds.queries, bounds.keys)
    )
    return list(zip(queries, keys, strict=True))


def _scores(query: torch.Tensor, key: torch.Tensor, causal: bool, scale: float | None) -> torch.Tensor:
    scores = torch.einsum("qhd,khd->hqk", query, _repeated(key, query))
    scores = scores * (query.shape[-1] ** -0.5 if scale is None else scale)
    return scores.masked_fill(~torch.ones(scores.shape[1:]).tril().bool(), -torch.inf) if causal else scores


def _repeated(few: torch.Tensor, many: torch.Tensor) -> torch.Tensor:
    return few.repeat_interleave(many.shape[1] // few.shape[1], dim=1)


def _gathered(many: torch.Tensor, few: torch.Tensor) -> torch.Tensor:
    return many.unflatten(1, (few.shape[1], -1)).sum(2)
