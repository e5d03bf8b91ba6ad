"""Completions on disk: append-only JSON lines, one per completion, with all that is needed to score them again."""

import os
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from setwise.errors import InputError
from setwise.problems import Problem
from setwise.records import dump_record, naming, parse_record, problem_from_record

try:
    import fcntl
except ImportError:  # Windows: two runs in one folder are then the user's to avoid.
    fcntl = None

_ABSENT = -1


@dataclass(frozen=True, slots=True)
class Sample:
    """One completion, read back."""

    problem: Problem
    index: int
    text: str
    finish_reason: str | None
    tokens: int | None
    record: dict[str, Any]


@dataclass(slots=True)
class SampleFile:
    """`samples.jsonl`. Keeps where each completion stands in the file and none of the texts."""

    path: Path
    offsets: dict[str, array] = field(default_factory=dict)
    """Per problem, in the order first met, the byte offset of each sample."""
    duplicates: int = 0
    whole_bytes: int = 0
    """Where the last complete line ends; what follows was cut off in mid-write and counts for nothing."""

    @classmethod
    def opened(cls, path: Path) -> "SampleFile":
        file = cls(path)
        if path.exists():
            file._read_index()
        return file

    def has(self, problem: str, sample: int) -> bool:
        known = self.offsets.get(problem)
        return known is not None and sample < len(known) and known[sample] != _ABSENT

    def __len__(self) -> int:
        return sum(offset != _ABSENT for known in self.offsets.values() for offset in known)

    def by_problem(self) -> Iterator[list[Sample]]:
        """The samples of one problem after another, each list in the order of the sample numbers."""
        if not self.offsets:
            return
        with self.path.open("rb") as lines:
            for known in self.offsets.values():
                samples: list[Sample] = []
                for offset in known:
                    if offset != _ABSENT:
                        samples.append(self._read_at(lines, offset, samples[0] if samples else None))
                yield samples

    @contextmanager
    def appending(self) -> Iterator["Appender"]:
        """Add completions. A half-written last line is cut off first; a second writer is refused."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with naming(self.path), self.path.open("ab") as stream:
            _lock(stream, self.path)
            if stream.tell() != self.whole_bytes:
                # Half a line at the end, or another process has written since the index was read.
                self._read_index()
                stream.truncate(self.whole_bytes)
            yield Appender(self, stream)

    def _read_index(self) -> None:
        self.offsets, self.duplicates, self.whole_bytes = {}, 0, 0
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    return
                place = f"{self.path}:{number}"
                record = parse_record(line, place)
                self._note(*_key(record, place), self.whole_bytes)
                self.whole_bytes += len(line)

    def _note(self, problem: str, sample: int, offset: int) -> None:
        known = self.offsets.setdefault(problem, array("q"))
        known.extend([_ABSENT] * (sample + 1 - len(known)))
        if known[sample] != _ABSENT:
            self.duplicates += 1
            return
        known[sample] = offset

    def _read_at(self, lines: BinaryIO, offset: int, first: Sample | None) -> Sample:
        """One sample; its problem is the one already read for the `first` of the problem's samples."""
        lines.seek(offset)
        place = f"{self.path}, byte {offset}"
        record = parse_record(lines.readline(), place)
        text, tokens, reason = record.get("text"), record.get("tokens"), record.get("finish_reason")
        if not isinstance(text, str):
            raise InputError('"text" must be a string', place=place, value=text)
        same = first is not None and first.record["problem"] == record["problem"]
        problem = first.problem if first and same else problem_from_record(record["problem"], place)
        return Sample(problem, record["sample"], text, reason, tokens, record)


@dataclass(slots=True)
class Appender:
    """The one writer of a sample file."""

    file: SampleFile
    stream: BinaryIO

    def add(self, record: dict[str, Any]) -> bool:
        """Write one completion; False where it is already there."""
        problem, sample = _key(record, str(self.file.path))
        if self.file.has(problem, sample):
            return False
        line = dump_record(record).encode()
        self.stream.write(line)
        self.stream.flush()
        self.file._note(problem, sample, self.file.whole_bytes)
        self.file.whole_bytes += len(line)
        return True

    def settle(self) -> None:
        """Make sure that what was written survives the machine."""
        os.fsync(self.stream.fileno())


def _key(record: dict[str, Any], place: str) -> tuple[str, int]:
    problem, sample = record.get("problem"), record.get("sample")
    if not isinstance(problem, dict) or not isinstance(problem.get("id"), str):
        raise InputError('"problem" must be a problem with its "id"', place=place, value=problem)
    if isinstance(sample, bool) or not isinstance(sample, int) or not 0 <= sample < 1_000_000:
        raise InputError('"sample" must be a whole number >= 0', place=place, value=sample)
    return problem["id"], sample


def _lock(stream: BinaryIO, path: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError("another process is writing to this file", place=path, remedy="wait for it to end") from None
