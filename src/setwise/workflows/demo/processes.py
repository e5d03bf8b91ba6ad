"""The demo's processes: forks of one process that has imported everything, or else new ones.

Importing torch, transformers and TRL takes long next to the training of a tiny model. The fork server imports them
once, on the core that is idle while the demo makes its starting model. It has no threads when it forks: a lock that
another thread held would stay locked in the fork.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from typing import Protocol

Main = Callable[[Sequence[str]], int]

ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
NO_ARROW_THREAD = {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""For pyarrow, whose import starts a thread of an allocator that it does not use by default."""


@dataclass(frozen=True, slots=True)
class Command:
    """What follows `setwise` on a command line, and where its output goes."""

    name: str
    arguments: tuple[str, ...]
    log: Path


class Running(Protocol):
    """A process, as `subprocess` has it."""

    def poll(self) -> int | None:
        """The exit status, or None while it runs."""
        ...

    def terminate(self) -> None: ...

    def wait(self) -> object: ...


class Processes(Protocol):
    """Where the demo's work runs side by side, with one thread each."""

    def begin(self, command: Command) -> Running: ...

    def pool(self, workers: int) -> Executor:
        """Calls functions of a module with what can be pickled."""
        ...


class NewProcesses:
    """A new Python for each command, as if a user had typed it. What has no command runs here, one after the other."""

    def begin(self, command: Command) -> Running:
        words = [sys.executable, "-m", "setwise", *command.arguments]
        with command.log.open("ab") as log:
            return subprocess.Popen(words, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **ONE_THREAD})

    def pool(self, workers: int) -> Executor:
        return ThreadPoolExecutor(1)


@dataclass(frozen=True, slots=True)
class Forks:
    """Forks of the fork server. They end if this process does."""

    context: ForkServerContext
    main: Main
    """Runs a command."""

    def begin(self, command: Command) -> Running:
        process = self.context.Process(target=_run, args=(self.main, command), name=command.name)
        try:
            process.start()
        except (EOFError, OSError):
            # The server died of something it imported. A new process shows of what.
            return NewProcesses().begin(command)
        return _Fork(process)

    def pool(self, workers: int) -> Executor:
        return ProcessPoolExecutor(workers, mp_context=self.context, initializer=_end_with_parent)


def prepare_processes(main: Main, imports: Sequence[str]) -> Processes:
    """Start the fork server, which begins to import these modules.

    Where forks are not safe, there are none: with a GPU, whose driver does not survive a fork, and outside Linux, where
    the system's own libraries may not.
    """
    if not _forks_are_safe():
        return NewProcesses()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(imports))
    with _environment(ONE_THREAD | NO_ARROW_THREAD), _ignored_interrupts():
        forkserver.ensure_running()
    return Forks(context, main)


@dataclass(frozen=True, slots=True)
class _Fork:
    process: BaseProcess

    def poll(self) -> int | None:
        return self.process.exitcode

    def terminate(self) -> None:
        self.process.terminate()

    def wait(self) -> None:
        self.process.join()


def _run(main: Main, command: Command) -> None:
    """In the fork: what a new process does."""
    with command.log.open("ab") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    sys.argv = ["setwise", *command.arguments]
    _end_with_parent()
    sys.exit(main(command.arguments))


def _end_with_parent() -> None:
    """From now on, also if it is killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=watch, daemon=True).start()


def _forks_are_safe() -> bool:
    import torch

    return sys.platform == "linux" and not torch.accelerator.is_available()


@contextmanager
def _environment(changes: dict[str, str]) -> Iterator[None]:
    """For processes that start now."""
    before = dict(os.environ)
    os.environ.update(changes)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _ignored_interrupts() -> Iterator[None]:
    """For processes that start now: Ctrl-C reaches them too, and would end them with a traceback while they import."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
