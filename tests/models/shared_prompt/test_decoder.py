"""Samples that share their prompt are those of a model that runs every prompt with every sample."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch
from peft import LoraConfig, get_peft_model

from setwise.models.shared_prompt import prefill
from setwise.models.shared_prompt.completions import Drawn, SampleLimits
from setwise.models.shared_prompt.decoder import GroupDecoder
from setwise.models.shared_prompt.drawing import TokenDrawing
from setwise.models.shared_prompt.support import MODEL_FAMILIES
from tests.models.shared_prompt.toys import VOCABULARY, toy_model

torch.set_num_threads(1)
GREEDY = TokenDrawing(temperature=0)
PROMPTS = [[5, 9, 13, 4, 8], [7], [30, 31, 32, 33, 34, 35, 36, 37, 38], [7, 8]]
END = 2


def generated(model: Any, prompt: Sequence[int], max_tokens: int, ends: Sequence[int]) -> list[int]:
    ids = torch.tensor([prompt])
    settings = {"do_sample": False, "max_new_tokens": max_tokens, "eos_token_id": list(ends), "pad_token_id": 0}
    return model.generate(ids, attention_mask=torch.ones_like(ids), **settings)[0, len(prompt) :].tolist()


def log_probs_of(model: Any, prompt: Sequence[int], ids: Sequence[int], temperature: float) -> list[float]:
    with torch.no_grad():
        logits = model(torch.tensor([[*prompt, *ids]])).logits[0, len(prompt) - 1 : -1]
    return (logits / temperature).log_softmax(-1)[range(len(ids)), list(ids)].tolist()


def ends_that_are_met(model: Any, max_tokens: int) -> list[int]:
    """Tokens that end some greedy completions early and others not at all."""
    texts = [generated(model, prompt, max_tokens, [VOCABULARY]) for prompt in PROMPTS]
    return [texts[0][2], texts[1][5]]


@pytest.mark.parametrize("family", MODEL_FAMILIES)
def test_greedy_tokens_are_those_of_generate(family: str):
    model = toy_model(family).eval()
    ends = ends_that_are_met(model, 12)
    expected = [generated(model, prompt, 12, ends) for prompt in PROMPTS]
    assert len(set(map(len, expected))) > 1
    samples = [3, 1, 2, 5]
    found = GroupDecoder(model, ends)(PROMPTS, samples, GREEDY, SampleLimits(12))
    assert [own.ids for own in found] == [ids for ids, n in zip(expected, samples, strict=True) for _ in range(n)]


def test_an_adapter_is_applied():
    torch.manual_seed(3)
    plain = toy_model("llama").eval()
    adapted = get_peft_model(
        toy_model("llama"), LoraConfig(r=4, target_modules="all-linear", init_lora_weights=False)
    ).eval()
    found = GroupDecoder(adapted, [END])(PROMPTS, [2] * 4, GREEDY, SampleLimits(8))
    assert [own.ids for own in found[::2]] == [generated(adapted, prompt, 8, [END]) for prompt in PROMPTS]
    assert [own.ids for own in found[::2]] != [generated(plain, prompt, 8, [END]) for prompt in PROMPTS]


@pytest.mark.parametrize("at_once", [1, 30])
def test_log_probabilities_are_those_of_the_whole_text_however_samples_end(
    at_once: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(prefill, "TOKENS_AT_ONCE", at_once)
    model = toy_model("qwen2").eval()
    torch.manual_seed(0)
    found = GroupDecoder(model, range(2, 10))(PROMPTS, [16] * 4, TokenDrawing(temperature=0.7), SampleLimits(100))
    assert {len(own.ids) for own in found} >= {1, 2, 3, 4}
    for number, own in enumerate(found):
        assert len(own.ids) == 100 or own.ids[-1] in range(2, 10)
        assert not set(own.ids[:-1]) & set(range(2, 10))
        expected = log_probs_of(model, PROMPTS[number // 16], own.ids, 0.7)
        assert own.log_probs == pytest.approx(expected, abs=2e-4)


def test_a_sample_can_be_ended_by_what_it_wrote():
    model = toy_model("qwen2").eval()
    torch.manual_seed(0)
    twice_a_seventh = SampleLimits(40, ended=lambda ids: (ids % 7 == 0).sum(1) >= 2)
    found = GroupDecoder(model, [END])(PROMPTS, [8] * 4, TokenDrawing(), twice_a_seventh)
    assert len({len(own.ids) for own in found}) > 3
    for own in found:
        marks = [token % 7 == 0 for token in own.ids]
        assert sum(marks) <= 2
        assert len(own.ids) == 40 or own.ids[-1] == END or (marks[-1] and sum(marks) == 2)


@pytest.mark.parametrize(
    "drawing",
    [TokenDrawing(), TokenDrawing(temperature=0.5), TokenDrawing(top_k=3), TokenDrawing(temperature=1.3, top_p=0.8)],
)
def test_tokens_are_drawn_as_often_as_they_are_likely(drawing: TokenDrawing):
    """Against the warpers of transformers."""
    from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

    torch.manual_seed(0)
    logits: Any = torch.randn(1, 12) * 2
    nothing: Any = torch.zeros(1, 1, dtype=torch.long)
    warped: Any = TemperatureLogitsWarper(drawing.temperature)(nothing, logits)
    if drawing.top_k:
        warped = TopKLogitsWarper(drawing.top_k)(nothing, warped)
    if drawing.top_p < 1:
        warped = TopPLogitsWarper(drawing.top_p)(nothing, warped)
    chances = warped.softmax(-1)[0].numpy()
    draws = 40_000
    tokens, log_probs = drawing(logits.expand(draws, -1))
    share = np.bincount(tokens.numpy(), minlength=12) / draws
    assert (share[chances == 0] == 0).all()
    assert np.abs(share - chances).max() < 5 * 0.5 / draws**0.5
    expected = (logits[0] / drawing.temperature).log_softmax(-1)[tokens]
    assert torch.allclose(log_probs, expected, atol=1e-5)


def test_whole_texts_are_drawn_as_often_as_they_are_likely():
    model = toy_model("llama", vocab_size=5, eos_token_id=2).eval()
    torch.manual_seed(0)
    draws = 6_000
    found = GroupDecoder(model, [END])([[3], [4, 1]], [draws] * 2, TokenDrawing(temperature=2.0), SampleLimits(2))
    for prompt, own in zip([[3], [4, 1]], (found[:draws], found[draws:]), strict=True):
        counts = Counter(tuple(each.ids) for each in own)
        for ids, count in counts.items():
            likely = np.exp(sum(log_probs_of(model, prompt, ids, 2.0)))
            assert abs(count / draws - likely) < 5 * (likely * (1 - likely) / draws) ** 0.5 + 1e-3, ids
        assert sum(counts.values()) == draws


def test_the_same_seed_gives_the_same_samples():
    model = toy_model("smollm3").eval()

    def drawn() -> list[Drawn]:
        torch.manual_seed(11)
        return GroupDecoder(model, [END])(PROMPTS, [4] * 4, TokenDrawing(), SampleLimits(20))

    assert drawn() == drawn()


def test_a_completion_begins_as_it_may():
    model = toy_model("qwen2").eval()
    may = torch.zeros(VOCABULARY, dtype=torch.bool)
    may[[10, 20]] = True
    torch.manual_seed(0)
    found = GroupDecoder(model, [END])(PROMPTS, [20] * 4, TokenDrawing(temperature=3.0), SampleLimits(3, first=may))
    assert {own.ids[0] for own in found} == {10, 20}
    assert {own.ids[1] for own in found} - {10, 20}


def test_each_prompt_gets_one_sample_in_order():
    decoder = GroupDecoder(toy_model("qwen2").eval(), [END])
    first, second = [5, 6, 7], [9, 4]
    alone = [decoder.one_each([prompt], GREEDY, SampleLimits(6))[0].ids for prompt in (first, second)]
    assert alone[0] != alone[1]
    asked = [first, first, second, first, second, second]
    found = decoder.one_each(asked, GREEDY, SampleLimits(6))
    assert [own.ids for own in found] == [alone[prompt == second] for prompt in asked]
