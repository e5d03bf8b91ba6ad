"""Tokens per second of vLLM on a small model, before and after our settings.

    python benchmarks/rollouts.py MODEL --json rollouts.json

MODEL is a folder with weights. Asks as training does: every prompt is sent once per sample, and the log-probability of
each drawn token comes back. Every sample has the same length, so each way does the same work. Each way has a process of
its own, because vLLM does not give memory back, and all of the engine is in it, as beside training. Starting takes
longer than measuring, so `--together` engines start side by side, and are then timed one after another. `--profile`
shows what Python spends its time on. Needs a GPU and vLLM (exit status 2 without them).

The ways: `vllm` is the engine with nothing set; `trl` is how TRL starts it; `ours` is
`setwise.training.rollout.colocated_vllm`; `--ablate` adds ours with one setting at a time put back.
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
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.ways import lacks_gpu_or_vllm, measure_in_turn, tell, wait_for_turn
from setwise.models.vllm import cache_options
from setwise.training.rollout.colocated_vllm import SAMPLING, engine_settings

TRL_SETTINGS = {"max_num_batched_tokens": 4096, "logprobs_mode": "processed_logprobs"}
WAYS = ("vllm", "trl", "ours")
ABLATIONS = (
    "ours, 256 in flight",
    "ours, default graphs",
    "ours, 4096 batched tokens",
    "ours, no prefix caching",
    "ours, with text",
)


def settings_of(way: str, completions: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Arguments of the engine and of its sampling."""
    if way == "vllm":
        return {}, {}
    if way == "trl":
        return {**TRL_SETTINGS, "max_num_seqs": completions}, {}
    engine, sampling = {**TRL_SETTINGS, **engine_settings(completions)}, dict(SAMPLING)
    if way == "ours, 256 in flight":
        engine.update(engine_settings(256))
    elif way == "ours, default graphs":
        del engine["compilation_config"]
    elif way == "ours, 4096 batched tokens":
        engine["max_num_batched_tokens"] = 4096
    elif way == "ours, no prefix caching":
        engine["enable_prefix_caching"] = False
    elif way == "ours, with text":
        sampling = {}
    return engine, sampling


def measure(way: str, options: argparse.Namespace) -> dict[str, Any]:
    """In this process: start the engine, warm it up, and in its turn time three generations."""
    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
    from vllm import LLM, SamplingParams  # pyright: ignore[reportMissingImports]

    completions = options.prompts * options.samples
    engine_arguments, sampling_arguments = settings_of(way, completions)
    start = time.perf_counter()
    engine = LLM(model=options.model, seed=0, **cache_options(options.cache_gb), **engine_arguments)
    ready = time.perf_counter() - start
    sampling = SamplingParams(
        temperature=0.7, max_tokens=options.completion_tokens, ignore_eos=True, logprobs=0, **sampling_arguments
    )
    engine.generate(_prompts(options, seed=0), sampling, use_tqdm=False)
    wait_for_turn()
    seconds = []
    for repeat in (1, 2, 3):
        prompts = _prompts(options, seed=repeat)
        start = time.perf_counter()
        engine.generate(prompts, sampling, use_tqdm=False)
        seconds.append(time.perf_counter() - start)
    if options.profile == way:
        with cProfile.Profile() as profile:
            engine.generate(_prompts(options, seed=4), sampling, use_tqdm=False)
        pstats.Stats(profile, stream=sys.stderr).sort_stats("tottime").print_stats(40)
    median = statistics.median(seconds)
    tokens = completions * options.completion_tokens
    return {"way": way, "start_seconds": ready, "seconds": median, "tokens_per_second": tokens / median}


def _prompts(options: argparse.Namespace, seed: int) -> list[dict[str, list[int]]]:
    """New ones for every repeat: prefixes are shared within a step, never between steps."""
    chance = random.Random(seed)
    drawn = [[chance.randrange(100, 20_000) for _ in range(options.prompt_tokens)] for _ in range(options.prompts)]
    return [{"prompt_token_ids": prompt} for prompt in drawn for _ in range(options.samples)]


def table(found: list[dict[str, Any]]) -> str:
    first = found[0]["tokens_per_second"]
    lines = ["| settings | start, s | tokens/s | ratio |", "| --- | ---: | ---: | ---: |"]
    for each in found:
        rate = each["tokens_per_second"]
        lines.append(f"| {each['way']} | {each['start_seconds']:.0f} | {rate:,.0f} | {rate / first:.2f}x |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a folder with weights")
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
