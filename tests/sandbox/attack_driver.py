"""Runs every attack at one tier, each followed by an honest program, and prints what happened as JSON.

A script of its own, so that the same attacks can be run as root and as an ordinary user.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from attacks import ATTACKS

from setwise.errors import SandboxError
from setwise.sandbox import Job, Sandbox

HONEST = "def add(a, b):\n    return a + b  # {}\n"


class Canaries:
    """Things on this machine that an attack might reach."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.chmod(0o777)
        self.file = folder / "canary"
        self.file.write_text("alive")
        self.file.chmod(0o666)
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.port = self.tcp.getsockname()[1]
        self.unix = socket.socket(socket.AF_UNIX)
        self.unix.bind(str(folder / "socket"))
        (folder / "socket").chmod(0o777)
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind(f"\0setwise-canary-{self.port}")
        for listener in (self.unix, self.abstract):
            listener.listen()
        self.process = subprocess.Popen(["sleep", "600"])
        self.niceness = os.getpriority(os.PRIO_PROCESS, self.process.pid)

    def aim(self, program: str) -> str:
        places = {
            "@DIR@": self.folder,
            "@HERE@": Path(__file__).parent,
            "@PORT@": self.port,
            "@PID@": os.getpid(),
            "@CANARY@": self.process.pid,
        }
        for mark, place in places.items():
            program = program.replace(mark, str(place))
        return program

    def harm(self) -> list[str]:
        found = []
        if self.file.read_text() != "alive" or self.file.stat().st_mode & 0o777 != 0o666:
            found.append("the file was changed")
        if sorted(p.name for p in self.folder.iterdir()) != ["canary", "socket"]:
            found.append("the folder was changed")
        for listener in (self.tcp, self.unix, self.abstract):
            listener.setblocking(False)
            try:
                listener.accept()[0].close()
                found.append("a connection came in")
            except BlockingIOError:
                pass
        state = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        niceness = os.getpriority(os.PRIO_PROCESS, self.process.pid)
        if self.process.poll() is not None or state[0] == "T" or niceness != self.niceness:
            found.append("the process was touched")
        return found

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for listener in (self.tcp, self.unix, self.abstract):
            listener.close()


def run(tier: str, folder: Path) -> dict[str, object]:
    canaries = Canaries(folder)
    outcomes: dict[str, list[object]] = {}
    try:
        with Sandbox(tier=tier, workers=1) as sandbox:
            for number, (name, attack) in enumerate(ATTACKS.items()):
                jobs = [
                    Job(canaries.aim(attack.program), attack.tests, attack.setup, attack.cpu_seconds),
                    Job(HONEST.format(number), ["assert add(2, 3) == 5", "assert add('a', 'b') == 'ab'"]),
                ]
                verdict, honest = sandbox.check(jobs)
                outcomes[name] = [verdict.status, verdict.detail, honest.status, honest.detail]
            return {"outcomes": outcomes, "harm": canaries.harm(), "isolation": str(sandbox.isolation)}
    finally:
        canaries.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="canaries") as place:
        try:
            report = run(sys.argv[1], Path(place))
        except SandboxError as error:
            report = {"impossible": str(error)}
    print(json.dumps(report))  # noqa: T201
