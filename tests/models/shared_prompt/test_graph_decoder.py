"""The decoder of GPUs, with its kernels written out for a CPU and no graphs: which sample reads and writes what."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from peft import LoraConfig, get_peft_model

from setwise.models.shared_prompt import graph_decoder, packed_keys
from setwise.models.shared_prompt.completions import Drawn, SampleLimits
from setwise.models.shared_prompt.drawing import TokenDrawing
from setwise.models.shared_prompt.graph_decoder import GraphDecoder
from setwise.models.shared_prompt.support import MODEL_FAMILIES
from setwise.models.shared_prompt.twin import Twin
from tests.models.shared_prompt.test_decoder import (
    END,
    GREEDY,
    PROMPTS,
    ends_that_are_met,
    generated,
    log_probs_of,
)
from tests.models.shared_prompt.toys import toy_model

torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def plain_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_keys, "read_prompts", _prompts_read)
    monkeypatch.setattr(packed_keys, "attend_own", _own_read)


def _prompts_read(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    bounds: tuple[torch.Tensor, torch.Tensor, int],
    scale: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    """In two parts, of which the second is empty for prompts of one token."""
    asking, ends, longest = bounds
    repeats = query.shape[1] // key.shape[1]
    output, weight = torch.full((2, *query.shape), float("nan")), torch.full((2, *query.shape[:2]), float("nan"))
    for (first, last), (start, end) in zip(pairwise(asking.tolist()), pairwise(ends.tolist()), strict=True):
        assert last - first <= longest
        middle = (start + end + 1) // 2
        for part, (low, high) in enumerate(((start, middle), (middle, end))):
            keys, values = (each[low:high].repeat_interleave(repeats, 1) for each in (key, value))
            scores = torch.einsum("qhd,khd->qhk", query[first:last], keys) * scale
            output[part, first:last] = torch.einsum("qhk,khd->qhd", scores.softmax(-1), values)
            weight[part, first:last] = scores.logsumexp(-1)
    return output, weight


def _own_read(
    query: torch.Tensor,
    new: tuple[torch.Tensor, torch.Tensor],
    own: torch.Tensor,
    length: torch.Tensor,
    prompt: tuple[torch.Tensor, torch.Tensor],
    scale: float,
) -> torch.Tensor:
    samples, heads, _ = query.shape
    written = int(length)
    for kept, fresh in zip(own, new, strict=True):
        kept[:samples, written] = fresh
    keys, values = (kept[:samples, : written + 1].repeat_interleave(heads // own.shape[3], 2) for kept in own)
    scores = torch.einsum("nhd,nkhd->nhk", query, keys) * scale
    found = torch.einsum("nhk,nkhd->nhd", scores.softmax(-1), values)
    parts, weights = torch.cat([found[None], prompt[0]]), torch.cat([scores.logsumexp(-1)[None], prompt[1]])
    return (parts * weights.softmax(0)[..., None]).sum(0)


def decode(
    model: Any, ends: Sequence[int], samples: Sequence[int], drawing: TokenDrawing, limits: SampleLimits
) -> list[Drawn]:
    with torch.no_grad():
        return GraphDecoder(model, np.array(ends))(PROMPTS, samples, drawing, limits)


@pytest.mark.parametrize("family", MODEL_FAMILIES)
def test_greedy_tokens_are_those_of_generate(family: str):
    model = toy_model(family).eval()
    ends = ends_that_are_met(model, 20)
    expected = [generated(model, prompt, 20, ends) for prompt in PROMPTS]
    assert len(set(map(len, expected))) > 1
    samples = [3, 1, 2, 5]
    found = decode(model, ends, samples, GREEDY, SampleLimits(20))
    assert [own.ids for own in found] == [ids for ids, n in zip(expected, samples, strict=True) for _ in range(n)]


def test_an_adapter_is_applied():
    torch.manual_seed(3)
    adapted = get_peft_model(
        toy_model("llama"), LoraConfig(r=4, target_modules="all-linear", init_lora_weights=False)
    ).eval()
    found = decode(adapted, [END], [2] * 4, GREEDY, SampleLimits(8))
    assert [own.ids for own in found[::2]] == [generated(adapted, prompt, 8, [END]) for prompt in PROMPTS]


@pytest.mark.parametrize("token_limit", [10**6, 2_000, 150])
def test_log_probabilities_are_those_of_the_whole_text_however_samples_end(
    token_limit: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(GraphDecoder, "_token_limit", lambda self: token_limit)
    monkeypatch.setattr(graph_decoder, "LOOK", 3)
    model = toy_model("qwen2").eval()
    torch.manual_seed(0)
    ends = range(2, 10)
    found = decode(model, ends, [16, 3, 20, 9], TokenDrawing(temperature=0.7), SampleLimits(100))
    assert {len(own.ids) for own in found} >= {1, 2, 3, 4}
    for prompt, own in zip(np.repeat(range(4), [16, 3, 20, 9]), found, strict=True):
        assert len(own.ids) == 100 or own.ids[-1] in ends
        assert not set(own.ids[:-1]) & set(ends)
        assert own.log_probs == pytest.approx(log_probs_of(model, PROMPTS[prompt], own.ids, 0.7), abs=2e-4)


def test_a_sample_can_be_ended_by_what_it_wrote():
    model = toy_model("qwen2").eval()
    torch.manual_seed(0)
    twice_a_seventh = SampleLimits(40, ended=lambda ids: (ids % 7 == 0).sum(1) >= 2)
    found = decode(model, [END], [8] * 4, TokenDrawing(), twice_a_seventh)
    assert len({len(own.ids) for own in found}) > 3
    for own in found:
        marks = [token % 7 == 0 for token in own.ids]
        assert sum(marks) <= 2
        assert len(own.ids) == 40 or own.ids[-1] == END or (marks[-1] and sum(marks) == 2)


def test_the_same_decoder_takes_larger_and_smaller_batches():
    model = toy_model("llama").eval()
    decoder = GraphDecoder(model, np.array([END]))
    longer = [[*prompt, 11, 12] for prompt in PROMPTS]
    for prompts, samples in ((PROMPTS, 2), (longer, 9), (PROMPTS[:1], 1)):
        with torch.no_grad():
            found = decoder(prompts, [samples] * len(prompts), GREEDY, SampleLimits(10))
        expected = [generated(model, prompt, 10, [END]) for prompt in prompts]
        assert [own.ids for own in found[::samples]] == expected


@pytest.mark.filterwarnings("ignore:mkldnn_matmul failed")  # on a CPU that has no bfloat16, torch says so and goes on
def test_a_twin_follows_the_weights_and_rounds_only_what_products_read():
    model = toy_model("qwen2").eval()
    with torch.autocast("cpu", torch.bfloat16):
        twin = Twin(model)
    same = {name for name, own in twin.model.named_parameters() if own is dict(model.named_parameters())[name]}
    assert same == {name for name, _ in model.named_parameters() if "norm" in name}
    assert twin.model.lm_head.weight.dtype == torch.bfloat16
    ids = torch.tensor([PROMPTS[2]])
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(1.01)
        twin.refresh()
        with torch.autocast("cpu", torch.bfloat16):
            found, expected = twin.model(ids).logits, model(ids).logits
    # The embedding alone is rounded where training does not round it.
    assert found.dtype == expected.dtype
    torch.testing.assert_close(found, expected, atol=0.05 * float(expected.abs().max()), rtol=0)
    assert not torch.equal(found, Twin(toy_model("qwen2").eval()).model(ids).logits)
