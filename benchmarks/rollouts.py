"""Tokens per second of rollouts: our decoder in the training process against vLLM, in the same run.

    python benchmarks/rollouts.py MODEL --json rollouts.json
    python benchmarks/rollouts.py MODEL --recipe recipes/small/ddxplus/rlvr-multi.yaml --set task.path=data/ddxplus

MODEL is a folder with weights. The benchmark asks as training does: every prompt once per sample, with the
log-probability of each token. Without a recipe every sample has the same length, so each way does the same work; with
one, prompts are the recipe's and samples end where the model ends them. Each way has its own process, with the whole
engine in it as in training, because vLLM does not give memory back. Starting vLLM takes longer than measuring it, so
`--together` engines start side by side and are then timed one by one. `--profile` shows where Python spends its time.
Needs a GPU and vLLM (exit status 2 without them).

The ways: `vllm` is the engine with default settings; `trl` is how TRL starts it; `vllm, our settings` is
`setwise.training.rollout.colocated_vllm`; `shared` is `setwise.models.shared_prompt`, on float32 weights under
autocast, as in training. `--ablate` adds our vLLM settings with one at a time reset.
"""

import argparse
import cProfile
import json
import os
import pstats
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.ways import lacks_gpu_or_vllm, measure_in_turn, tell, wait_for_turn
from setwise.models.vllm import cache_options
from setwise.training.rollout.colocated_vllm import SAMPLING, engine_settings

Generate = Callable[[list[list[int]]], list[int]]
"""Takes prompts, returns lengths of completions."""

TEMPERATURE = 0.7
WARM_UPS = 3
TRL_SETTINGS = {"max_num_batched_tokens": 4096, "logprobs_mode": "processed_logprobs"}
TUNED = "vllm, our settings"
WAYS = ("vllm", "trl", TUNED, "shared")
ABLATIONS = (
    f"{TUNED}, 256 in flight",
    f"{TUNED}, default graphs",
    f"{TUNED}, 4096 batched tokens",
    f"{TUNED}, no prefix caching",
    f"{TUNED}, with text",
)


