"""The paper's analyses of one run: what a larger budget finds, how the number of golds matters, where the tokens go."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from setwise.metrics.diversity import rarefaction_curve
from setwise.records.attempt import Attempt, Construction


@dataclass(frozen=True, slots=True)
class Draws:
    """Everything sampled for one problem: per completion, the set of answers and the set of right ones.

    The unit is the completion: K answers written together are drawn together.
    """

    answers: list[set[str]]
    correct: list[set[str]]

    def curves(self) -> list[tuple[float, float]]:
        """Expected distinct and distinct correct answers in 1, 2, ... completions."""
        return list(zip(rarefaction_curve(self.answers), rarefaction_curve(self.correct), strict=True))


def draws_of(attempts: Iterable[Attempt]) -> Draws | None:
    """The completions of one problem; None for a vote, which no longer distinguishes its completions."""
    answers: list[set[str]] = []
    correct: list[set[str]] = []
    for attempt in attempts:
        if attempt.construction is Construction.VOTED or (attempt.correct and not attempt.forms):
            return None
        if attempt.construction is Construction.WRITTEN:
            answers.append(attempt.distinct)
            correct.append(attempt.distinct_correct)
            continue
        silent = attempt.completions - len(attempt.correct)
        for form, right in zip(attempt.forms, attempt.correct, strict=True):
            answers.append({form} if form is not None else set())
            correct.append({form} if right and form is not None else set())
        answers += [set() for _ in range(silent)]
        correct += [set() for _ in range(silent)]
    return Draws(answers, correct)


def by_problem(attempts: Iterable[Attempt]) -> Iterator[tuple[str, list[Attempt]]]:
    """Attempts grouped by problem. Those of one problem must be adjacent, as in `scores.jsonl`."""
    for problem, group in groupby(attempts, key=lambda each: each.problem):
        yield problem, list(group)


@dataclass(slots=True)
class Analyses:
    """Running sums over the problems of one run."""

    answers_per_completion: int = 1
    distinct: Counter[int] = field(default_factory=Counter)
    distinct_correct: Counter[int] = field(default_factory=Counter)
    curve: dict[int, list[float]] = field(default_factory=dict)
    golds: dict[int, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0] * 4))
    tokens: array = field(default_factory=lambda: array("q"))
    n_correct: int = 0

    def add(self, attempts: list[Attempt]) -> None:
        """Add all attempts at one problem."""
        for attempt in attempts:
            self._add_attempt(attempt)
        draws = draws_of(attempts)
        if draws is None:
            return
        self.distinct[len(set().union(*draws.answers))] += 1
        self.distinct_correct[len(set().union(*draws.correct))] += 1
        for n, values in enumerate(draws.curves(), start=1):
            sums = self.curve.setdefault(n, [0.0, 0.0, 0.0])
            for place, value in enumerate((1.0, *values)):
                sums[place] += value

    def _add_attempt(self, attempt: Attempt) -> None:
        found = sum(attempt.credited)
        if attempt.construction is Construction.WRITTEN:
            self.answers_per_completion = attempt.k
        if attempt.tokens is not None:
            self.tokens.append(attempt.tokens)
            self.n_correct += found
        if attempt.n_golds:
            for place, value in enumerate((1, found / attempt.k, found / attempt.n_golds, found > 0)):
                self.golds[attempt.n_golds][place] += value

    def to_record(self) -> dict[str, Any]:
        record: dict[str, Any] = {
            "distinct_per_problem": {str(n): self.distinct[n] for n in sorted(self.distinct)},
            "distinct_correct_per_problem": {str(n): self.distinct_correct[n] for n in sorted(self.distinct_correct)},
            "budget": [
                {
                    "completions": n,
                    "answers": n * self.answers_per_completion,
                    "problems": int(problems),
                    "distinct": distinct / problems,
                    "distinct_correct": correct / problems,
                }
                for n, (problems, distinct, correct) in sorted(self.curve.items())
            ],
            "by_n_golds": {
                str(n): {"attempts": int(times), "coverage": c / times, "recall": r / times, "pass_at_k": p / times}
                for n, (times, c, r, p) in sorted(self.golds.items())
            },
        }
        if self.tokens:
            low, middle, high = np.quantile(self.tokens, [0.1, 0.5, 0.9])
            per_correct = sum(self.tokens) / self.n_correct if self.n_correct else None
            record["tokens"] = {"p10": low, "p50": middle, "p90": high, "per_correct_answer": per_correct}
        return record
