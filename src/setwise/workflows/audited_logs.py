"""Logs of other engines as an audit reads them: Inspect's `.eval` and `.json`, and `traces.jsonl` of verifiers.

Neither package is imported. Samples whose target is a ground truth of ours (`setwise.adapters`) are judged again by it.
For others, the target is the gold, the completion after its thinking is the answer, and the label is the log's.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from setwise.adapters.ground_truth import Grading, read_ground_truth
from setwise.answers import AnswerSet
from setwise.audit.said import Asked, AuditedCompletion, Context
from setwise.contract import CUT_OFF, THINK_CLOSE, THINK_OPEN
from setwise.errors import InputError
from setwise.matching import spec_of
from setwise.matching.normalize import normalize
from setwise.objectives import Objective
from setwise.questions import Gold, Problem
from setwise.scoring import Score, score_batch, written_form
from setwise.workflows.log_files import TRACES, LogEntry, read_log


@dataclass(frozen=True)
class LogSource:
    """A log, with its completions grouped by problem."""

    context: Context
    entries: Mapping[str, list[LogEntry]] = field(repr=False)

    def golds(self) -> Iterator[tuple[Gold, ...]]:
        for own in self.entries.values():
            golds = _problem(own[0]).golds
            if golds is not None:
                yield golds

    def groups(self) -> Iterator[tuple[Asked, list[AuditedCompletion]]]:
        for name, own in self.entries.items():
            problem = _problem(own[0])
            asked = Asked(name, own[0].question, problem.golds, problem.tests, problem.reference)
            yield asked, list(_said(own, problem))


def is_log(path: Path) -> bool:
    return path.suffix in (".eval", ".json") or path.name == TRACES or (path / TRACES).is_file()


def log_source(path: Path, name: str) -> LogSource:
    """The log at a path: a file, or a folder of verifiers."""
    file = path / TRACES if path.is_dir() else path
    entries: dict[str, list[LogEntry]] = {}
    for entry in read_log(file):
        entries.setdefault(entry.problem, []).append(entry)
    if not entries:
        raise InputError("the log holds no completion", place=path)
    first = next(iter(entries.values()))[0]
    grading = _grading(first)
    objective = grading.objective if grading else Objective("rlvr-single")
    matcher = spec_of(grading.matcher) or grading.matcher.name if grading else "log"
    return LogSource(Context(name=name, objective=objective, prompt=first.prompt, matcher=matcher), entries)


def _said(entries: list[LogEntry], problem: Problem) -> Iterator[AuditedCompletion]:
    grading = _grading(entries[0])
    if grading is None:
        yield from (_foreign(place, entry, problem) for place, entry in enumerate(entries))
        return
    finished = [CUT_OFF if entry.cut_off else "stop" for entry in entries]
    texts, problems = [entry.text for entry in entries], [problem] * len(entries)
    scores = score_batch(
        texts, problems, grading.objective, matcher=grading.matcher, strict=False, finish_reasons=finished
    )
    for place, (entry, score) in enumerate(zip(entries, scores, strict=True)):
        yield _judged(place, entry, score, problem)


def _judged(place: int, entry: LogEntry, score: Score, problem: Problem) -> AuditedCompletion:
    parsed = score.parsed
    return AuditedCompletion(
        sample=place,
        text=entry.text,
        thinking=parsed.thinking if isinstance(parsed, AnswerSet) else "",
        answers=score.answers,
        confidences=score.confidences if any(q is not None for q in score.confidences) else (),
        correct=score.labels,
        forms=[written_form(form, problem) for form in score.forms],
        tokens=entry.tokens,
        valid=score.strictly_valid,
    )


def _foreign(place: int, entry: LogEntry, problem: Problem) -> AuditedCompletion:
    thought, _, answer = entry.text.rpartition(THINK_CLOSE)
    shown = answer.strip()
    return AuditedCompletion(
        sample=place,
        text=entry.text,
        thinking=thought.replace(THINK_OPEN, ""),
        answers=[shown] if shown else [],
        correct=[] if entry.right is None or not shown else [entry.right],
        forms=[normalize(shown)] if shown else [],
        tokens=entry.tokens,
    )


def _grading(entry: LogEntry) -> Grading | None:
    if not isinstance(entry.target, str) or '"objective"' not in entry.target:
        return None
    return read_ground_truth(entry.target)


def _problem(entry: LogEntry) -> Problem:
    grading = _grading(entry)
    if grading is not None:
        return grading.problem
    targets = [entry.target] if isinstance(entry.target, str) else entry.target
    return Problem(entry.problem, entry.question, [target for target in targets if target.strip()] or ["(none)"])
