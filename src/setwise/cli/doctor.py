"""`setwise doctor`: what this machine can run."""

import argparse
import os
import platform
from collections import Counter
from importlib.metadata import PackageNotFoundError, version

from setwise.errors import SandboxError
from setwise.sandbox import Sandbox
from setwise.version import __version__

HELP = """Report the packages and the GPU that models can use, and how strong the sandbox for model-written programs is
on this machine: its tier, its parts, what is missing and what that costs."""

PACKAGES = {"torch": "train", "transformers": "train", "trl": "train", "vllm": "vllm"}
"""The packages that models run on, each with the extra that installs it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tier", choices=list("ABCD"), help="test this tier instead of the strongest one")


def run(args: argparse.Namespace) -> int:
    """Reports only: a missing sandbox is a finding, not a failure of the command."""
    print(f"setwise {__version__}, Python {platform.python_version()}, {platform.system()} {platform.release()}")  # noqa: T201
    print(f"{platform.machine()}, {len(os.sched_getaffinity(0))} cores, {_user()}")  # noqa: T201
    print()  # noqa: T201
    print("\n".join(["models:", *(_package_report(name, extra) for name, extra in PACKAGES.items())]))  # noqa: T201
    print()  # noqa: T201
    print(f"sandbox: {_sandbox_report(args.tier)}")  # noqa: T201
    return 0


def _package_report(name: str, extra: str) -> str:
    try:
        found = f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"  missing  {name}: pip install 'setwise[{extra}]'"
    return f"  with     {found}, {_gpus()}" if name == "torch" else f"  with     {found}"


def _gpus() -> str:
    """Found with torch, which takes seconds to load and may be a build for another machine."""
    try:
        import torch
    except (ImportError, OSError) as error:
        first_line = str(error).partition("\n")[0]
        return f"which cannot be loaded ({first_line})"
    if not torch.cuda.is_available():
        return "no GPU"
    names = Counter(torch.cuda.get_device_name(number) for number in range(torch.cuda.device_count()))
    return ", ".join(f"{count} x {name}" for name, count in names.items())


def _sandbox_report(tier: str | None) -> str:
    try:
        with Sandbox(tier=tier, workers=1, allow_unsafe=True) as sandbox:
            return str(sandbox.isolation)
    except SandboxError as error:
        return f"none; {error}"


def _user() -> str:
    return "running as root" if os.geteuid() == 0 else "running as an ordinary user"
