"""An evaluation in its folder: `config.json`, `samples.jsonl`, `scores.jsonl`, `metrics.json`.

Generation only appends to `samples.jsonl`. Scoring only reads it and rewrites the other two. Either can be repeated.
"""

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setwise.errors import InputError, show
from setwise.objectives import Objective, Regime
from setwise.records.attempt import Attempt
from setwise.records.files import Record, read_json, read_records, write_json
from setwise.records.measured import RunMetrics
from setwise.records.method import Method
from setwise.records.objective import objective_from_record, objective_to_record

RESCORABLE = ("matcher", "task.problems", "task.name", "task.kind", "task.path", "task.source")
"""What may differ when a folder is used again, because it concerns scoring and not what the model was asked. The
fingerprint covers a task's name and the place of its files."""

JUDGE = "judge"
"""The matcher's name if a model judges: written `judge:MODEL`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTask:
    """The problems of a run, as far as its config records them."""

    name: str
    """Its name in tables and headings."""
    regime: Regime
    fingerprint: str | None = None
    problems: int | None = None
    """How many there are."""
    settings: Mapping[str, Any]
    """How the task was loaded: its kind, path, source, split, limit, seed and options."""

    @property
    def kind(self) -> str:
        """The value of `--task`; in older records, the name."""
        return self.settings.get("kind") or self.name

    @property
    def source(self) -> str | None:
        """Identity of the data, the same on every machine; None if not on record."""
        return self.settings.get("source")

    def to_record(self) -> Record:
        last = {"regime": str(self.regime), "fingerprint": self.fingerprint, "problems": self.problems}
        return {"name": self.name, **self.settings, **last}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "AskedTask":
        own = {name: record.get(name) for name in ("name", "regime", "fingerprint", "problems")}
        settings = {name: value for name, value in record.items() if name not in own}
        return cls(**{**own, "regime": Regime(record["regime"])}, settings=settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """Everything that determines what a model is asked, in a form in which two runs can be compared."""

    task: AskedTask
    model: str
    method: Method
    objective: Objective
    """The format in which completions are read."""
    sampling: Mapping[str, Any]
    prompt_fingerprint: str
    matcher: str
    """What judges the run, with its options: `exact`, `fuzzy:85`, `judge:MODEL`, `module:name`."""

    def to_record(self) -> Record:
        return {
            "task": self.task.to_record(),
            "model": self.model,
            "method": self.method.to_record(),
            "objective": objective_to_record(self.objective),
            "sampling": dict(self.sampling),
            "prompt_fingerprint": self.prompt_fingerprint,
            "matcher": self.matcher,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], place: object = "") -> "RunConfig":
        try:
            return cls(
                task=AskedTask.from_record(record["task"]),
                model=record["model"],
                method=Method.from_record(record["method"]),
                objective=objective_from_record(record["objective"], place),
                sampling=record["sampling"],
                prompt_fingerprint=record["prompt_fingerprint"],
                matcher=record.get("matcher", "exact"),
            )
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"the file lacks what setwise eval writes ({error})", place=place) from None


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of an evaluation."""

    path: Path

    @property
    def config(self) -> Path:
        return self.path / "config.json"

    @property
    def samples(self) -> Path:
        return self.path / "samples.jsonl"

    @property
    def scores(self) -> Path:
        return self.path / "scores.jsonl"

    @property
    def metrics(self) -> Path:
        return self.path / "metrics.json"

    @property
    def is_scored(self) -> bool:
        return self.metrics.is_file() and self.scores.is_file()

    def require_scored(self) -> None:
        if self.is_scored:
            return
        if self.samples.is_file():
            raise InputError("the run is not scored", place=self.path, remedy=self.rescoring())
        raise InputError(
            "a run folder holds metrics.json and scores.jsonl", place=self.path, remedy="setwise eval makes one"
        )

    def rescoring(self, matcher: str = "") -> str:
        """The command that scores the run again, with this matcher if one is given.

        >>> RunFolder(Path("runs/my run")).rescoring("judge:openai:gpt")
        "setwise eval --out 'runs/my run' --rescore --matcher judge --judge openai:gpt"
        """
        kind, _, model = matcher.partition(":")
        words = ["setwise", "eval", "--out", str(self.path), "--rescore"]
        if matcher:
            words += ["--matcher", JUDGE, "--judge", model] if kind == JUDGE and model else ["--matcher", matcher]
        return shlex.join(words)

    def read_config(self) -> RunConfig:
        return RunConfig.from_record(read_json(self.config), self.config)

    def fingerprint(self) -> str | None:
        """The task's fingerprint; None if not on record."""
        return self.read_config().task.fingerprint if self.config.is_file() else None

    def read_metrics(self) -> RunMetrics:
        """The metrics of a scored run."""
        return RunMetrics.read(self.metrics, self.rescoring())

    def judged_by(self, matcher: str) -> None:
        """Record in the config what judged the run, if that differs."""
        config = read_json(self.config) if self.config.is_file() else {}
        if config and config.get("matcher") != matcher:
            write_json(self.config, {**config, "matcher": matcher})

    def attempts(self) -> Iterator[Attempt]:
        """The scored attempts, problem by problem."""
        for place, record in read_records(self.scores):
            yield Attempt.from_record(record, place)

    def claim(self, config: RunConfig) -> None:
        """Make this the run's folder, or check that it already is. A folder of another run is refused, with the
        difference."""
        started = self.samples.exists() and self.samples.stat().st_size > 0
        if not started:
            write_json(self.config, config.to_record())
            return
        if not self.config.exists():
            raise InputError("the folder holds samples but no config.json", place=self.path, remedy="use another one")
        changed = differences(self.read_config().to_record(), config.to_record())
        if changed:
            raise InputError(
                f"the folder holds a run with other settings ({'; '.join(changed)})",
                place=self.path,
                remedy="use another --out, or delete the folder",
            )


def differences(old: Mapping[str, Any], new: Mapping[str, Any], passed_over: Collection[str] = RESCORABLE) -> list[str]:
    """Settings that differ, one phrase each.

    >>> differences({"a": {"b": 1}}, {"a": {"b": 2}})
    ['a.b was 1, is 2']
    """
    before, after = dict(_leaves(old)), dict(_leaves(new))
    return [
        f"{name} was {show(before.get(name))}, is {show(after.get(name))}"
        for name in dict.fromkeys((*before, *after))
        if before.get(name) != after.get(name) and name not in passed_over
    ]


def _leaves(tree: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def names_of(folders: Sequence[Path]) -> list[str]:
    """Names for runs side by side: the last part of each path, and as many before it as needed to tell them apart.

    >>> names_of([Path("s0/eval/multi"), Path("s0/train/multi"), Path("s0/eval/single")])
    ['eval/multi', 'train/multi', 'single']
    """
    paths = [folder.resolve() for folder in folders]
    if len(set(paths)) < len(paths):
        raise InputError("each run must be given once", value=[str(folder) for folder in folders])
    return [next(tail for tail in _tails(path) if sum(tail in _tails(other) for other in paths) == 1) for path in paths]


def _tails(path: Path) -> list[str]:
    """Every suffix of a path, shortest first."""
    return [str(Path(*path.parts[-size:])) for size in range(1, len(path.parts) + 1)]
