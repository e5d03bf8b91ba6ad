"""How long a whole training step takes (generate, score, update), against stock TRL in the same run.

    python benchmarks/step.py MODEL recipes/small/ddxplus/rlvr-multi.yaml --set task.path=data/ddxplus --json step.json

MODEL is a folder with weights. `--blank TOKENIZER` first makes one there of Qwen2.5-0.5B's shape, with random weights
and the tokenizer of another folder. It hardly ever stops by itself, so completions have the maximal length.
All ways train the same recipe with the same reward and weights. `trl` is TRL's own trainer and engine settings with a
colocated vLLM that stays awake, at the micro-batch given for it. `vllm` is `setwise train` with the same engine,
`shared` with the decoder in the training process, with credit as in the paper and per answer, which may take 1.02 times
as long. Each has its own process.
`unsloth` is unsloth's trainer with the vLLM that shares its weights, at the micro-batch of `trl`. It trains adapters,
so the recipe needs `model.lora`. `unsloth, generate` samples with its own decoder. Both run only if `--ways` names
them. `--unsloth FOLDER` is for its packages (`pip install --target FOLDER`), which need older versions of TRL and
datasets than ours.
Needs a GPU and vLLM (exit status 2 without them).
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.unsloth_trainer import unsloth_trainer
from benchmarks.ways import lacks_gpu_or_vllm, measure_elsewhere, tell

BEGAN = time.perf_counter()
WAYS = ("trl", "vllm", "shared", "shared, per answer")
UNSLOTH_WAYS = ("unsloth", "unsloth, generate")
BACKENDS = {"shared": "shared", "shared, per answer": "shared", "unsloth, generate": "transformers"}
"""Where it is not vLLM."""
WARM_UP = 3
TOTALS = ("step, s", "first step done, s", "peak, GB")


def job_of(way: str, options: argparse.Namespace, folder: str) -> Any:
    from setwise.config import read_recipe

    changes = [*options.changes, f"model.path={options.model.resolve()}", f"run.folder={folder}"]
    job = read_recipe(options.recipe, changes).job()
    group = job.generation.group_size
    micro_batch = options.stock_micro_batch if way in ("trl", *UNSLOTH_WAYS) else options.completions
    return replace(
        job,
        model=replace(job.model, gradient_checkpointing=False),
        generation=replace(
            job.generation,
            backend=BACKENDS.get(way, "vllm"),
            vllm_sleeps=False,
            prompts_per_step=options.completions // group,
            max_completion_tokens=options.completion_tokens,
        ),
        optimisation=replace(
            job.optimisation,
            steps=WARM_UP + options.steps,
            micro_batch=micro_batch,
            credit="answer" if way.endswith("per answer") else "completion",
        ),
        run=replace(job.run, save_every=10_000),
    )


def stock_trainer(job: Any) -> Any:
    """Stock TRL with our reward."""
    from trl.trainer.grpo_config import GRPOConfig
    from trl.trainer.grpo_trainer import GRPOTrainer

    from setwise.credit import CompletionDecoder
    from setwise.models.local_text import end_tokens
    from setwise.models.vllm import cache_options
    from setwise.training.rollout.colocated_vllm import colocated_engine
    from setwise.training.run.arguments import engine_arguments
    from setwise.training.run.dataset import training_rows
    from setwise.training.run.policy import load_model, load_tokenizer
    from setwise.training.run.reward import SetReward

    arguments: dict[str, Any] = {**engine_arguments(job, processes=1), "generation_kwargs": None}
    tokenizer, model = load_tokenizer(job.model), load_model(job.model)
    decoder = CompletionDecoder(tokenizer, end_tokens(model, tokenizer))
    # As much room for the cache as ours has: what it takes, the update cannot use.
    with colocated_engine(cache_options(job.generation.vllm_cache_gb)):
        return GRPOTrainer(
            model=model,
            reward_funcs=SetReward(job.objective, job.task.matcher, decoder, job.generation.group_size),
            args=GRPOConfig(**arguments),
            train_dataset=training_rows(job, job.objective),
            processing_class=tokenizer,
        )


class Clock:
    """Seconds by phase. Waits for the GPU at both ends, so phases do not overlap."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)

    def watch(self, owner: Any, method: str, phase: str) -> None:
        import torch

        original: Callable[..., Any] = getattr(owner, method)

        def timed(*arguments: Any, **options: Any) -> Any:
            torch.cuda.synchronize()
            start = time.perf_counter()
            result = original(*arguments, **options)
            torch.cuda.synchronize()
            self.seconds[phase].append(time.perf_counter() - start)
            return result

        setattr(owner, method, timed)


