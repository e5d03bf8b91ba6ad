"""Samples of shared prompts: our decoder against transformers' `generate`, in turn, in the same process.

    python benchmarks/decoding.py                          # a fresh model of the demo's size
    python benchmarks/decoding.py PATH --prompts 16 --samples 16 --prompt-tokens 700 --tokens 128

Samples end when they draw an end token, as in training. A fresh model's logits are flat, so it gets enough end tokens
to make the mean length a quarter of the longest.
"""

import argparse
from statistics import median
from time import perf_counter
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM

from setwise.models.shared_prompt.completions import SampleLimits
from setwise.models.shared_prompt.decoder import GroupDecoder
from setwise.models.shared_prompt.drawing import TokenDrawing

VOCABULARY = 512
ROUNDS = 5


def main() -> None:
    asked = arguments()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = loaded(asked.model).to(device).eval()
    ends = [model.generation_config.eos_token_id] if asked.model else list(range(1, 4 * VOCABULARY // asked.tokens))
    chance = torch.Generator().manual_seed(0)
    size = min(model.config.vocab_size, 1000)
    prompts = torch.randint(VOCABULARY // 2, size, (asked.prompts, asked.prompt_tokens), generator=chance)
    if not asked.model:
        prompts %= VOCABULARY
    rows: dict[str, list[float]] = {"generate": [], "ours": []}
    for _ in range(ROUNDS):
        for name, way in (("generate", by_library), ("ours", by_groups)):
            start = perf_counter()
            tokens = way(model, prompts, asked.samples, asked.tokens, ends)
            rows[name].append(tokens / (perf_counter() - start))
    theirs, ours = (median(rates) for rates in rows.values())
    shape = f"{asked.prompts} prompts of {asked.prompt_tokens} x {asked.samples} samples of at most {asked.tokens}"
    print(f"{shape}, {device}, {model.dtype}, {torch.get_num_threads()} threads")
    print(f"  transformers' generate  {theirs:10,.0f} tokens/s")
    print(f"  ours                    {ours:10,.0f} tokens/s   {ours / theirs:.2f}x")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", help="a model folder (default: a fresh one of the demo's size)")
    parser.add_argument("--prompts", type=int, default=40)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--prompt-tokens", type=int, default=60)
    parser.add_argument("--tokens", type=int, default=40)
    return parser.parse_args()


def loaded(path: str | None) -> Any:
    if path:
        dtype = torch.bfloat16 if torch.cuda.is_available() else torch.float32
        return AutoModelForCausalLM.from_pretrained(path, dtype=dtype)
    torch.manual_seed(0)
    small = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
    return AutoModelForCausalLM.from_config(AutoConfig.for_model("llama", vocab_size=VOCABULARY, **small))


def by_library(model: Any, prompts: torch.Tensor, samples: int, tokens: int, ends: list[int]) -> int:
    ids = prompts.repeat_interleave(samples, 0).to(model.device)
    drawn = {"do_sample": True, "temperature": 1.0, "top_k": 0, "max_new_tokens": tokens}
    with torch.inference_mode():
        found = model.generate(ids, attention_mask=torch.ones_like(ids), eos_token_id=ends, pad_token_id=0, **drawn)
    added = found[:, ids.shape[1] :]
    ended = torch.isin(added, torch.tensor(ends, device=added.device)).long()
    return int((ended.cumsum(1) - ended == 0).sum())


def by_groups(model: Any, prompts: torch.Tensor, samples: int, tokens: int, ends: list[int]) -> int:
    drawn = GroupDecoder(model, ends)(prompts.tolist(), [samples] * len(prompts), TokenDrawing(), SampleLimits(tokens))
    return sum(len(own.ids) for own in drawn)


if __name__ == "__main__":
    main()
