"""How long the update takes with each prompt computed once, against the stock trainer, in the same run.

    python benchmarks/update.py --json update.json

Needs a GPU (exit status 2 without one; `--tiny` runs both paths at toy size on a CPU). A model of Qwen2.5-0.5B's
shape with random float32 weights under bfloat16 autocast, as in training. An update is the loss and the gradients
of a batch of groups, through the trainer's own code; the optimizer's step is the same for both and left out. The stock
path may choose its micro-batch and whether to checkpoint. So may ours, among whole groups; the ratio in the table is
taken where it needs no more memory than the stock path's best.
"""

import argparse
import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.updating.bench import PATHS, Bench, Choice, Measured, matmul_rate
from benchmarks.updating.checks import profile, rounding
from benchmarks.updating.workloads import TINY, WORKLOADS, Workload

REPEATS = 5


def choices(path: str, workload: Workload) -> Iterator[Choice]:
    """From large to small: the best are among the large, and time may run out."""
    total = workload.group * workload.groups
    unit, most = (4, 128) if path == "stock" else (workload.group, total)
    sizes = [unit * 2**i for i in range(8) if unit * 2**i <= min(total, most)]
    for size in reversed(sizes):
        for checkpointing in (False, True):
            yield Choice(path, size, checkpointing)


def sweep(bench: Bench, workload: Workload, path: str, deadline: float) -> list[Measured]:
    """Every choice that fits, measured quickly."""
    found: list[Measured] = []
    for choice in choices(path, workload):
        if found and time.perf_counter() > deadline:
            break
        measured = attempt(bench, workload, choice)
        if measured is None:
            bench.model.zero_grad(set_to_none=True)
            bench.reset_peak()
            say(f"  {path} micro-batch {choice.micro_batch}, checkpointing {choice.checkpointing}: out of memory")
        else:
            found.append(measured)
            say(f"  {describe(measured)}")
    return found


def attempt(bench: Bench, workload: Workload, choice: Choice) -> Measured | None:
    """None if there is not enough memory. The error is released on return, and with it what it references."""
    try:
        return bench.measure(workload, choice, repeats=1)
    except torch.OutOfMemoryError:
        return None


def compare(bench: Bench, workload: Workload, rate: float, seconds: float) -> dict[str, Any]:
    say(f"\n{workload.name}: {workload}")
    start = time.perf_counter()
    swept = {path: sweep(bench, workload, path, start + seconds * (i + 1) / 2) for i, path in enumerate(PATHS)}
    quickest = {path: min(swept[path], key=lambda each: each.seconds) for path in PATHS}
    allowed = quickest["stock"].peak_gigabytes or math.inf
    fitting = [each for each in swept["shared"] if (each.peak_gigabytes or 0) <= allowed]
    ours = min(fitting or swept["shared"], key=lambda each: each.seconds)
    chosen = {
        "stock": bench.measure(workload, quickest["stock"].choice, REPEATS),
        "shared": bench.measure(workload, ours.choice, REPEATS),
    }
    scoring = {}
    for path, measured in chosen.items():
        bench.choose(measured.choice)
        batches = bench.batches(workload, measured.choice)
        bench.score(batches)
        scoring[path] = statistics.median(bench.clock(lambda b=batches: bench.score(b)) for _ in range(3))
    predictions = sum(sum(lengths) for _, lengths in workload.draw().groups)
    return {
        "workload": asdict(workload),
        "predicted_tokens": predictions,
        "speedup": chosen["stock"].seconds / chosen["shared"].seconds,
        "speedup_with_any_memory": chosen["stock"].seconds / quickest["shared"].seconds,
        "scoring_speedup": scoring["stock"] / scoring["shared"],
        "paths": {
            path: asdict(measured)
            | {"fraction_of_matmul_rate": bench.fraction(measured, predictions, rate), "scoring_seconds": scoring[path]}
            for path, measured in chosen.items()
        },
        "swept": [asdict(each) for path in PATHS for each in swept[path]],
    }


def table(found: list[dict[str, Any]]) -> str:
    lines = [
        "| shape | path | micro-batch | checkpointing | tokens | update, s | of matmul rate | peak, GB | scoring, s |",
        "| --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for each in found:
        for path, numbers in each["paths"].items():
            choice, peak = numbers["choice"], numbers["peak_gigabytes"]
            cells = [
                each["workload"]["name"],
                path,
                choice["micro_batch"],
                "yes" if choice["checkpointing"] else "no",
                f"{numbers['tokens']:,}",
                f"{numbers['seconds']:.3f}",
                f"{numbers['fraction_of_matmul_rate']:.0%}",
                "-" if peak is None else f"{peak:.1f}",
                f"{numbers['scoring_seconds']:.3f}",
            ]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
        lines.append(f"| | **ratio** | | | | **{each['speedup']:.2f}x** | | | **{each['scoring_speedup']:.2f}x** |")
    return "\n".join(lines)


def describe(measured: Measured) -> str:
    choice, peak = measured.choice, measured.peak_gigabytes
    memory = "" if peak is None else f", {peak:.1f} GB"
    how = f"micro-batch {choice.micro_batch}, checkpointing {choice.checkpointing}"
    return f"{choice.path} {how}: {measured.seconds:.3f} s{memory}"


def say(text: str) -> None:
    print(text, flush=True)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiny", action="store_true", help="both paths at toy size, on the CPU")
    parser.add_argument("--json", type=Path, help="where to write the numbers")
    parser.add_argument("--profile", action="store_true", help="print the top kernels of each path")
    parser.add_argument("--shapes", nargs="*", help="names of the shapes to run; all unless given")
    parser.add_argument("--seconds", type=float, default=100, help="for the sweeps of one shape")
    options = parser.parse_args(arguments)
    if not options.tiny and not torch.cuda.is_available():
        print("this benchmark needs a GPU; --tiny runs both paths at toy size on a CPU", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        run(Bench(options.tiny, Path(folder)), options)
    return 0


def run(bench: Bench, options: argparse.Namespace) -> None:
    rate = matmul_rate(bench)
    say(f"{bench.trainer.update_path}; matrix products: {rate / 1e12:.2f} TFLOP/s; torch {torch.__version__}")
    result: dict[str, Any] = {"matmul_rate": rate, "shapes": []}

    def keep() -> None:
        if options.json:
            options.json.write_text(json.dumps(result, indent=1) + "\n")

    small = Workload("rounding", prompt=200, mean=60, longest=120, group=8, groups=2)
    result["rounding"] = rounding(bench, TINY[0] if options.tiny else small)
    say("\n".join(f"{name}: {distance:.2e}" for name, distance in result["rounding"].items()))
    keep()
    for workload in TINY if options.tiny else WORKLOADS:
        if options.shapes and workload.name not in options.shapes:
            continue
        found = compare(bench, workload, rate, options.seconds)
        result["shapes"].append(found)
        say(table([found]))
        keep()
        for path in PATHS if options.profile else ():
            choice = Choice(**found["paths"][path]["choice"])
            say(f"\n{workload.name}, {choice}\n{profile(bench, workload, choice)}")
    say("\n" + table(result["shapes"]))


if __name__ == "__main__":
    sys.exit(main())
