"""One way at a time, each in a process of its own, because vLLM does not give its memory back."""

import json
import subprocess
import sys
from importlib.util import find_spec
from typing import Any


def lacks_gpu_or_vllm() -> bool:
    """Says so where it does. Only the parent asks: vLLM forks its engine, which cannot use CUDA once it was used."""
    import torch

    if find_spec("vllm") is not None and torch.cuda.is_available():
        return False
    print("this benchmark needs a GPU and vLLM: pip install 'setwise[vllm]'", file=sys.stderr)
    return True


def tell(measured: dict[str, Any]) -> None:
    """What a child says to its parent, behind whatever libraries print."""
    print("\n" + json.dumps(measured), flush=True)


def measure_elsewhere(script: str, way: str, arguments: list[str]) -> dict[str, Any] | None:
    """Run the script again for one way; None where that failed."""
    child = subprocess.run(
        [sys.executable, script, *arguments, "--way", way], stdout=subprocess.PIPE, text=True, check=False
    )
    lines = [line for line in child.stdout.splitlines() if line.startswith('{"way"')]
    if lines:
        return json.loads(lines[-1])
    print(f"{way}: failed with exit status {child.returncode}\n{child.stdout[-2000:]}", flush=True)
    return None
