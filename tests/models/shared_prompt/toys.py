"""Models with fresh weights, one of each family."""

from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM

VOCABULARY = 61
SIZES = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 256,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
WITHOUT_WINDOW = {"mistral": {"sliding_window": None}, "qwen2": {"use_sliding_window": False}}


def toy_model(family: str, seed: int = 0, **changes: Any) -> Any:
    torch.manual_seed(seed)
    config = AutoConfig.for_model(family, **{**SIZES, **WITHOUT_WINDOW.get(family, {}), **changes})
    model = AutoModelForCausalLM.from_config(config, attn_implementation="sdpa")
    # Fresh weights are so small that attention is uniform, and a wrong mask would hardly show.
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim > 1:
                weight.mul_(8)
    return model
