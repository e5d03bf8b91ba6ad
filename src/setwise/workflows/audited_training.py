"""The completions of a training run (`run.log_completions`) as an audit reads them, step by step."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from setwise.answers import AnswerSet
from setwise.audit.said import Asked, AuditedCompletion, Context
from setwise.errors import InputError, MissingDependency
from setwise.matching.normalize import normalize
from setwise.objectives import Objective
from setwise.parsing import parse
from setwise.prompting import system_prompt
from setwise.questions import Gold
from setwise.records.manifest import manifest_in

FOLDER = Path("checkpoints") / "completions"


@dataclass(frozen=True)
class TrainingSource:
    """A training run. Every group of samples in a step is a problem."""

    files: tuple[Path, ...]
    context: Context

    def golds(self) -> Iterator[tuple[Gold, ...]]:
        """The right answers given, since the table does not contain the golds."""
        for _, rows in self._rows():
            right = {a: None for row in rows for a, ok in zip(_split(row["answers"]), _labels(row), strict=False) if ok}
            if right:
                yield tuple(Gold(text) for text in right if text.strip())

    def groups(self) -> Iterator[tuple[Asked, list[AuditedCompletion]]]:
        for number, (question, rows) in enumerate(self._rows()):
            yield (
                Asked(f"step {rows[0]['step']}, prompt {number}", question),
                [self._said(place, row) for place, row in enumerate(rows)],
            )

    def _rows(self) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        for file in self.files:
            for question, rows in groupby(_read(file), key=lambda row: _said_last(row["prompt"])):
                yield question, list(rows)

    def _said(self, place: int, row: dict[str, Any]) -> AuditedCompletion:
        text = _said_last(row["completion"])
        parsed = parse(text, self.context.objective, strict=False)
        if not isinstance(parsed, AnswerSet):
            return AuditedCompletion(sample=place, text=text, valid=False, step=row["step"])
        labels = _labels(row)
        return AuditedCompletion(
            sample=place,
            text=text,
            thinking=parsed.thinking,
            answers=parsed.answers,
            confidences=parsed.confidences if any(q is not None for q in parsed.confidences) else (),
            correct=labels if len(labels) == len(parsed.answers) else (),
            forms=[normalize(answer) for answer in parsed.answers],
            valid=not parsed.repairs,
            step=row["step"],
        )


def has_completions(folder: Path) -> bool:
    return any((folder / FOLDER).glob("*.parquet"))


def training_source(folder: Path, name: str) -> TrainingSource:
    objective = _objective(folder, name)
    context = Context(name=name, objective=objective, prompt=system_prompt(objective))
    return TrainingSource(tuple(sorted((folder / FOLDER).glob("*.parquet"))), context)


def _objective(folder: Path, name: str) -> Objective:
    try:
        return manifest_in(folder).taught[-1].objective
    except InputError:
        from setwise.reports.folders import read_training  # imported here, because an audit needs no report

        training = read_training(folder, name)
        if training is None:
            raise
        return Objective(training.objective, training.k)


def _read(file: Path) -> list[dict[str, Any]]:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingDependency("the completions of a training", package="pyarrow", extra="data") from None
    wanted = ("step", "prompt", "completion", "answers", "labels")
    table = parquet.read_table(file)
    lacking = [column for column in wanted if column not in table.column_names]
    if lacking:
        raise InputError("the file lacks what setwise train logs", place=file, value=lacking)
    return table.select(list(wanted)).to_pylist()


def _said_last(chat: Any) -> str:
    """The content of the last message in a chat; plain text is returned as it is."""
    return chat if isinstance(chat, str) else str(chat[-1]["content"]) if chat else ""


def _split(text: str) -> list[str]:
    return text.split(" | ") if text else []


def _labels(row: dict[str, Any]) -> list[bool]:
    return [label == "right" for label in _split(row["labels"])]
