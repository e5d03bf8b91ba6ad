"""`setwise doctor`: what this machine can do."""

import argparse
import os
import platform

from setwise.errors import SandboxError
from setwise.sandbox import Sandbox
from setwise.version import __version__

HELP = """Say how well this machine can keep in the programs that a model writes: the tier of the sandbox, what it is
made of, what is missing and what that costs."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tier", choices=list("ABCD"), help="try this tier instead of the strongest one")


def run(args: argparse.Namespace) -> int:
    """Reports; a missing sandbox is a finding and not a failure of the command."""
    print(f"setwise {__version__}, Python {platform.python_version()}, {platform.system()} {platform.release()}")  # noqa: T201
    print(f"{platform.machine()}, {len(os.sched_getaffinity(0))} cores, {_user()}")  # noqa: T201
    print()  # noqa: T201
    print(f"sandbox: {_sandbox_report(args.tier)}")  # noqa: T201
    return 0


def _sandbox_report(tier: str | None) -> str:
    try:
        with Sandbox(tier=tier, workers=1, allow_unsafe=True) as sandbox:
            return str(sandbox.isolation)
    except SandboxError as error:
        return f"none; {error}"


def _user() -> str:
    return "running as root" if os.geteuid() == 0 else "running as an ordinary user"
