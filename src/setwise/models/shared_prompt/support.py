"""Which models can run a prompt once for all of its completions, and why the others cannot."""

from typing import Any

MODEL_FAMILIES = ("gemma", "llama", "mistral", "qwen2", "qwen3", "smollm3")
"""Dense decoders whose layers take position ids and a mask as given (SmolLM and SmolLM2 are llamas)."""

ATTENTION = "setwise_shared_prompt"
"""The name under which `attention` installs itself. Masks other than its own go to `sdpa`."""

_LENGTH_DEPENDENT_ROPE = ("dynamic", "longrope")


def why_not(model: Any) -> str | None:
    """Why a model must run every prompt with every completion; None if it need not."""
    if _learns_prompts(model):
        return "its adapter puts learned tokens before the prompt"
    base = without_adapter(model)
    config = base.config
    if config.model_type not in MODEL_FAMILIES:
        return f"models of type {config.model_type} have not been shown to be exact ({', '.join(MODEL_FAMILIES)} have)"
    reasons = (
        _sliding_window(config),
        _rope(config),
        _dropout(config),
        _attention(config),
        _several_devices(base),
    )
    return next((reason for reason in reasons if reason), None)


def without_adapter(model: Any) -> Any:
    """The model that an adapter wraps, or the model itself."""
    return model.get_base_model() if hasattr(model, "get_base_model") else model


def _learns_prompts(model: Any) -> bool:
    return any(adapter.is_prompt_learning for adapter in getattr(model, "peft_config", {}).values())


def _sliding_window(config: Any) -> str | None:
    kinds = set(getattr(config, "layer_types", None) or ())
    window = getattr(config, "sliding_window", None)
    if kinds - {"full_attention"} or (not kinds and window is not None):
        return f"some of its layers see only the last {window} tokens, and a packed sequence has no such distance"
    return None


def _rope(config: Any) -> str | None:
    parameters = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    kind = parameters.get("rope_type", "default")
    if kind in _LENGTH_DEPENDENT_ROPE:
        return f"its {kind} rotary embedding depends on the longest row of the batch"
    return None


def _dropout(config: Any) -> str | None:
    rate = getattr(config, "attention_dropout", 0.0)
    return f"its attention drops out a share of {rate:g}; load it with attention_dropout=0" if rate else None


def _attention(config: Any) -> str | None:
    kind = config._attn_implementation
    return None if kind in ("sdpa", ATTENTION) else f'its attention is {kind}; load it with "sdpa"'


def _several_devices(base: Any) -> str | None:
    places = set((getattr(base, "hf_device_map", None) or {}).values())
    return f"it is spread over {len(places)} devices" if len(places) > 1 else None
