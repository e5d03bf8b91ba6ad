"""The log of a training run: `log.jsonl`, one line per logged step, and `alarms.jsonl`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setwise.records.files import Record, dump_record, naming, parse_record, replacing

LOG, ALARMS = "log.jsonl", "alarms.jsonl"
COMPLETIONS = Path("checkpoints") / "completions"
"""Where TRL writes the completions of each logged step, if asked to. Our manifest lies beside this folder, in which
readers of Parquet expect nothing else."""
_VERSION_1_NAMES = {
    "set/coverage": "coverage",
    "set/pass_at_1": "pass_at_1",
    "set/pass_at_k": "pass_at_k",
    "set/distinct": "uniqueness",
    "parse/valid": "strictly_valid",
    "length/tokens": "tokens",
    "length/truncated": "truncated",
}
"""Before version 2, the log had its own names for the metrics of evaluation."""

Step = Mapping[str, float]
"""The metrics of one logged step by name, including `step`."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """One sign of trouble, and when it was first seen."""

    name: str
    step: int
    message: str

    def to_record(self) -> Record:
        return {"step": self.step, "alarm": self.name, "message": self.message}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Alarm":
        return cls(record["alarm"], record["step"], record["message"])


@dataclass(frozen=True, slots=True)
class TrainingLog:
    """The two files in a run's folder."""

    folder: Path

    @property
    def exists(self) -> bool:
        return (self.folder / LOG).is_file()

    def steps(self) -> list[Step]:
        return [_numbers(record) for record in _whole_records(self.folder / LOG) if "step" in record]

    def alarms(self) -> list[Alarm]:
        return [Alarm.from_record(record) for record in _whole_records(self.folder / ALARMS)]

    def add_step(self, step: int, metrics: Mapping[str, float]) -> None:
        self._append(LOG, {"step": step, **metrics})

    def add_alarm(self, alarm: Alarm) -> None:
        self._append(ALARMS, alarm.to_record())

    def forget_after(self, step: int) -> list[Step]:
        """Cut back to a checkpoint's step, so that a resumed run logs no step twice. Returns the remaining steps."""
        for name in (ALARMS, LOG):
            if (self.folder / name).is_file():
                kept = [record for record in _whole_records(self.folder / name) if record["step"] <= step]
                with replacing(self.folder / name) as stream:
                    stream.writelines(dump_record(record) for record in kept)
        return self.steps()

    def _append(self, name: str, record: Mapping[str, Any]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / name
        with naming(file), file.open("a", encoding="utf-8") as stream:
            stream.write(dump_record(record))


def _whole_records(path: Path) -> Iterator[Record]:
    """Every complete record. A half line at the end, which a killed run leaves, is ignored."""
    if not path.is_file():
        return
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.endswith(b"\n"):
                yield parse_record(line, f"{path}:{number}")


def _numbers(record: Mapping[str, Any]) -> Step:
    old = record.get("schema") == 1
    return {
        _VERSION_1_NAMES.get(name, name) if old else name: float(value)
        for name, value in record.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and name != "schema"
    }
