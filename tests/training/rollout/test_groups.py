import pytest

from setwise.errors import InputError
from setwise.training.rollout.groups import why_not_groups
from tests.models.shared_prompt.toys import toy_model


def test_auto_takes_groups_where_the_model_can_and_says_why_elsewhere():
    able, unable = toy_model("llama"), toy_model("mistral", sliding_window=4)
    assert why_not_groups("auto", able, sharded=False) is None
    assert why_not_groups("shared", able, sharded=False) is None
    assert "last 4 tokens" in (why_not_groups("auto", unable, sharded=False) or "")
    assert "spread over processes" in (why_not_groups("auto", able, sharded=True) or "")
    assert why_not_groups("vllm", able, sharded=False) == "generation.backend is vllm"
    with pytest.raises(InputError, match=r"generation\.backend: .*last 4 tokens.*leave it at auto"):
        why_not_groups("shared", unable, sharded=False)
