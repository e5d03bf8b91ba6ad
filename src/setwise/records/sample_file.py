"""`samples.jsonl`: append-only, one completion per line, found by question and sample number."""

import os
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from setwise.records.files import dump_record, naming, parse_record
from setwise.records.holding import hold
from setwise.records.sample import Sample, sample_key

_ABSENT = -1


@dataclass(slots=True)
class SampleFile:
    """Keeps the position of each completion in the file, but none of the texts."""

    path: Path
    offsets: dict[str, array] = field(default_factory=dict)
    """Per question, in the order first met, the byte offset of each sample."""
    duplicates: int = 0
    whole_bytes: int = 0
    """Where the last complete line ends. Anything after it was cut off while writing and is ignored."""

    @classmethod
    def opened(cls, path: Path) -> "SampleFile":
        file = cls(path)
        if path.exists():
            file._read_index()
        return file

    def has(self, question: str, sample: int) -> bool:
        known = self.offsets.get(question)
        return known is not None and sample < len(known) and known[sample] != _ABSENT

    def __len__(self) -> int:
        return sum(offset != _ABSENT for known in self.offsets.values() for offset in known)

    def by_question(self) -> Iterator[list[Sample]]:
        """The samples of one question at a time, each list in the order of sample numbers."""
        if not self.offsets:
            return
        with self.path.open("rb") as lines:
            for known in self.offsets.values():
                present = [(index, offset) for index, offset in enumerate(known) if offset != _ABSENT]
                yield list(self._read(lines, present))

    @contextmanager
    def appending(self) -> Iterator["Appender"]:
        """Add completions. A half-written last line is removed first. A second writer is refused."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with naming(self.path), self.path.open("ab") as stream:
            hold(stream.fileno(), self.path)
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
                self._note(*sample_key(record, place), self.whole_bytes)
                self.whole_bytes += len(line)

    def _note(self, question: str, sample: int | None, offset: int) -> None:
        """Record where a sample is. A sample without a number is the next one of its question."""
        known = self.offsets.setdefault(question, array("q"))
        place = len(known) if sample is None else sample
        known.extend([_ABSENT] * (place + 1 - len(known)))
        if known[place] != _ABSENT:
            self.duplicates += 1
            return
        known[place] = offset

    def _read(self, lines: BinaryIO, places: list[tuple[int, int]]) -> Iterator[Sample]:
        """The samples of one question. A problem repeated in every line is read once."""
        first, written = None, None
        for index, offset in places:
            lines.seek(offset)
            place = f"{self.path}, byte {offset}"
            record = parse_record(lines.readline(), place)
            like = first if record["problem"] == written else None
            sample = replace(Sample.from_record(record, place, like=like), index=index)
            if first is None:
                first, written = sample, record["problem"]
            yield sample


@dataclass(slots=True)
class Appender:
    """The only writer of a sample file."""

    file: SampleFile
    stream: BinaryIO

    def add(self, sample: Sample) -> bool:
        """Write one completion. Returns False if it is already there."""
        assert sample.index is not None, "what is kept has a number"
        if self.file.has(sample.id, sample.index):
            return False
        line = dump_record(sample.to_record()).encode()
        self.stream.write(line)
        self.stream.flush()
        self.file._note(sample.id, sample.index, self.file.whole_bytes)
        self.file.whole_bytes += len(line)
        return True

    def settle(self) -> None:
        """Make sure that what was written survives a crash of the machine."""
        os.fsync(self.stream.fileno())
