"""What only a GPU can show: kernels, graphs, compiled layers, and rounding in bfloat16."""

from typing import Any

import numpy as np
import pytest
import torch

from setwise.models.shared_prompt.completions import Drawn, SampleLimits
from setwise.models.shared_prompt.decoder import GroupDecoder
from setwise.models.shared_prompt.drawing import TokenDrawing
from setwise.models.shared_prompt.graph_decoder import graphs_take
from setwise.models.shared_prompt.support import MODEL_FAMILIES
from tests.models.shared_prompt.toys import VOCABULARY, toy_model

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU"),
    *(pytest.mark.filterwarnings(f"ignore:::{package}") for package in ("torch", "triton", "transformers")),
]
WIDE = {"hidden_size": 256, "head_dim": 64, "intermediate_size": 512, "num_hidden_layers": 3}
ENDS = range(2, 6)


def wide_model(family: str) -> Any:
    """Its logits are neither flat nor sharp, so that rounding shows and does not decide."""
    model = toy_model(family, **WIDE).cuda().eval()
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim > 1:
                weight.div_(2)
    return model


def prompts_of(lengths: tuple[int, ...]) -> list[list[int]]:
    chance = np.random.default_rng(0)
    return [chance.integers(6, VOCABULARY, length).tolist() for length in lengths]


def gaps(model: Any, prompts: list[list[int]], samples: int, found: list[Drawn], temperature: float) -> np.ndarray:
    """Between the log-probabilities of the decoder and those of a pass over the whole text."""
    both = []
    for number, own in enumerate(found):
        prompt = prompts[number // samples]
        with torch.no_grad():
            logits = model(torch.tensor([[*prompt, *own.ids]], device="cuda")).logits[0, len(prompt) - 1 : -1].float()
        chances = (logits / temperature).log_softmax(-1)[range(len(own.ids)), own.ids]
        both += (chances.cpu().numpy() - own.log_probs).tolist()
    return np.abs(both)


@pytest.mark.parametrize("family", MODEL_FAMILIES)
def test_log_probabilities_are_those_of_training_to_rounding(family: str):
    """Weights in float32 under autocast, as `setwise train` holds them. The peer is the same pass without autocast."""
    model, prompts = wide_model(family), prompts_of((40, 1, 200, 77, 13))
    decoder = GroupDecoder(model, ENDS)
    torch.manual_seed(0)
    with torch.autocast("cuda", torch.bfloat16):
        assert graphs_take(model)
        first, found = (decoder(prompts, [16] * 5, TokenDrawing(0.7), SampleLimits(60)) for _ in range(2))
        assert found != first
        ours = gaps(model, prompts, 16, found, 0.7)
    rounding = gaps(model, prompts, 16, found, 0.7)
    assert len({len(own.ids) for own in found}) > 1
    assert ours.mean() <= 1.5 * rounding.mean()
    assert ours.max() < 0.5


def test_the_same_seed_gives_the_same_samples_and_new_weights_others():
    model, prompts = wide_model("qwen2"), prompts_of((40, 30))
    decoder = GroupDecoder(model, ENDS)

    def drawn() -> list[Drawn]:
        torch.manual_seed(3)
        with torch.autocast("cuda", torch.bfloat16):
            return decoder(prompts, [24] * 2, TokenDrawing(), SampleLimits(40))

    drawn()
    first = drawn()
    assert drawn() == first
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(0.9)
    assert drawn() != first


@pytest.mark.parametrize("drawing", [TokenDrawing(), TokenDrawing(0.5), TokenDrawing(top_k=3), TokenDrawing(1.3, 0.8)])
def test_tokens_are_drawn_as_often_as_they_are_likely(drawing: TokenDrawing):
    torch.manual_seed(0)
    words, draws = 9_000, 40_000
    logits = torch.full((1, words), -9.0)
    logits[0, ::1000] = torch.linspace(1, 5, 9)
    slow = TokenDrawing(drawing.temperature, drawing.top_p, drawing.top_k)
    seed = torch.tensor([5], device="cuda")
    shares = []
    for tokens, _ in (drawing(logits.cuda().bfloat16().expand(draws, -1), seed), slow(logits.expand(draws, -1))):
        shares.append(np.bincount(tokens.cpu().numpy(), minlength=words) / draws)
    assert np.abs(shares[0] - shares[1]).max() < 5 * 0.5 * (2 / draws) ** 0.5