def settings_of(way: str, completions: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Arguments of the engine and of its sampling."""
    if way == "vllm":
        return {}, {}
    if way == "trl":
        return {**TRL_SETTINGS, "max_num_seqs": completions}, {}
    engine, sampling = {**TRL_SETTINGS, **engine_settings(completions)}, dict(SAMPLING)
    if way == f"{TUNED}, 256 in flight":
        engine.update(engine_settings(256))
    elif way == f"{TUNED}, default graphs":
        del engine["compilation_config"]
    elif way == f"{TUNED}, 4096 batched tokens":
        engine["max_num_batched_tokens"] = 4096
    elif way == f"{TUNED}, no prefix caching":
        engine["enable_prefix_caching"] = False
    elif way == f"{TUNED}, with text":
        sampling = {}
    return engine, sampling


def measure(way: str, options: argparse.Namespace) -> dict[str, Any]:
    """In this process: start the engine, warm it up, and time three generations when its turn comes."""
    start = time.perf_counter()
    generate = shared_decoder(options) if way == "shared" else vllm_engine(way, options)
    ready = time.perf_counter() - start
    for repeat in range(WARM_UPS):
        generate(_prompts(options, seed=repeat))
    wait_for_turn()
    rates, lengths = [], []
    for repeat in (3, 4, 5):
        prompts = _prompts(options, seed=repeat)
        start = time.perf_counter()
        tokens = generate(prompts)
        rates.append(sum(tokens) / (time.perf_counter() - start))
        lengths += tokens
    if options.profile == way:
        with cProfile.Profile() as profile:
            generate(_prompts(options, seed=6))
        pstats.Stats(profile, stream=sys.stderr).sort_stats("tottime").print_stats(40)
    return {
        "way": way,
        "start_seconds": ready,
        "tokens_per_second": statistics.median(rates),
        "mean_tokens": statistics.mean(lengths),
    }


def vllm_engine(way: str, options: argparse.Namespace) -> Generate:
    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
    from vllm import LLM, SamplingParams  # pyright: ignore[reportMissingImports]

    engine_arguments, sampling_arguments = settings_of(way, options.prompts * options.samples)
    engine = LLM(model=options.model, seed=0, **cache_options(options.cache_gb), **engine_arguments)
    sampling = SamplingParams(
        temperature=TEMPERATURE,
        max_tokens=options.completion_tokens,
        ignore_eos=options.recipe is None,
        logprobs=0,
        **sampling_arguments,
    )

    def generate(prompts: list[list[int]]) -> list[int]:
        asked = [{"prompt_token_ids": prompt} for prompt in prompts for _ in range(options.samples)]
        return [len(each.outputs[0].token_ids) for each in engine.generate(asked, sampling, use_tqdm=False)]

    return generate


def shared_decoder(options: argparse.Namespace) -> Generate:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from setwise.models.local_text import end_tokens
    from setwise.models.shared_prompt.completions import SampleLimits
    from setwise.models.shared_prompt.decoder import GroupDecoder
    from setwise.models.shared_prompt.drawing import TokenDrawing

    model: Any = AutoModelForCausalLM.from_pretrained(options.model, dtype=torch.float32)
    model.cuda().eval()
    ends = end_tokens(model, AutoTokenizer.from_pretrained(options.model)) if options.recipe else []
    decoder, drawing = GroupDecoder(model, ends), TokenDrawing(TEMPERATURE)

    def generate(prompts: list[list[int]]) -> list[int]:
        with torch.autocast("cuda", torch.bfloat16):
            found = decoder(prompts, [options.samples] * len(prompts), drawing, SampleLimits(options.completion_tokens))
        return [len(own.ids) for own in found]

    return generate


def _prompts(options: argparse.Namespace, seed: int) -> list[list[int]]:
    """New prompts for every repeat: prefixes are shared within a step, never between steps."""
    if options.recipe:
        return _asked(options)[seed * options.prompts : (seed + 1) * options.prompts]
    chance = random.Random(seed)
    return [[chance.randrange(100, 20_000) for _ in range(options.prompt_tokens)] for _ in range(options.prompts)]


def _asked(options: argparse.Namespace) -> list[list[int]]:
    """The prompts of a recipe, in the model's own template."""
    from transformers import AutoTokenizer

    from setwise.config import read_recipe
    from setwise.training.run.dataset import training_row

    job = read_recipe(options.recipe, [*options.changes, f"model.path={options.model}"]).job()
    tokenizer = AutoTokenizer.from_pretrained(options.model)
    chats = [training_row(problem, job, job.objective)["prompt"] for problem in job.problems[: 6 * options.prompts]]
    return [
        tokenizer.apply_chat_template(chat, add_generation_prompt=True, return_dict=True)["input_ids"] for chat in chats
    ]


def table(found: list[dict[str, Any]]) -> str:
    rates = {each["way"]: each["tokens_per_second"] for each in found}
    peer = rates.get(TUNED, found[0]["tokens_per_second"])
    lines = ["| way | start, s | mean tokens | tokens/s | ratio |", "| --- | ---: | ---: | ---: | ---: |"]
    for each in found:
        way, rate = each["way"], each["tokens_per_second"]
        cells = f"{each['start_seconds']:.0f} | {each['mean_tokens']:.0f} | {rate:,.0f} | {rate / peer:.2f}x"
        lines.append(f"| {way} | {cells} |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a folder with weights")
    parser.add_argument("--recipe", type=Path, help="whose prompts are asked (default: random ones, of equal length)")
    parser.add_argument(
        "--set", dest="changes", action="append", default=[], metavar="A.B=C", help="as for setwise train"
    )
    parser.add_argument("--prompts", type=int, default=48)
    parser.add_argument("--samples", type=int, default=32, help="per prompt")
    parser.add_argument("--prompt-tokens", type=int, default=700)
    parser.add_argument("--completion-tokens", type=int, default=200)
    parser.add_argument("--cache-gb", type=float, default=24, help="of every engine")
    parser.add_argument("--together", type=int, default=1, help="engines that start side by side, as memory allows")
    parser.add_argument("--json", type=Path, help="where to write the numbers")
    parser.add_argument("--profile", choices=WAYS + ABLATIONS, help="also print what Python spends its time on here")
    parser.add_argument("--ablate", action="store_true", help="also ours with one setting at a time put back")
    parser.add_argument("--ways", nargs="*", choices=WAYS + ABLATIONS, help="only these")
    parser.add_argument("--way", choices=WAYS + ABLATIONS, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.way:
        tell(measure(options.way, options))
        return 0
    if lacks_gpu_or_vllm():
        return 2
    found = []
    ways = options.ways or WAYS + (ABLATIONS if options.ablate else ())
    together = max(1, options.together)
    for first in range(0, len(ways), together):
        for result in measure_in_turn(__file__, ways[first : first + together], arguments):
            if result is None:
                continue
            found.append(result)
            print(table(found), flush=True)
            if options.json:
                options.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