def measure(way: str, options: argparse.Namespace) -> dict[str, Any]:
    """In this process: train a few steps and time them."""
    from setwise.training.run.engine import build_trainer
    from setwise.training.watch.listeners import as_callback

    with tempfile.TemporaryDirectory() as folder:
        job = job_of(way, options, folder)
        if way in UNSLOTH_WAYS:
            trainer = unsloth_trainer(job)
        else:
            trainer = stock_trainer(job) if way == "trl" else build_trainer(job, job.objective)
        import torch  # unsloth sets its allocator up first

        ready = time.perf_counter() - BEGAN
        clock, steps = Clock(), _Steps()
        if trainer.use_vllm:
            clock.watch(trainer.vllm_generation, "generate", "generation")
            clock.watch(trainer.vllm_generation, "sync_weights", "weights to vLLM")
        else:
            clock.watch(trainer, "_generate_single_turn", "generation")
        clock.watch(trainer, "_calculate_rewards", "rewards")
        clock.watch(trainer, "_prepare_inputs", "rollout")
        trainer.add_callback(as_callback(steps))
        torch.cuda.reset_peak_memory_stats()
        trainer.train()
    kept = slice(WARM_UP, None)
    parts = {phase: _per_step(times, len(steps.seconds))[kept] for phase, times in clock.seconds.items()}
    return {
        "way": way,
        "update_path": "unsloth" if way in UNSLOTH_WAYS else getattr(trainer, "update_path", "stock"),
        "micro_batch": job.optimisation.micro_batch,
        "ready_seconds": ready,
        "first_step_seconds": steps.first - BEGAN,
        "step_seconds": statistics.median(steps.seconds[kept]),
        "phases": {phase: statistics.median(times) for phase, times in parts.items()},
        "completion_tokens": statistics.mean(line["completions/mean_length"] for line in steps.logged[kept]),
        "peak_gigabytes": torch.cuda.max_memory_allocated() / 1e9,
    }


class _Steps:
    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.logged: list[dict[str, float]] = []
        self.first = self._began = 0.0

    def on_step_begin(self, *_: Any, **__: Any) -> None:
        self._began = time.perf_counter()

    def on_step_end(self, *_: Any, **__: Any) -> None:
        import torch

        torch.cuda.synchronize()
        now = time.perf_counter()
        self.first = self.first or now
        self.seconds.append(now - self._began)

    def on_log(self, *_: Any, logs: dict[str, float], **__: Any) -> None:
        if "completions/mean_length" in logs:
            self.logged.append(logs)


def _per_step(times: list[float], steps: int) -> list[float]:
    """A phase may run several times per step, once per micro-batch."""
    each = len(times) // steps
    return [sum(times[i * each : (i + 1) * each]) for i in range(steps)]


def make_blank(folder: Path, tokenizer: str) -> None:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    from benchmarks.updating.bench import QWEN_HALF_BILLION

    torch.manual_seed(0)
    words = AutoTokenizer.from_pretrained(tokenizer)
    config = AutoConfig.for_model("qwen2", **QWEN_HALF_BILLION | {"eos_token_id": words.eos_token_id})
    AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).save_pretrained(folder)
    words.save_pretrained(folder)


def table(found: list[dict[str, Any]]) -> str:
    phases = list(dict.fromkeys(phase for each in found for phase in each["phases"]))
    lines = [
        "| way | micro-batch | "
        + " | ".join(f"{phase}, s" for phase in phases)
        + " | step, s | first step done, s | peak, GB |",
        "| --- |" + " ---: |" * (len(phases) + 4),
    ]
    for each in found:
        cells = [f"{each['phases'].get(phase, 0):.2f}" for phase in phases]
        cells += [f"{each['step_seconds']:.2f}", f"{each['first_step_seconds']:.0f}", f"{each['peak_gigabytes']:.1f}"]
        lines.append(f"| {each['way']} | {each['micro_batch']} | " + " | ".join(cells) + " |")
    seconds = {each["way"]: each["step_seconds"] for each in found}
    for way, peer, aim in (
        ("shared", "trl", "at most 0.2"),
        ("shared", "vllm", "at most 0.55"),
        ("shared, per answer", "shared", "at most 1.02"),
        ("shared", "unsloth", "no aim"),
        ("shared", "unsloth, generate", "no aim"),
    ):
        if way in seconds and peer in seconds:
            lines.append(f"\n{way}: {seconds[way] / seconds[peer]:.3f} of the time of {peer} ({aim})")
    lines.append(f"\n{found[-1]['completion_tokens']:.0f} tokens a completion")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="a folder with weights")
    parser.add_argument("recipe", type=Path, help="what is trained")
    parser.add_argument(
        "--set", dest="changes", action="append", default=[], metavar="A.B=C", help="as for setwise train"
    )
    parser.add_argument("--blank", metavar="TOKENIZER", help="make MODEL first, with the tokenizer of this folder")
    parser.add_argument("--completions", type=int, default=256, help="per step")
    parser.add_argument("--completion-tokens", type=int, default=40, help="at most")
    parser.add_argument("--stock-micro-batch", type=int, default=32)
    parser.add_argument("--steps", type=int, default=8, help=f"timed, after {WARM_UP}")
    parser.add_argument("--json", type=Path, help="where to write the numbers")
    parser.add_argument("--unsloth", type=Path, metavar="FOLDER", help="packages for the ways of unsloth")
    parser.add_argument("--ways", nargs="*", choices=WAYS + UNSLOTH_WAYS, default=WAYS, help="only these")
    parser.add_argument("--way", choices=WAYS + UNSLOTH_WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.way:
        tell(measure(options.way, options))
        return 0
    if lacks_gpu_or_vllm():
        return 2
    if options.blank and not (options.model / "config.json").exists():
        make_blank(options.model, options.blank)
    found = []
    for way in options.ways:
        packages = options.unsloth if way in UNSLOTH_WAYS else None
        result = measure_elsewhere(__file__, way, arguments, packages)
        if result is None:
            return 1
        found.append(result)
        print(table(found), flush=True)
        if options.json:
            options.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
