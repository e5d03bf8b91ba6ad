"""The referee: takes jobs from the trainer, keeps the tests to itself, and reports the verdict on each program."""

import json
import os
import resource
import struct
import sys
from contextlib import suppress
from typing import Any

from .channel import ChannelClosed, read_exactly, write_all
from .judge import judge
from .lockdown.privileges import hide_memory
from .lockdown.tiers import TIERS
from .zygote_client import Zygote, ZygoteFailed

_JOBS, _VERDICTS = 0, 1
_LENGTH = struct.Struct(">I")
_MEMORY_BYTES = 3 << 30


def main() -> None:
    """Arguments: the tiers to try, in order (`ABC`), and the trainer's process id."""
    tiers, trainer = sys.argv[1], int(sys.argv[2])
    os.umask(0o022)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))
    hide_memory()
    watched = _watch(trainer)
    zygote, refused = _start(tiers)
    if zygote is None:
        _send({"refused": refused})
        return
    _send({"facts": zygote.facts, "refused": refused})
    with suppress(ChannelClosed):
        while True:
            _send(_answer(_receive(), zygote, watched))


def _start(tiers: str) -> tuple[Zygote | None, dict[str, str]]:
    refused: dict[str, str] = {}
    for tier in tiers:
        assert tier in TIERS
        try:
            return Zygote(tier), refused
        except OSError as error:
            refused[tier] = error.strerror or str(error)
    return None, refused


def _watch(trainer: int) -> list[int]:
    """Descriptors that become ready when the trainer ends. Its pipe alone is not enough, since the trainer's own forks
    may hold the other end open."""
    if os.getppid() != trainer:
        os._exit(0)
    with suppress(OSError):
        return [_JOBS, os.pidfd_open(trainer)]
    return [_JOBS]


def _answer(job: dict[str, Any], zygote: Zygote, watched: list[int]) -> dict[str, Any]:
    try:
        return vars(judge(job, zygote, watched))
    except (ZygoteFailed, MemoryError) as error:
        # It is no longer certain which children the zygote has. A fresh pair tries again.
        detail = str(error) or "the referee ran out of memory"
        _send({"status": "infra_error", "results": ["infra_error"] * len(job["tests"]), "detail": detail})
        os._exit(1)


def _receive() -> dict[str, Any]:
    (length,) = _LENGTH.unpack(read_exactly(_JOBS, _LENGTH.size))
    return json.loads(read_exactly(_JOBS, length))


def _send(message: dict[str, Any]) -> None:
    data = json.dumps(message).encode()
    write_all(_VERDICTS, _LENGTH.pack(len(data)) + data)
