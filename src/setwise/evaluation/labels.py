"""The completions of a question -> labelled attempts. Correctness comes only from `scoring`."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from setwise.answers import AnswerSet
from setwise.errors import InputError, MachineryError, SetwiseError
from setwise.matching import Matcher
from setwise.matching.broken import name_broken
from setwise.matching.code.text import extract_program
from setwise.matching.code.trees import tree_key
from setwise.matching.same import each_form_once
from setwise.metrics.diversity import ngram_overlaps
from setwise.objectives import Objective
from setwise.parsing import parse
from setwise.questions import Problem
from setwise.records.attempt import Attempt, Construction
from setwise.records.sample import Sample
from setwise.scoring import Score, attempt_of, common_forms, credited_together, score_batch, written_form

COMPLETIONS_TOGETHER = 512


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """The candidates of one set with two kinds of labels: each on its own, and with repeats counted once."""

    answers: Sequence[str]
    correct: Sequence[bool]
    credited: Sequence[bool]
    forms: Sequence[Hashable]
    confidences: Sequence[float | None] = ()


@dataclass(slots=True)
class Labeller:
    """Turns samples into attempts, and counts those left out."""

    objective: Objective
    construction: Construction
    k: int
    samples: int
    """Completions that a complete problem has."""
    matcher: Matcher
    left_out: Counter[str] = field(default_factory=Counter)
    first_failure: str = ""
    """Why the first set could not be judged."""
    broken: dict[str, str] = field(default_factory=dict)
    """Why each broken problem is broken, by id. Its attempts are left out, including malformed ones."""

    def attempts(self, questions: Iterable[list[Sample]]) -> Iterator[Attempt]:
        """The attempts, problem by problem. Problems with missing completions are left out."""
        whole_problems = (samples[: self.samples] for samples in questions if self._is_complete(samples))
        while whole := list(islice(whole_problems, max(1, COMPLETIONS_TOGETHER // self.samples))):
            flat = [sample for samples in whole for sample in samples]
            scores = iter(
                score_batch(
                    [sample.text for sample in flat],
                    [sample.problem for sample in flat],
                    self.objective,
                    matcher=self.matcher,
                    strict=False,
                    finish_reasons=[sample.finish_reason for sample in flat],
                )
            )
            for samples in whole:
                yield from self._of_problem(samples, [next(scores) for _ in samples])

    def why_nothing(self, place: object) -> SetwiseError:
        """The message if every attempt was left out."""
        if self.broken and not self.left_out["unjudged_attempts"]:
            return MachineryError(f"{place}: there is nothing else to score, and {name_broken(self.broken)}")
        if unjudged := self.left_out["unjudged_attempts"]:
            return MachineryError(f"{place}: none of {unjudged} sets could be judged, first: {self.first_failure}")
        return InputError(
            f"no problem has its {self.samples} completions",
            place=place,
            remedy="run the same command again to ask for the rest",
        )

    def _is_complete(self, samples: list[Sample]) -> bool:
        complete = [sample.index for sample in samples[: self.samples]] == list(range(self.samples))
        if not complete:
            self.left_out["incomplete_problems"] += 1
        return complete

    def _of_problem(self, samples: list[Sample], scores: list[Score]) -> Iterator[Attempt]:
        broken = next((each.error for each in scores if each.broken_problem), None)
        if broken is not None:
            self.left_out["broken_problems"] += 1
            self.broken[samples[0].id] = broken
            return
        scores = self._with_common_forms(samples[0].problem, scores)
        overlaps = self._reasoning_overlaps(samples)
        for part in self.construction.parts(len(samples), self.k):
            unjudged = [each.error for each in scores[part] if each.error is not None]
            try:
                if unjudged:
                    raise MachineryError(unjudged[0])
                yield self._attempt(samples[part], scores[part], overlaps[part])
            except MachineryError as error:
                self.left_out["unjudged_attempts"] += 1
                self.first_failure = self.first_failure or str(error)

    def _attempt(self, samples: list[Sample], scores: list[Score], overlaps: list[float | None]) -> Attempt:
        problem = samples[0].problem
        known = [sample.tokens for sample in samples if sample.tokens is not None]
        cut_off = [sample.cut_off for sample in samples if sample.cut_off is not None]
        shared = [overlap for overlap in overlaps if overlap is not None]
        return replace(
            self._labelled(problem, scores),
            tokens=sum(known) if len(known) == len(samples) else None,
            completions=len(samples),
            strictly_valid=sum(map(self._strictly_valid, samples, scores)),
            truncated=sum(cut_off) if len(cut_off) == len(samples) else None,
            malformed=Counter(str(each.malformed.reason) for each in scores if each.malformed),
            reasoning_overlap=sum(shared) / len(shared) if shared else None,
        )

    def _labelled(self, problem: Problem, scores: list[Score]) -> Attempt:
        if self.construction is Construction.WRITTEN:
            [score] = scores
            attempt = attempt_of(score, problem, self.objective)
            return _with_programs(attempt, score.answers, problem, scores)
        build = self._sampled if self.construction is Construction.SAMPLED else self._voted
        found = build(problem, scores)
        attempt = Attempt(
            problem=problem.id,
            correct=tuple(found.correct),
            k=self.k,
            credited=tuple(found.credited),
            confidences=tuple(found.confidences),
            forms=tuple(written_form(form, problem) for form in found.forms),
            n_golds=problem.n_golds,
            regime=self.objective.regime,
            construction=self.construction,
        )
        return _with_programs(attempt, found.answers, problem, scores)

    def _sampled(self, problem: Problem, scores: list[Score]) -> LabelledSet:
        """Each sample keeps its own label; credit is given to the set as a whole."""
        answered = [score for score in scores if score.answers]
        answers = [score.answers[0] for score in answered]
        correct = [score.labels[0] for score in answered]
        forms = [score.forms[0] for score in answered]
        confidences = [score.confidences[0] for score in answered] if self.objective.confidences else []
        if problem.golds is not None:
            credited = credited_together(answers, forms, problem, self.matcher)
        else:
            credited = each_form_once(forms, correct)
        return LabelledSet(answers, correct, credited, forms, confidences)

    def _voted(self, problem: Problem, scores: list[Score]) -> LabelledSet:
        """The K most frequent answers; among equals, the earlier ones. A completion without an answer is a lost
        vote."""
        said = [(score.forms[0], score.answers[0]) for score in scores if score.answers]
        first = dict(reversed(said))
        winners = Counter(form for form, _ in said).most_common(self.k)
        forms = [form for form, _ in winners]
        answers = [first[form] for form in forms]
        credited = credited_together(answers, forms, problem, self.matcher)
        return LabelledSet(answers, credited, credited, forms, [votes / len(scores) for _, votes in winners])

    def _with_common_forms(self, problem: Problem, scores: list[Score]) -> list[Score]:
        """All answers to a problem compared at once, because the forms within one completion need not fit those of
        another.

        Programs are compared by their trees, not with each other.
        """
        if problem.golds is None or len(scores) == 1:
            return scores
        judged = [score for score in scores if score.error is None]
        answers = [answer for score in judged for answer in score.answers]
        try:
            forms = iter(common_forms(answers, problem, self.matcher))
        except MachineryError as error:
            return [replace(each, error=each.error or f"{type(error).__name__}: {error}") for each in scores]
        return [replace(s, forms=[next(forms) for _ in s.answers]) if s.error is None else s for s in scores]

    def _strictly_valid(self, sample: Sample, score: Score) -> bool:
        if sample.own_text is None:
            return score.strictly_valid
        return isinstance(parse(sample.own_text, self.objective.without_confidences()), AnswerSet)

    def _reasoning_overlaps(self, samples: list[Sample]) -> list[float | None]:
        if len(samples) < 2:
            return [None] * len(samples)
        parsed = [parse(sample.text, self.objective, strict=False) for sample in samples]
        return ngram_overlaps([each.thinking if isinstance(each, AnswerSet) else "" for each in parsed])


def _with_programs(attempt: Attempt, answers: Sequence[str], problem: Problem, scores: Sequence[Score]) -> Attempt:
    """With what distinguishes programs: their trees, raw and canonical, whatever the matcher's uniqueness is, and the
    tests that each passed."""
    if problem.golds is not None:
        return attempt
    programs = [extract_program(answer) for answer in answers]
    tests = len(problem.tests)
    passed = {
        answer: tests if match.correct else match.passed.bit_count()
        for score in scores
        for answer, match in zip(score.answers, score.matches, strict=True)
    }
    return replace(
        attempt,
        forms=tuple(tree_key(program, "ast_raw") for program in programs),
        canonical_forms=tuple(tree_key(program, "ast_canonical") for program in programs),
        passed=tuple(passed[answer] for answer in answers),
        tests=tests,
    )
