"""What the times do not show: rounding, and where the time goes."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import torch
from torch.profiler import ProfilerActivity
from torch.profiler import profile as record

from benchmarks.updating.bench import PATHS, Bench, Choice
from benchmarks.updating.workloads import Workload


@contextmanager
def in_float32(bench: Bench) -> Iterator[None]:
    accelerator = bench.trainer.accelerator
    accelerator.autocast = nullcontext
    try:
        yield
    finally:
        del accelerator.autocast


def rounding(bench: Bench, workload: Workload) -> dict[str, float]:
    """Relative distances of log-probabilities and gradients, for both paths in both precisions."""
    results: dict[str, tuple[torch.Tensor, torch.Tensor]] = {}
    for path in PATHS:
        choice = Choice(path, workload.group * workload.groups, False)
        bench.choose(choice)
        (batch,) = bench.batches(workload, Choice("shared", choice.micro_batch, False))
        for precision in ("bfloat16", "float32"):
            with in_float32(bench) if precision == "float32" else nullcontext():
                logps = bench.scores(batch)
                (logps * batch["advantages"][:, None]).sum().backward()
            gradient = torch.cat([p.grad.flatten() for p in bench.model.parameters() if p.grad is not None])
            bench.model.zero_grad(set_to_none=True)
            results[f"{path} {precision}"] = (logps.detach(), gradient)
    pairs = [("stock bfloat16", "stock float32"), ("shared bfloat16", "stock float32")]
    pairs += [("shared bfloat16", "stock bfloat16"), ("shared float32", "stock float32")]
    return {
        f"{quantity}: {one} from {other}": float(
            (results[one][i] - results[other][i]).norm() / results[other][i].norm()
        )
        for i, quantity in enumerate(("log-probabilities", "gradients"))
        for one, other in pairs
    }


def profile(bench: Bench, workload: Workload, choice: Choice) -> str:
    """The kernels that take most of the time of one update."""
    on_gpu = bench.device.type == "cuda"
    bench.choose(choice)
    batches = bench.batches(workload, choice)
    with record(activities=[ProfilerActivity.CPU] + [ProfilerActivity.CUDA] * on_gpu) as recorded:
        bench.update(batches)
        bench.wait()
    order = "self_cuda_time_total" if on_gpu else "self_cpu_time_total"
    return recorded.key_averages().table(sort_by=order, row_limit=18, max_name_column_width=90)
