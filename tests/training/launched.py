"""Scripts that accelerate runs in one process, or in several, on the CPU."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def launch(script: Path, processes: int, *arguments: object) -> None:
    launcher = ["-m", "accelerate.commands.launch", "--num_processes", str(processes)]
    launcher += ["--multi_gpu"] if processes > 1 else ["--cpu"]
    launcher += ["--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no"]
    launcher += ["--num_cpu_threads_per_process", "1", "--main_process_port", "0"]
    command = [sys.executable, *launcher, str(script), *map(str, arguments)]
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}",
        "OMP_NUM_THREADS": "1",
        "ACCELERATE_USE_CPU": "true",
    }
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
