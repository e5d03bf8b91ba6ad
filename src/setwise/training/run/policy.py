"""The model in training and its tokenizer: loading, adapters, chat template, saving."""

from pathlib import Path
from typing import Any

from setwise.errors import InputError, MissingDependency
from setwise.records.manifest import Manifest
from setwise.settings import LoraSettings, ModelSettings

PLAIN_TEMPLATE = (
    "{% for message in messages %}{{ message['content'] }}"
    "{% if message['role'] == 'assistant' %}{{ eos_token }}{% else %}\n\n{% endif %}{% endfor %}"
)
"""For models without a chat template. It is saved with them, so that evaluation asks in the same way."""


def hide_progress_bars() -> None:
    """Hide the libraries' own progress bars, which would disturb our view."""
    from datasets import disable_progress_bars
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bars()
    disable_progress_bar()


def load_tokenizer(model: ModelSettings) -> Any:
    """The tokenizer, with a padding token and a chat template."""
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(
            model.location, revision=model.revision, padding_side="left", trust_remote_code=model.trust_remote_code
        )
    except (OSError, ValueError) as error:
        raise InputError(f"no tokenizer can be loaded ({_first_line(error)})", place=model.path) from None
    if tokenizer.eos_token is None:
        raise InputError("its tokenizer has no end-of-sequence token", place=model.path)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    if not tokenizer.chat_template:
        tokenizer.chat_template = PLAIN_TEMPLATE
    return tokenizer


def load_model(model: ModelSettings) -> Any:
    """The weights, in float32 if they will be trained.

    A step of 1e-6 is lost on a bfloat16 weight, whose neighbours are 1e-3 apart in relative terms; `dtype` is the
    format for computing. Weights frozen under an adapter are held in `dtype` too.
    """
    import torch
    from transformers import AutoModelForCausalLM

    held = model.dtype if model.lora else "float32"
    options = {} if model.attention == "auto" else {"attn_implementation": model.attention}
    try:
        return AutoModelForCausalLM.from_pretrained(
            model.location,
            revision=model.revision,
            dtype=getattr(torch, held),
            trust_remote_code=model.trust_remote_code,
            **options,
        )
    except (OSError, ValueError) as error:
        raise InputError(f"no model can be loaded ({_first_line(error)})", place=model.path) from None


def lora_config(lora: LoraSettings | None) -> Any:
    if lora is None:
        return None
    try:
        from peft import LoraConfig
    except ImportError:
        raise MissingDependency("model.lora", package="peft", extra="train") from None
    targets = lora.targets if lora.targets == "all-linear" else list(lora.targets)
    return LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=targets,
        task_type="CAUSAL_LM",
    )


def save_model(trainer: Any, folder: Path, dtype: str, manifest: Manifest) -> None:
    """Save the whole model in `dtype` with adapters merged, so that any engine can load it. It is complete once its
    manifest exists.

    Every process calls this, since weights may have to be gathered from all of them. The first one writes.
    """
    import torch

    kept = getattr(torch, dtype)
    state = trainer.accelerator.get_state_dict(trainer.model_wrapped) if is_sharded(trainer) else None
    if trainer.is_world_process_zero():
        model = trainer.accelerator.unwrap_model(trainer.model)
        if state is None:
            whole = model.merge_and_unload() if hasattr(model, "merge_and_unload") else model
            whole.to(kept).save_pretrained(folder)
        else:
            model.config.dtype = kept
            model.save_pretrained(folder, state_dict={name: tensor.to(kept) for name, tensor in state.items()})
        trainer.processing_class.save_pretrained(folder)
        manifest.write(folder)
    trainer.accelerator.wait_for_everyone()


def is_sharded(trainer: Any) -> bool:
    """Whether each process holds only a part of every weight."""
    if trainer.is_deepspeed_enabled:
        return trainer.accelerator.state.deepspeed_plugin.zero_stage == 3
    return bool(trainer.is_fsdp_enabled)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
