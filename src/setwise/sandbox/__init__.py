"""Runs untrusted programs, and reports whether they pass their tests.

    with Sandbox() as sandbox:
        for verdict in sandbox.check([Job(program=text, tests=["assert double(2) == 4"])]):
            print(verdict.passed, verdict.status, verdict.results, verdict.cpu_seconds)

The trainer starts *referees* by exec, one per worker. A referee holds the tests and starts a *zygote*, an interpreter
that isolates itself and then forks one child per program. Tests run in the referee: a call of one of the program's
functions becomes a request to the child, which answers with plain data in our own encoding, and the referee compares
with its own `==`. The child is assumed to be hostile from its first instruction, including native code.

Covered: a program cannot pass by exiting, redefining equality, patching the interpreter, writing to its channel out of
turn, learning about a later test early, or finding the expected values, which never enter its process. It cannot read
or write files (except the standard library), start processes, reach the network, send signals, outlive its verdict,
block a worker by sleeping, or exhaust memory. How this is enforced depends on the tier; see `Sandbox.isolation`.

Not covered: programs share the kernel, so a hole in it is a hole here, and timing differences between processes can be
observed. The program sees the arguments of calls, and the model saw its prompt: tests shown there can be hard-coded,
and no sandbox can tell. Tests and setup code are trusted and run with your rights. A test that compares two of the
program's own answers is only as strong as that comparison. Floating-point results and the order of sets depend on this
machine; the hash seed is fixed. Third-party packages cannot be imported.
"""

from setwise.sandbox.isolation import Isolation
from setwise.sandbox.job import Job, Verdict
from setwise.sandbox.pool import Sandbox

__all__ = ["Isolation", "Job", "Sandbox", "Verdict"]
