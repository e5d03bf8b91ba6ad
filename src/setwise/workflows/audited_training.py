"""The completions of a training run (`run.log_completions`) as an audit reads them, step by step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from setwise.answers import AnswerSet
from setwise.audit.said import Asked, AuditedCompletion, Context
from setwise.errors import InputError, MissingDependency
from setwise.matching import Matcher, exact, named
from setwise.matching.code.text import extract_program
from setwise.matching.code.trees import tree_key
from setwise.matching.normalize import normalize
from setwise.matching.same import same_keys
from setwise.objectives import Objective
from setwise.parsing import parse
from setwise.prompting import lesson
from setwise.questions import Gold, Problem
from setwise.records.manifest import Manifest, manifest_in
from setwise.records.training_log import COMPLETIONS
from setwise.scoring import written_form
from setwise.workflows.audited_golds import is_cheap

UNKNOWN = "(none)"
"""Stands in for the golds of a question that nobody has answered right."""


@dataclass(frozen=True)
class TrainingSource:
    """A training run. Every group of samples in a step is a problem."""

    files: tuple[Path, ...]
    context: Context
    matcher: Matcher
    """Decides which answers are the same, except for programs. In place of one that starts a process, `exact`."""

    def golds(self) -> Iterator[tuple[Gold, ...]]:
        """The right answers given, since the table does not contain the golds; none for programs."""
        if not self.context.is_code:
            yield from filter(None, (_right(rows) for _, rows in self._rows()))

    def groups(self) -> Iterator[tuple[Asked, list[AuditedCompletion]]]:
        for number, (question, rows) in enumerate(self._rows()):
            name = f"step {rows[0]['step']}, prompt {number}"
            problem = Problem(name, question, _right(rows) or [UNKNOWN])
            yield Asked(name, question), [self._said(place, row, problem) for place, row in enumerate(rows)]

    def _rows(self) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        for file in self.files:
            for question, rows in groupby(_read(file), key=lambda row: _said_last(row["prompt"])):
                yield question, list(rows)

    def _said(self, place: int, row: dict[str, Any], problem: Problem) -> AuditedCompletion:
        text = _said_last(row["completion"])
        parsed = parse(text, self.context.objective, strict=False)
        if not isinstance(parsed, AnswerSet):
            return AuditedCompletion(sample=place, text=text, valid=False, step=row["step"])
        labels = _labels(row)
        programs = [extract_program(answer) for answer in parsed.answers] if self.context.is_code else []
        same = [] if programs else same_keys(self.matcher, parsed.answers, problem)
        return AuditedCompletion(
            sample=place,
            text=text,
            thinking=parsed.thinking,
            answers=parsed.answers,
            confidences=parsed.confidences if any(q is not None for q in parsed.confidences) else (),
            correct=labels if len(labels) == len(parsed.answers) else (),
            forms=[tree_key(program) for program in programs] or [written_form(key, problem) for key in same],
            canonical_forms=[tree_key(program, "ast_canonical") for program in programs],
            valid=not parsed.repairs,
            step=row["step"],
        )


def has_completions(folder: Path) -> bool:
    return any((folder / COMPLETIONS).glob("*.parquet"))


def training_source(folder: Path, name: str) -> TrainingSource:
    manifest = _manifest(folder, name)
    taught, matcher = manifest.taught[-1], manifest.task.get("matcher") or ""
    context = Context(name=name, objective=taught.objective, prompt=taught.system_prompt, matcher=matcher)
    files = tuple(sorted((folder / COMPLETIONS).glob("*.parquet")))
    return TrainingSource(files, context, named(matcher) if is_cheap(matcher) else exact)


def _manifest(folder: Path, name: str) -> Manifest:
    """How the run was trained. Older runs have it beside their models only, or not at all."""
    kept = Manifest.read((folder / COMPLETIONS).parent)
    if kept is not None:
        return kept
    try:
        return manifest_in(folder)
    except InputError:
        from setwise.reports.folders import read_training  # imported here, because an audit needs no report

        training = read_training(folder, name)
        if training is None:
            raise
        return Manifest(taught=(lesson(Objective(training.objective, training.k)),))


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


def _right(rows: Sequence[dict[str, Any]]) -> tuple[Gold, ...]:
    """The right answers in these rows. One that holds the mark between answers cannot be told from two."""
    found: dict[str, str] = {}
    for row in rows:
        answers, labels = _split(row["answers"]), _labels(row)
        if len(answers) == len(labels):
            right = (answer for answer, ok in zip(answers, labels, strict=True) if ok and answer.strip())
            found |= {normalize(answer): answer for answer in right}
    return tuple(map(Gold, found.values()))


def _split(text: str) -> list[str]:
    return text.split(" | ") if text else []


def _labels(row: dict[str, Any]) -> list[bool]:
    return [label == "right" for label in _split(row["labels"])]
