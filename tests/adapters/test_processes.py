"""The same completions in several processes of one launch."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from setwise.adapters.verl import compute_score
from tests.adapters.cases import Case, graded_pairs

ROOT = Path(__file__).parents[2]
# `--multi_gpu` is how accelerate is told to start several processes; with `--cpu` it starts one, whatever the number.
LAUNCH = shlex.split("--multi_gpu --num_processes 2 --num_machines 1 --main_process_port 0 --mixed_precision no")
LAUNCH += shlex.split("--dynamo_backend no --num_cpu_threads_per_process 1")


@pytest.mark.slow
def test_two_accelerate_processes_give_the_rewards_of_this_one(every_case: list[Case], tmp_path: Path) -> None:
    pytest.importorskip("accelerate", reason="accelerate is not installed: pip install 'setwise[train]'")
    pairs = [pair for case in every_case for pair in graded_pairs(case)]
    (tmp_path / "pairs.json").write_text(json.dumps(pairs))
    script = Path(__file__).with_name("accelerated_rewards.py")
    command = [sys.executable, "-m", "accelerate.commands.launch", *LAUNCH, script]
    command += [tmp_path / "pairs.json", tmp_path / "rewards.json"]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert finished.returncode == 0, finished.stderr[-2000:]
    first, second = json.loads((tmp_path / "rewards.json").read_text())
    assert first == second == [compute_score("setwise", text, ground_truth)["score"] for text, ground_truth in pairs]
    assert len(set(first)) > 2
