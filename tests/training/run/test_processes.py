"""Two processes do what one does with twice the accumulation: same order, whole groups, same gradients."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
WORKER = Path(__file__).with_name("two_processes.py")
GROUP = 8


def launch(start: Path, out: Path, processes: int, credit: str) -> None:
    launcher = ["-m", "accelerate.commands.launch", "--num_processes", str(processes)]
    launcher += ["--multi_gpu"] if processes > 1 else ["--cpu"]
    launcher += ["--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no"]
    launcher += ["--num_cpu_threads_per_process", "1", "--main_process_port", "0"]
    command = [sys.executable, *launcher, str(WORKER), str(start), str(out), str(processes), credit]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "ACCELERATE_USE_CPU": "true"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]


def seen(out: Path, processes: int, rank: int) -> dict[str, Any]:
    return json.loads((out / f"seen-{processes}-{rank}.json").read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("credit", ["completion", "answer"])
def test_two_processes_do_what_one_does_with_twice_the_accumulation(start: Path, tmp_path: Path, credit: str):
    import torch

    for processes in (1, 2):
        launch(start, tmp_path, processes, credit)
    one, ranks = seen(tmp_path, 1, 0), [seen(tmp_path, 2, rank) for rank in (0, 1)]
    assert one["accumulation"] == 2 * ranks[0]["accumulation"]
    assert one["problems"] == ranks[0]["problems"] + ranks[1]["problems"]
    assert one["rewards"] == ranks[0]["rewards"] + ranks[1]["rewards"]
    for rank in ranks:
        groups = [set(rank["problems"][i : i + GROUP]) for i in range(0, len(rank["problems"]), GROUP)]
        assert all(len(group) == 1 for group in groups)
        assert rank["reward"] == pytest.approx(one["reward"])
    alone = torch.load(tmp_path / "gradients-1-0.pt")
    for rank in (0, 1):
        shared = torch.load(tmp_path / f"gradients-2-{rank}.pt")
        assert alone.keys() == shared.keys()
        for name, gradient in alone.items():
            torch.testing.assert_close(shared[name], gradient, rtol=1e-4, atol=1e-7)
    assert any(gradient.abs().max() > 0 for gradient in alone.values())
