"""What the offline engine is asked for, held by a stand-in with its interface; test_vllm_engine.py has the real one."""

import re
import sys
from dataclasses import dataclass, field, replace
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from setwise.errors import InputError
from setwise.models import Completion, Request, Sampling, open_model


@dataclass
class Engine:
    """Answers every prompt with as many outputs as it is asked for."""

    options: dict[str, Any]
    asked: list[tuple[str, Any]] = field(default_factory=list)

    def get_tokenizer(self) -> Any:
        def render(messages: list[dict[str, str]], **_: Any) -> str:
            return f"[{messages[0]['content']}]"

        return SimpleNamespace(chat_template="x", apply_chat_template=render)

    def generate(self, prompts: list[str], settings: list[Any], **_: Any) -> list[Any]:
        self.asked += zip(prompts, settings, strict=True)
        return [
            SimpleNamespace(
                prompt_token_ids=[0] * 5,
                outputs=[
                    SimpleNamespace(text=f"{prompt} {i}", token_ids=[1, 2, 3], finish_reason="stop")
                    for i in range(setting.n)
                ],
            )
            for prompt, setting in zip(prompts, settings, strict=True)
        ]


@pytest.fixture
def vllm(monkeypatch):
    module = ModuleType("vllm")
    module.LLM = lambda **options: Engine(options)  # pyright: ignore[reportAttributeAccessIssue]
    module.SamplingParams = SimpleNamespace  # pyright: ignore[reportAttributeAccessIssue]
    sampling = ModuleType("vllm.sampling_params")
    sampling.StructuredOutputsParams = SimpleNamespace  # pyright: ignore[reportAttributeAccessIssue]
    monkeypatch.setitem(sys.modules, "vllm", module)
    monkeypatch.setitem(sys.modules, "vllm.sampling_params", sampling)


def ask(question: str, sample: int) -> Request:
    chat = [{"role": "user", "content": question}]
    return Request(chat, Sampling(0.7, 1.0, 20), seed=sample, sample=sample)


def test_the_samples_of_one_prompt_are_drawn_together_with_the_prefix_cached(vllm):
    model: Any = open_model("vllm:some/model")
    wanted = [ask("a", 0), ask("a", 1), ask("a", 2), ask("b", 0)]
    replies = list(model.complete(wanted))
    assert [request for request, _ in replies] == wanted
    assert replies[1][1] == Completion("[a] 1", "stop", 3, 5)
    assert [(prompt, setting.n, setting.max_tokens) for prompt, setting in model.engine.asked] == [
        ("[a]", 3, 20),
        ("[b]", 1, 20),
    ]
    assert model.engine.options == {"model": "some/model", "enable_prefix_caching": True, "seed": 0}
    assert not hasattr(model.engine.asked[0][1], "seed")


def test_a_run_that_goes_on_does_not_draw_the_same_again(vllm):
    first, second = (open_model("vllm:some/model") for _ in range(2))
    for model, samples in ((first, range(7)), (second, range(7, 9))):
        list(model.complete(ask("a", sample) for sample in samples))
    engines: Any = [first, second]
    assert [model.engine.options["seed"] for model in engines] == [0, 7]


@pytest.mark.parametrize(
    ("said", "allowed"),
    [
        ("0.85</", True),
        (" 0.85 </", True),
        (".5</", True),
        ("0</", True),
        ("1</", True),
        (" 1.00</", True),
        ("1.5</", False),
        ("4</", False),
        ("85%</", False),
        ("1.</", False),
        ("high</", False),
        ("0.85", False),
    ],
)
def test_where_a_number_is_wanted_nothing_else_can_be_written(vllm, said: str, allowed: bool):
    model: Any = open_model("vllm:some/model")
    list(model.complete([ask("a", 0), replace(ask("b", 0), number=True)]))
    (_, free), (_, limited) = model.engine.asked
    assert not hasattr(free, "structured_outputs")
    assert bool(re.fullmatch(limited.structured_outputs.regex, said)) is allowed


def test_beside_other_work_on_the_gpu_the_cache_has_a_size_of_its_own(vllm):
    model: Any = open_model("vllm:some/model", cache_gb=2.5)
    assert model.engine.options["kv_cache_memory_bytes"] == 2_500_000_000
    assert model.engine.options["gpu_memory_utilization"] < 0.1
    for spec, size in (("hf:some/model", 1), ("vllm:some/model", 0)):
        with pytest.raises(InputError, match="size of the cache"):
            open_model(spec, cache_gb=size)


def test_a_lora_folder_starts_its_base_model_with_room_for_its_rank(vllm, tmp_path):
    (tmp_path / "adapter_config.json").write_text('{"base_model_name_or_path": "base", "r": 12}')
    model: Any = open_model(f"vllm:{tmp_path}")
    assert model.engine.options["model"] == "base"
    assert model.engine.options["enable_lora"] is True
    assert model.engine.options["max_lora_rank"] == 16
