"""What every run answered to every problem, as a report's reader shows it: parsed again, with the scored labels."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from setwise.answers import AnswerSet, Malformed
from setwise.evaluation.analyses import by_problem
from setwise.metrics import solved
from setwise.objectives import Objective
from setwise.parsing import parse
from setwise.questions import Problem
from setwise.records.attempt import Attempt, Construction
from setwise.records.run import AskedTask, RunFolder
from setwise.records.sample import Sample
from setwise.records.sample_file import SampleFile
from setwise.reports.alignment import Stream, aligned
from setwise.reports.exhibits import Pair, Said
from setwise.reports.inputs import ProblemText, Run, ShownAnswer, ShownProblem, ShownRun, ShownSet
from setwise.workflows.verdicts import with_verdicts


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A run folder, read once for its metrics and reopened for its texts."""

    folder: RunFolder
    run: Run
    file: SampleFile
    objective: Objective
    task: AskedTask
    """What was asked, as far as on record."""
    problems: frozenset[str]
    """The problems that were scored."""
    said: dict[str, Said]
    chains: list[Pair]
    right: dict[str, float]
    """By problem, the mean number of right answers in a set."""


def read_problems(
    groups: list[tuple[str, list[LoadedRun]]], on_progress: Callable[[int], None]
) -> Iterator[ShownProblem]:
    """Every problem with each run's answers, one at a time. The runs of a dataset come under its title."""
    first, done = 0, 0
    for title, loaded in groups:
        streams = [
            Stream(_shown(each, first + place), frozenset(each.file.offsets)) for place, each in enumerate(loaded)
        ]
        for _, found in aligned(streams):
            sample = next(iter(found.values()))[0]
            shown = [said for _, said in found.values()]
            yield ShownProblem(title, sample.id, sample.question.text, _right(sample), shown)
            done += 1
            on_progress(done)
        first += len(loaded)


def read_one(loaded: LoadedRun, problem: str) -> tuple[ProblemText, ShownSet]:
    """One scored problem, and the first set that a run gave for it."""
    only = replace(loaded.file, offsets={problem: loaded.file.offsets[problem]})
    [(_, (sample, shown))] = _shown(replace(loaded, file=only), 0, problem)
    return ProblemText(problem, sample.question.text, _right(sample)), shown.sets[0]


def _right(sample: Sample) -> list[str]:
    """What counts as right, if on record: golds, or the tests of a program."""
    if not isinstance(sample.asked, Problem):
        return []
    golds = sample.asked.golds
    return [gold.text for gold in golds] if golds is not None else list(sample.asked.tests)


def _shown(loaded: LoadedRun, place: int, only: str | None = None) -> Iterator[tuple[str, tuple[Sample, ShownRun]]]:
    """What one run answered to each scored problem, or to one of them."""
    attempts = loaded.folder.attempts()
    scored = by_problem(attempts if only is None else (each for each in attempts if each.problem == only))
    upcoming = next(scored, None)
    for samples in loaded.file.by_question():
        problem = samples[0].id
        if upcoming is None or upcoming[0] != problem:
            continue
        attempts = upcoming[1]
        upcoming = next(scored, None)
        yield problem, (samples[0], ShownRun(place, solved(attempts), list(_sets(loaded, samples, attempts))))


def _sets(loaded: LoadedRun, samples: list[Sample], attempts: list[Attempt]) -> Iterator[ShownSet]:
    construction = Construction(loaded.run.construction)
    for part, attempt in with_verdicts(samples, attempts, construction, loaded.run.k):
        parsed = [parse(each.text, loaded.objective, strict=False, finish_reason=each.finish_reason) for each in part]
        reasons = dict.fromkeys(chain.from_iterable(map(_reasons, parsed)))
        known = [each.tokens for each in part if each.tokens is not None]
        reasoning = [
            each.thinking if isinstance(each, AnswerSet) else sample.text
            for sample, each in zip(part, parsed, strict=True)
        ]
        answers = _voted(attempt) if construction == Construction.VOTED else _answers(parsed, attempt)
        yield ShownSet(answers, list(reasons), sum(known) if len(known) == len(part) else None, reasoning)


def _reasons(parsed: AnswerSet | Malformed) -> list[str]:
    if isinstance(parsed, Malformed):
        return [str(parsed.reason)]
    return [f"repaired: {reason}" for reason in parsed.repairs]


def _answers(parsed: Sequence[AnswerSet | Malformed], attempt: Attempt | None) -> list[ShownAnswer]:
    candidates = [each for one in parsed if isinstance(one, AnswerSet) for each in one.candidates]
    if attempt is None or len(attempt.correct) != len(candidates):
        return [ShownAnswer(each.text, each.confidence) for each in candidates]
    credited = attempt.credited or attempt.correct
    return [
        ShownAnswer(each.text, each.confidence, right, repeated=right and not earned)
        for each, right, earned in zip(candidates, attempt.correct, credited, strict=True)
    ]


def _voted(attempt: Attempt | None) -> list[ShownAnswer]:
    if attempt is None:
        return []
    rows = zip(attempt.forms, attempt.confidences, attempt.correct, strict=True)
    return [ShownAnswer(form or "", confidence, right) for form, confidence, right in rows]
