import pytest
import torch

from setwise.errors import InputError
from setwise.models.shared_prompt.drawing import TokenDrawing
from setwise.training.rollout.groups import sample_groups, why_not_groups
from tests.models.shared_prompt.toys import toy_model

torch.set_num_threads(1)


def test_auto_takes_groups_where_the_model_can_and_says_why_elsewhere():
    able, unable = toy_model("llama"), toy_model("mistral", sliding_window=4)
    assert why_not_groups("auto", able, sharded=False) is None
    assert why_not_groups("shared", able, sharded=False) is None
    assert "last 4 tokens" in (why_not_groups("auto", unable, sharded=False) or "")
    assert "spread over processes" in (why_not_groups("auto", able, sharded=True) or "")
    assert why_not_groups("vllm", able, sharded=False) == "generation.backend is vllm"
    with pytest.raises(InputError, match=r"generation\.backend: .*last 4 tokens.*leave it at auto"):
        why_not_groups("shared", unable, sharded=False)


def test_each_prompt_gets_its_completions_in_order():
    model = toy_model("qwen2").eval()
    greedy = TokenDrawing(temperature=0)
    first, second = [5, 6, 7], [9, 4]
    alone = [sample_groups(model, [prompt], [2], greedy, 6)[0] for prompt in (first, second)]
    assert alone[0] != alone[1]
    asked = [first, first, second, first, second, second]
    assert sample_groups(model, asked, [2], greedy, 6) == [alone[prompt == second] for prompt in asked]
