"""A run folder as an audit reads it: each completion parsed again, with the labels it was scored with."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from setwise.answers import AnswerSet, Malformed
from setwise.audit.said import Asked, AuditedCompletion, Context
from setwise.evaluation.analyses import by_problem
from setwise.matching.normalize import normalize
from setwise.objectives import Objective
from setwise.parsing import parse
from setwise.questions import Gold, Problem, Question
from setwise.records.attempt import Attempt, Construction
from setwise.records.files import parse_record
from setwise.records.run import RunFolder
from setwise.records.sample import Sample
from setwise.records.sample_file import SampleFile
from setwise.scoring import written_form
from setwise.workflows.verdicts import with_verdicts

Parsed = AnswerSet | Malformed


@dataclass(frozen=True)
class FolderSource:
    """The completions of an evaluation."""

    folder: RunFolder
    file: SampleFile
    context: Context
    construction: Construction
    k: int
    also_right: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By problem, right answers of other runs."""

    def golds(self) -> Iterator[tuple[Gold, ...]]:
        """The golds on record or, in an archive without rows, the right answers given."""
        known = False
        for asked in self.asked():
            if isinstance(asked, Problem) and asked.golds is not None:
                known = True
                yield asked.golds
        if not known and not self.context.is_code:
            for _, attempts in by_problem(self.folder.attempts()):
                if right := sorted(set().union(*(attempt.distinct_correct for attempt in attempts))):
                    yield tuple(map(Gold, right))

    def asked(self) -> Iterator[Problem | Question]:
        """Each question once, from the first line that asks it."""
        with self.folder.samples.open("rb") as lines:
            for known in self.file.offsets.values():
                lines.seek(next(offset for offset in known if offset >= 0))
                place = f"{self.folder.samples}, byte {lines.tell()}"
                yield Sample.from_record(parse_record(lines.readline(), place), place).asked

    def groups(self) -> Iterator[tuple[Asked, list[AuditedCompletion]]]:
        scored = by_problem(self.folder.attempts())
        upcoming = next(scored, None)
        for samples in self.file.by_question():
            attempts: list[Attempt] = []
            if upcoming is not None and upcoming[0] == samples[0].id:
                attempts = upcoming[1]
                upcoming = next(scored, None)
            asked = asked_of(samples[0], attempts, self.also_right.get(samples[0].id, frozenset()))
            yield asked, list(said_of(samples, attempts, self.context.objective, self.construction, self.k))


def right_answers(folders: Iterable[RunFolder]) -> dict[str, frozenset[str]]:
    """By problem, every right answer of these runs, by its form."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for folder in folders:
        for attempt in folder.attempts():
            found[attempt.problem].update(attempt.distinct_correct)
    return {problem: frozenset(forms) for problem, forms in found.items()}


def asked_of(sample: Sample, attempts: Sequence[Attempt], right: frozenset[str]) -> Asked:
    problem = sample.asked
    if not isinstance(problem, Problem):
        n_golds = attempts[0].n_golds if attempts else None
        return Asked(sample.id, sample.question.text, n_golds=n_golds, right_forms=right)
    return Asked(sample.id, problem.question.text, problem.golds, problem.tests, problem.reference)


def said_of(
    samples: Sequence[Sample], attempts: Sequence[Attempt], objective: Objective, construction: Construction, k: int
) -> Iterator[AuditedCompletion]:
    """Each completion with its labels, or without them if its attempt is not on record."""
    for part, attempt in with_verdicts(samples, attempts, construction, k):
        parsed = [parse(each.text, objective, strict=False, finish_reason=each.finish_reason) for each in part]
        yield from _labelled(part, parsed, attempt, construction)


def _labelled(
    samples: Sequence[Sample], parsed: Sequence[Parsed], attempt: Attempt | None, construction: Construction
) -> Iterator[AuditedCompletion]:
    counts = [len(each.answers) if isinstance(each, AnswerSet) else 0 for each in parsed]
    fits = attempt is not None and construction is not Construction.VOTED and len(attempt.correct) == sum(counts)
    start = 0
    for sample, own, count in zip(samples, parsed, counts, strict=True):
        part = slice(start, start + count)
        start += count
        labels = _labels(attempt, part) if fits and attempt is not None else _NO_LABELS
        yield _said(sample, own, labels)


class _Labels(NamedTuple):
    """What is on record about one completion's answers."""

    correct: Sequence[bool] = ()
    credited: Sequence[bool] = ()
    forms: Sequence[str | None] = ()
    canonical_forms: Sequence[str | None] = ()


_NO_LABELS = _Labels()


def _labels(attempt: Attempt, part: slice) -> _Labels:
    """The labels of one completion in an attempt. Each sample of a sampled set is credited by itself."""
    credited = attempt.correct if attempt.construction is Construction.SAMPLED else attempt.credited
    return _Labels(attempt.correct[part], credited[part], attempt.forms[part], attempt.canonical_forms[part])


def _said(sample: Sample, parsed: Parsed, labels: _Labels) -> AuditedCompletion:
    number = sample.index or 0
    if isinstance(parsed, Malformed):
        return AuditedCompletion(sample=number, text=sample.text, tokens=sample.tokens, valid=False)
    confidences = parsed.confidences
    return AuditedCompletion(
        sample=number,
        text=sample.text,
        thinking=parsed.thinking,
        answers=parsed.answers,
        confidences=confidences if any(q is not None for q in confidences) else (),
        correct=labels.correct,
        credited=labels.credited,
        forms=labels.forms if labels is not _NO_LABELS else _forms(parsed.answers, sample),
        canonical_forms=labels.canonical_forms,
        tokens=sample.tokens,
        valid=not parsed.repairs,
    )


def _forms(answers: Sequence[str], sample: Sample) -> list[str | None]:
    """If no form is on record, the normal form; programs then have none."""
    if isinstance(sample.asked, Problem):
        return [written_form(normalize(answer), sample.asked) for answer in answers]
    return [normalize(answer) for answer in answers]
