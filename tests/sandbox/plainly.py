"""What plain execution says: the tests as they stand, in the program's own namespace."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable

from setwise.sandbox import Job

# One process for all, each in a fresh namespace and a fork of its own.
_PLAIN = """
import json, os, sys
for line in sys.stdin:
    program, tests, setup = json.loads(line)
    child = os.fork()
    if child == 0:
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        try:
            exec(compile("\\n".join([program, setup, *tests]), "plain", "exec"), {"__name__": "plain"})
        except BaseException:
            os._exit(1)
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)
"""


def passes_plainly(jobs: Iterable[Job]) -> list[bool]:
    lines = "".join(json.dumps([job.program, job.tests, job.setup]) + "\n" for job in jobs)
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-c", _PLAIN], input=lines, capture_output=True, text=True, check=True, env=environment
    )
    return [status == "0" for status in done.stdout.split()]
