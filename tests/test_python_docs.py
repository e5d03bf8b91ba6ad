"""docs/python.md prints what it says it prints."""

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0][:40])
def test_a_block_prints_what_its_comments_say(block: str) -> None:
    lines = block.splitlines()
    pairs = pairwise(lines)
    printed = [after[2:] for line, after in pairs if "print(" in line and after.startswith("# ")]
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == printed
    assert printed
