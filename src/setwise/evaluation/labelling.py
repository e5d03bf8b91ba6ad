"""The completions of a problem -> labelled attempts. Correctness comes from `scoring` and the task's matcher alone."""

import hashlib
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from setwise.answers import AnswerSet
from setwise.errors import InputError, MachineryError, SetwiseError
from setwise.evaluation.attempts import Attempt, Construction
from setwise.evaluation.metrics import ngram_overlaps
from setwise.evaluation.samples import Sample
from setwise.matching import Match, Matcher
from setwise.matching.code_text import extract_program
from setwise.matching.code_trees import tree_key
from setwise.objectives import Objective
from setwise.parsing import parse
from setwise.problems import Problem
from setwise.scoring import TRIES, Score, score_batch

CUT_OFF = "length"
COMPLETIONS_TOGETHER = 512
LONGEST_FORM = 200


@dataclass(slots=True)
class Labeller:
    """Turns samples into attempts; counts the ones it had to leave out."""

    objective: Objective
    construction: Construction
    k: int
    samples: int
    """Completions a problem must have to be complete."""
    matcher: Matcher
    left_out: Counter[str] = field(default_factory=Counter)
    first_failure: str = ""
    """Why the first set could not be judged."""

    def attempts(self, problems: Iterable[list[Sample]]) -> Iterator[Attempt]:
        """The attempts of one problem after another. A problem whose completions are not all there is left out."""
        whole_problems = (samples[: self.samples] for samples in problems if self._is_complete(samples))
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
        """What to say where every attempt was left out."""
        if unjudged := self.left_out["unjudged_attempts"]:
            return MachineryError(f"{place}: none of {unjudged} sets could be judged, first: {self.first_failure}")
        return InputError(
            f"no problem has its {self.samples} completions",
            place=place,
            remedy="the command of the run again asks for the rest",
        )

    def _is_complete(self, samples: list[Sample]) -> bool:
        complete = [sample.index for sample in samples[: self.samples]] == list(range(self.samples))
        if not complete:
            self.left_out["incomplete_problems"] += 1
        return complete

    def _of_problem(self, samples: list[Sample], scores: list[Score]) -> Iterator[Attempt]:
        overlaps = self._reasoning_overlaps(samples)
        size = {Construction.WRITTEN: 1, Construction.SAMPLED: self.k, Construction.VOTED: len(samples)}
        step = size[self.construction]
        for start in range(0, len(samples), step):
            part = slice(start, start + step)
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
        build = {
            Construction.WRITTEN: self._written,
            Construction.SAMPLED: self._sampled,
            Construction.VOTED: self._voted,
        }
        answers, correct, credited, confidences = build[self.construction](problem, scores)
        known = [sample.tokens for sample in samples if sample.tokens is not None]
        shared = [overlap for overlap in overlaps if overlap is not None]
        return Attempt(
            problem=problem.id,
            correct=tuple(correct),
            k=self.k,
            credited=tuple(credited),
            confidences=tuple(confidences),
            **self._forms(answers, problem),
            n_golds=problem.n_golds,
            regime=self.objective.regime,
            construction=self.construction,
            tokens=sum(known) if len(known) == len(samples) else None,
            completions=len(samples),
            strictly_valid=sum(map(self._strictly_valid, samples, scores)),
            truncated=sum(sample.finish_reason == CUT_OFF for sample in samples),
            malformed=Counter(str(each.malformed.reason) for each in scores if each.malformed),
            reasoning_overlap=sum(shared) / len(shared) if shared else None,
        )

    def _written(self, problem: Problem, scores: list[Score]) -> "_Set":
        [score] = scores
        credited = score.labels if problem.golds is not None else self._each_form_once(score.answers, score.labels)
        return score.answers, score.labels, credited, score.confidences if self.objective.has_confidences else []

    def _sampled(self, problem: Problem, scores: list[Score]) -> "_Set":
        """Every sample keeps its own label; credit is given to the set as a whole."""
        answered = [score for score in scores if score.answers]
        answers = [score.answers[0] for score in answered]
        correct = [score.labels[0] for score in answered]
        confidences = [score.confidences[0] for score in answered] if self.objective.has_confidences else []
        return answers, correct, self._credit(answers, correct, problem), confidences

    def _voted(self, problem: Problem, scores: list[Score]) -> "_Set":
        """The K most frequent answers, the earlier first among equals; a completion with no answer is a vote lost."""
        said = [score.answers[0] for score in scores if score.answers]
        forms = self.matcher.forms(said)
        first = dict(reversed(list(zip(forms, said, strict=True))))
        winners = Counter(forms).most_common(self.k)
        answers = [first[form] for form, _ in winners]
        credited = [match.correct for match in self._match(answers, problem)]
        return answers, credited, credited, [votes / len(scores) for _, votes in winners]

    def _credit(self, answers: list[str], correct: list[bool], problem: Problem) -> list[bool]:
        if problem.golds is not None:
            return [match.correct for match in self._match(answers, problem)]
        return self._each_form_once(answers, correct)

    def _each_form_once(self, answers: Sequence[str], correct: Sequence[bool]) -> list[bool]:
        """Without a list of golds (code) nothing else keeps a repeated right answer from counting twice."""
        seen: set[object] = set()
        credited = []
        for form, right in zip(self.matcher.forms(answers), correct, strict=True):
            credited.append(right and form not in seen)
            if right:
                seen.add(form)
        return credited

    def _match(self, answers: list[str], problem: Problem) -> list[Match]:
        for _ in range(TRIES - 1):
            try:
                return self.matcher.match(answers, problem)
            except MachineryError:
                continue
        return self.matcher.match(answers, problem)

    def _forms(self, answers: Sequence[str], problem: Problem) -> dict[str, tuple[str | None, ...]]:
        """What tells the answers apart, as text. Programs by their trees, and None for one that does not parse."""
        if problem.golds is not None:
            return {"forms": tuple(_short(form) for form in self.matcher.forms(answers))}
        programs = [extract_program(answer) for answer in answers]
        return {
            "forms": tuple(tree_key(program, "ast_raw") for program in programs),
            "canonical_forms": tuple(tree_key(program, "ast_canonical") for program in programs),
        }

    def _strictly_valid(self, sample: Sample, score: Score) -> bool:
        own = sample.record.get("own_text")
        if own is None:
            return score.strictly_valid
        asked = Objective(
            self.objective.name.replace("rlcr", "rlvr"), self.objective.k, think_opened=self.objective.think_opened
        )
        return isinstance(parse(own, asked), AnswerSet)

    def _reasoning_overlaps(self, samples: list[Sample]) -> list[float | None]:
        if len(samples) < 2:
            return [None] * len(samples)
        parsed = [parse(sample.text, self.objective, strict=False) for sample in samples]
        return ngram_overlaps([each.thinking if isinstance(each, AnswerSet) else "" for each in parsed])


_Set = tuple[list[str], list[bool], list[bool], Sequence[float | None]]


def labeller_of(sample: Sample, samples: int, matcher: Matcher, objective: Objective) -> Labeller:
    """The labeller that the record of one sample asks for."""
    record = sample.record
    try:
        return Labeller(objective, Construction(record["construction"]), record["k"], samples, matcher)
    except (KeyError, ValueError) as error:
        raise InputError(f"a sample record is not usable ({error})", place=f"problem {sample.problem.id}") from None


def _short(form: Hashable) -> str:
    """A form as text; a very long one by its hash."""
    text = form if isinstance(form, str) else repr(form)
    return text if len(text) <= LONGEST_FORM else hashlib.blake2b(text.encode("utf-8", "replace")).hexdigest()[:32]
