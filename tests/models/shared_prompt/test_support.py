from types import SimpleNamespace
from typing import Any

import pytest
from peft import LoraConfig, PromptTuningConfig, get_peft_model

from setwise.models.shared_prompt.attention import install
from setwise.models.shared_prompt.support import MODEL_FAMILIES, why_not
from tests.models.shared_prompt.toys import toy_model


@pytest.mark.parametrize("family", MODEL_FAMILIES)
def test_dense_decoders_can(family: str):
    assert why_not(toy_model(family)) is None


def test_adapters_can_and_so_can_a_model_that_already_does():
    model = toy_model("qwen2")
    install(model)
    assert why_not(get_peft_model(model, LoraConfig(target_modules="all-linear", task_type="CAUSAL_LM"))) is None


@pytest.mark.parametrize(
    ("family", "changes", "reason"),
    [
        ("gpt2", {}, "gpt2"),
        ("mixtral", {}, "mixtral"),
        ("mistral", {"sliding_window": 4}, "last 4 tokens"),
        ("qwen2", {"use_sliding_window": True, "sliding_window": 5, "max_window_layers": 1}, "last 5 tokens"),
        ("llama", {"attention_dropout": 0.1}, "attention_dropout=0"),
        ("llama", {"rope_parameters": {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1e4}}, "dynamic"),
    ],
)
def test_a_model_that_cannot_is_told_why(family: str, changes: dict[str, Any], reason: str):
    assert reason in (why_not(toy_model(family, **changes)) or "")


def test_an_attention_that_takes_no_custom_mask_is_named():
    model = toy_model("llama")
    model.config._attn_implementation = "eager"
    assert "eager" in (why_not(model) or "")


def test_learned_prompts_are_named():
    model = get_peft_model(toy_model("llama"), PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=3))
    assert "learned tokens" in (why_not(model) or "")


def test_a_model_over_several_devices_is_named():
    model = SimpleNamespace(config=toy_model("llama").config, hf_device_map={"model": 0, "lm_head": 1})
    assert "2 devices" in (why_not(model) or "")
