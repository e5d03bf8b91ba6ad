"""Stored completions in, scored records and a summary out. No model is asked.

Streams: a file of any length is scored in blocks and never held whole.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from setwise.errors import InputError
from setwise.matching import Matcher
from setwise.objectives import Objective
from setwise.problems import Problem
from setwise.records import Record, dump_record, problem_from_record, read_records, replacing
from setwise.scoring import Score, score_batch

BLOCK = 512


@dataclass(frozen=True, slots=True)
class Stored:
    """One completion read from a file."""

    place: str
    record: Record
    text: str
    problem: Problem
    finish_reason: str | None


@dataclass(slots=True)
class Summary:
    """Running sums over scored completions; `rows` turns them into what a table shows."""

    objective: Objective
    n: int = 0
    n_errors: int = 0
    n_strict: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    n_confidences: int = 0
    squared_error: float = 0.0

    def add(self, score: Score) -> None:
        """Count one completion. A failure of the machinery is counted as such and leaves every mean."""
        self.n += 1
        if score.reward is None:
            self.n_errors += 1
            return
        self.n_strict += score.strictly_valid
        reason = score.malformed.reason if score.malformed else score.repairs[0] if score.repairs else None
        if reason:
            self.reasons[str(reason)] += 1
        elif score.broken:
            self.rules[str(score.broken)] += 1
        for name in ("reward", "format", "correctness", "calibration", "distinct"):
            self.sums[name] += getattr(score, name)
        self.sums["n_correct"] += sum(score.labels)
        self.sums["pass@1"] += bool(score.labels) and score.labels[0]
        self.sums["pass@k"] += any(score.labels)
        for confidence, correct in zip(score.confidences, score.labels, strict=True):
            if confidence is not None:
                self.n_confidences += 1
                self.squared_error += (confidence - correct) ** 2

    def rows(self) -> list[tuple[str, float | None]]:
        """Each quantity with its mean over the completions the machinery could score."""
        scored, k = self.n - self.n_errors, self.objective.k
        mean = {name: total / scored for name, total in self.sums.items()} if scored else {}
        rows: list[tuple[str, float | None]] = [
            ("reward", mean.get("reward")),
            ("reward/format", mean.get("format")),
            ("reward/correctness", mean.get("correctness")),
        ]
        if self.objective.has_confidences:
            rows.append(("reward/calibration", mean.get("calibration")))
        rows += [
            ("strictly valid", self.n_strict / scored if scored else None),
            ("coverage (n_correct / K)", mean["n_correct"] / k if scored else None),
            ("n_correct", mean.get("n_correct")),
            ("pass@1 (first candidate)", mean.get("pass@1")),
            (f"pass@{k}", mean.get("pass@k")),
            ("uniqueness (distinct answers)", mean.get("distinct")),
        ]
        if self.objective.has_confidences:
            pooled = self.squared_error / self.n_confidences if self.n_confidences else None
            rows.append((f"Brier, pooled over {self.n_confidences} confidences", pooled))
        return rows


@dataclass(frozen=True, slots=True)
class Source:
    """Where stored completions are read from."""

    completions: str | Path
    problems: str | Path | None = None
    """A file of problems, where the completions name them by id only."""

    def read(self) -> Iterator[Stored]:
        known = None if self.problems is None else _problems_by_id(self.problems)
        for place, record in read_records(self.completions):
            if "completion" not in record:
                raise InputError('a line needs "completion", the text of the model', place=place, value=sorted(record))
            text = record["completion"]
            if not isinstance(text, str):
                raise InputError('"completion" must be a string', place=place, value=text)
            yield Stored(place, record, text, _problem(record, known, place), record.get("finish_reason"))


def score_file(
    source: Source,
    objective: Objective,
    out: str | Path,
    *,
    matcher: Matcher,
    strict: bool = True,
    on_progress: Callable[[int], None] = lambda scored: None,
    on_score: Callable[[Stored, Score], None] = lambda stored, score: None,
) -> Summary:
    """Score every completion of `source` into `out`, which appears only once all of it is done."""
    for read, what in ((source.completions, "completions"), (source.problems, "problems")):
        if read is not None and Path(out).resolve() == Path(read).resolve():
            raise InputError(f"the scored records would replace the {what}", place=out, remedy="choose another --out")
    summary = Summary(objective)
    with replacing(out) as stream:
        for block in _blocks(source.read()):
            for stored, score in zip(block, _scores(block, objective, matcher, strict), strict=True):
                summary.add(score)
                on_score(stored, score)
                stream.write(dump_record({**stored.record, "score": score_to_record(score)}))
            on_progress(summary.n)
        if not summary.n:
            raise InputError("there is no completion in this file", place=source.completions)
    return summary


def score_to_record(score: Score) -> Record:
    """A score as plain data; the evidence of each label included."""
    malformed = score.malformed and {"reason": score.malformed.reason, "detail": score.malformed.detail}
    return {
        "reward": score.reward,
        "format": score.format,
        "correctness": score.correctness,
        "calibration": score.calibration,
        "answers": score.answers,
        "labels": score.labels,
        "confidences": score.confidences,
        "matches": [{"correct": m.correct, "gold": m.gold, "evidence": m.evidence} for m in score.matches],
        "distinct": score.distinct,
        "malformed": malformed,
        "repairs": score.repairs,
        "broken": score.broken,
        "error": score.error,
    }


def _scores(block: list[Stored], objective: Objective, matcher: Matcher, strict: bool) -> list[Score]:
    try:
        return score_batch(
            [stored.text for stored in block],
            [stored.problem for stored in block],
            objective,
            matcher=matcher,
            strict=strict,
            finish_reasons=[stored.finish_reason for stored in block],
        )
    except InputError as error:
        places = {f"problem {stored.problem.id}": stored.place for stored in block}
        raise error.at(places.get(error.place, block[0].place)) from None


def _problem(record: Record, known: dict[str, Problem] | None, place: str) -> Problem:
    nested = record.get("problem")
    if isinstance(nested, dict):
        return problem_from_record({"id": record.get("id", place), **nested}, place)
    if known is None:
        if "question" in record or "golds" in record or "answers" in record or "tests" in record:
            return problem_from_record({"id": place, "question": "", **record}, place)
        remedy = "put it into the line, or give a file of problems with --problems"
        raise InputError('a completion needs its "problem"', place=place, value=sorted(record), remedy=remedy)
    name = str(record.get("problem", record.get("id")))
    if name not in known:
        raise InputError("no problem has this id", place=place, value=name, remedy="check --problems")
    return known[name]


def _problems_by_id(path: str | Path) -> dict[str, Problem]:
    known: dict[str, Problem] = {}
    for place, record in read_records(path):
        problem = problem_from_record(record, place)
        if problem.id in known:
            raise InputError("two problems have this id", place=place, value=problem.id)
        known[problem.id] = problem
    return known


def _blocks(items: Iterable[Stored]) -> Iterator[list[Stored]]:
    remaining = iter(items)
    while block := list(islice(remaining, BLOCK)):
        yield block
