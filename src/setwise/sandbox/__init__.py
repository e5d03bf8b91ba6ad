"""Runs programs nobody trusts, and says whether they pass their tests.

    with Sandbox() as sandbox:
        for verdict in sandbox.check([Job(program=text, tests=["assert double(2) == 4"])]):
            print(verdict.passed, verdict.status, verdict.results, verdict.cpu_seconds)

The trainer starts its *referees* by exec, one for every worker. A referee holds the tests and starts a *zygote*, an
interpreter that walls itself in and then forks one child per program. Tests run in the referee: a call of one of the
program's functions becomes a request to the child, which answers with plain data in an encoding of our own, and the
referee compares with its own `==`. The child is taken to be hostile from its first instruction, native code included.

Covered: a program cannot pass by exiting, by redefining equality, by patching the interpreter, by writing to its
channel out of turn, by hearing of a later test early, or by finding the expected values, which never enter its
process. It cannot read or write files (the standard library aside), start processes, reach the network, signal anyone,
outlive its verdict, hold a worker by sleeping, or exhaust memory. In what way this is kept up depends on the tier; see
`Sandbox.isolation`.

Not covered: the kernel is shared with the programs, so a hole in it is a hole here, and timing differences between
processes can be observed. Arguments of calls are seen by the program, and so is whatever the model saw: tests shown
in the prompt can be hard-coded, and no sandbox can tell. Tests and setup code are trusted and run with your rights.
A test that compares two of the program's own answers is only as strong as that comparison. Floating-point results and
the order of sets follow this machine; the hash seed is fixed. Third-party packages are not importable.
"""

from setwise.sandbox.isolation import Isolation
from setwise.sandbox.job import Job, Verdict
from setwise.sandbox.pool import Sandbox

__all__ = ["Isolation", "Job", "Sandbox", "Verdict"]
