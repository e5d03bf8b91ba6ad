"""Scores stored completions into records and a summary. Asks no model.

Streams: a file of any length is scored in blocks and never held in memory.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from setwise.errors import InputError
from setwise.matching import Matcher
from setwise.metrics import Metric, attempt_metrics
from setwise.objectives import Objective
from setwise.questions import Problem
from setwise.records.files import Record, dump_record, read_records, replacing
from setwise.records.problem import problem_from_record
from setwise.records.sample import Sample
from setwise.records.score import Score
from setwise.rewards import terms_of
from setwise.scoring import attempt_of, score_batch

BLOCK = 512
SUMMARISED = ("strictly_valid", "coverage", "n_correct", "pass_at_1", "pass_at_k", "uniqueness")
"""Shown after the reward and its terms; metrics of installed packages follow."""


@dataclass(frozen=True, slots=True)
class StoredSample:
    """One completion read from a file, with its line."""

    place: str
    record: Record
    sample: Sample

    @property
    def problem(self) -> Problem:
        try:
            return self.sample.problem
        except InputError as error:
            raise error.at(self.place) from None


@dataclass(slots=True)
class Summary:
    """Running sums over scored completions; `rows` turns them into a table."""

    objective: Objective
    n: int = 0
    n_errors: int = 0
    n_left_out: int = 0
    """Completions of broken problems."""
    broken: dict[str, str] = field(default_factory=dict)
    """Why each broken problem is broken, by id."""
    reasons: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    sums: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    times: Counter[str] = field(default_factory=Counter)
    metrics: list[Metric] = field(default_factory=lambda: [each for each in attempt_metrics() if each.logged])

    def __post_init__(self) -> None:
        known = {metric.key for metric in self.metrics}
        self.metrics += [each for each in attempt_metrics() if each.key in SUMMARISED and each.key not in known]

    def add(self, score: Score, sample: Sample) -> None:
        """Count one completion. If it could not be scored, or its problem is broken, it enters no mean."""
        self.n += 1
        if score.broken_problem:
            self.n_left_out += 1
            self.broken[sample.id] = score.error or ""
            return
        if score.reward is None:
            self.n_errors += 1
            return
        reason = score.malformed.reason if score.malformed else score.repairs[0] if score.repairs else None
        if reason:
            self.reasons[str(reason)] += 1
        elif score.violated:
            self.rules[str(score.violated)] += 1
        self._add("reward", score.reward)
        for name, value in score.terms.items():
            self._add(f"reward/{name}", value)
        attempt = attempt_of(score, sample.problem, self.objective, tokens=sample.tokens, cut_off=sample.cut_off)
        for metric in self.metrics:
            if (value := metric(attempt)) is not None:
                self._add(metric.key, value)
        for confidence, correct in zip(score.confidences, score.labels, strict=True):
            if confidence is not None:
                self._add("brier", (confidence - correct) ** 2)

    def rows(self) -> list[tuple[str, float | None]]:
        """Each quantity with its mean over the completions that could be scored."""
        names = ["reward", *(f"reward/{term.name}" for term, _ in terms_of(self.objective)), *SUMMARISED]
        names += [metric.key for metric in self.metrics if metric.key not in names and self.times[metric.key]]
        rows = [(name, self._mean(name)) for name in names]
        if self.objective.confidences:
            rows.append((f"Brier, pooled over {self.times['brier']} confidences", self._mean("brier")))
        return rows

    def _add(self, name: str, value: float) -> None:
        self.sums[name] += value
        self.times[name] += 1

    def _mean(self, name: str) -> float | None:
        return self.sums[name] / self.times[name] if self.times[name] else None


@dataclass(frozen=True, slots=True)
class Source:
    """Where stored completions are read from."""

    completions: str | Path
    problems: str | Path | None = None
    """A file of problems, if the completions name them only by id."""

    def read(self) -> Iterator[StoredSample]:
        known = None if self.problems is None else _problems_by_id(self.problems)
        for place, record in read_records(self.completions):
            sample = Sample.from_record(record, place)
            yield StoredSample(place, record, sample if known is None else _with_problem(sample, known, place))


def score_file(
    source: Source,
    objective: Objective,
    out: str | Path,
    *,
    matcher: Matcher,
    strict: bool = True,
    on_progress: Callable[[int], None] = lambda scored: None,
    on_score: Callable[[StoredSample, Score], None] = lambda stored, score: None,
) -> Summary:
    """Score every completion of `source` into `out`, which appears only once all of it is done."""
    for read, what in ((source.completions, "completions"), (source.problems, "problems")):
        if read is not None and Path(out).resolve() == Path(read).resolve():
            raise InputError(f"the scored records would replace the {what}", place=out, remedy="choose another --out")
    summary = Summary(objective)
    with replacing(out) as stream:
        for block in _blocks(source.read()):
            for stored, score in zip(block, _scores(block, objective, matcher, strict), strict=True):
                summary.add(score, stored.sample)
                on_score(stored, score)
                stream.write(dump_record({**stored.record, "score": score.to_record()}))
            on_progress(summary.n)
        if not summary.n:
            raise InputError("there is no completion in this file", place=source.completions)
    return summary


def _scores(block: list[StoredSample], objective: Objective, matcher: Matcher, strict: bool) -> list[Score]:
    problems = [stored.problem for stored in block]
    try:
        return score_batch(
            [stored.sample.text for stored in block],
            problems,
            objective,
            matcher=matcher,
            strict=strict,
            finish_reasons=[stored.sample.finish_reason for stored in block],
        )
    except InputError as error:
        places = {f"problem {stored.sample.id}": stored.place for stored in reversed(block)}
        raise error.at(places.get(error.place, block[0].place)) from None


def _with_problem(sample: Sample, known: dict[str, Problem], place: str) -> Sample:
    """The completion with the problem of its id. A problem in its own line is used as it is."""
    if isinstance(sample.asked, Problem):
        return sample
    if sample.id not in known:
        raise InputError("no problem has this id", place=place, value=sample.id, remedy="check --problems")
    return replace(sample, asked=known[sample.id])


def _problems_by_id(path: str | Path) -> dict[str, Problem]:
    known: dict[str, Problem] = {}
    for place, record in read_records(path):
        problem = problem_from_record(record, place)
        if problem.id in known:
            raise InputError("two problems have this id", place=place, value=problem.id)
        known[problem.id] = problem
    return known


def _blocks(items: Iterable[StoredSample]) -> Iterator[list[StoredSample]]:
    remaining = iter(items)
    while block := list(islice(remaining, BLOCK)):
        yield block
