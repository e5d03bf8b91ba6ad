"""Summarises one batch of scored completions as named numbers for the log.

Every rate is logged in every batch, even if it is zero, because a name that comes and goes cannot be watched. Means
over nothing (confidences when none parsed) are left out. Metrics of single sets are those of evaluation, with the same
functions and names.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from statistics import fmean, pstdev

from setwise.answers import PARSE, Reason, Rule
from setwise.metrics import attempt_metrics
from setwise.metrics.calibration import brier_skill
from setwise.metrics.claims import shares_out_one
from setwise.metrics.ranking import auroc, auroc_within_places
from setwise.objectives import Objective
from setwise.questions import Problem
from setwise.records.attempt import Attempt
from setwise.records.score import Score
from setwise.rewards import terms_of
from setwise.scoring import attempt_of, written_form
from setwise.training.watch.signs import SIGNS, sign_rates

LOGGED = {
    "machinery/unscored": "Share of completions that the machinery could not score.",
    "machinery/broken_problems": "Problems whose completions are left out because no answer to them can be judged.",
    "reward/TERM": "Mean of a reward term, before its weight.",
    "parse/REASON": "Share of completions that are malformed for this reason.",
    "rule/duplicates": "Share of completions that repeat an answer and so earn nothing.",
    "rule/sum_above_one": "Share of completions whose confidences sum to more than 1 where that is not allowed.",
    "group/distinct": "Distinct answers among all completions of one problem, averaged over problems.",
    "confidence/mean": "Mean stated confidence.",
    "confidence/std": "Standard deviation of the stated confidences.",
    "confidence/sum": "Mean sum of the confidences of a completion.",
    "confidence/sum_is_one": "Share of completions whose confidences sum to 1, or share it out evenly (three of 0.33).",
    "confidence/when_right": "Mean confidence stated for right answers.",
    "confidence/when_wrong": "Mean confidence stated for wrong answers.",
    "confidence/auroc": "Probability that a right answer in the batch has a higher confidence than a wrong one.",
    "confidence/auroc_within_places": "The same among answers of one place of the set, averaged over places: 0.5 if "
    "confidences only know which place is right more often.",
    "confidence/brier_skill": "Brier skill of the batch's confidences over the best constant confidence.",
    "confidence/entropy": "Mean entropy of the tokens that decide a confidence, up to its second decimal "
    "(credit per answer only).",
    **SIGNS,
}
"""What the log has besides the metrics of evaluation, and what each name means."""


@dataclass(frozen=True)
class Batch:
    """Scored completions in the order sampled; every `group_size` of them answer one problem."""

    scores: Sequence[Score]
    problems: Sequence[Problem]
    tokens: Sequence[int]
    cut_off: Sequence[bool]
    objective: Objective
    group_size: int

    @cached_property
    def scored(self) -> list[Score]:
        """The completions that the machinery could score."""
        return [score for score in self.scores if score.reward is not None]

    @cached_property
    def broken(self) -> set[str]:
        """The ids of problems that cannot be judged."""
        rows = zip(self.problems, self.scores, strict=True)
        return {problem.id for problem, score in rows if score.broken_problem}

    @cached_property
    def attempts(self) -> list[Attempt]:
        rows = zip(self.scores, self.problems, self.tokens, self.cut_off, strict=True)
        return [
            attempt_of(score, problem, self.objective, tokens=tokens, cut_off=cut_off)
            for score, problem, tokens, cut_off in rows
            if score.reward is not None
        ]


def batch_metrics(batch: Batch) -> dict[str, float]:
    """Means over the completions that could be scored. Costs are over all completions."""
    unscored = sum(score.reward is None and not score.broken_problem for score in batch.scores)
    metrics = {"machinery/unscored": unscored / len(batch.scores), "machinery/broken_problems": len(batch.broken)}
    cost = {"tokens": fmean(batch.tokens), "truncated": fmean(batch.cut_off)}
    if batch.scored:
        metrics |= _reward_terms(batch) | _parse_rates(batch.scored) | _set_metrics(batch.attempts)
        metrics["group/distinct"] = fmean(_distinct_in_groups(batch))
        metrics |= _confidence_metrics(batch.scored) | sign_rates(batch.scores, batch.problems)
    return metrics | cost


def _reward_terms(batch: Batch) -> dict[str, float]:
    names = [term.name for term, _ in terms_of(batch.objective)]
    return {f"reward/{name}": fmean(score.terms[name] for score in batch.scored) for name in names}


def _parse_rates(scored: Sequence[Score]) -> dict[str, float]:
    reasons = Counter(score.malformed.reason for score in scored if score.malformed)
    rules = Counter(score.violated for score in scored if not score.malformed)
    rates = {f"{PARSE}{reason}": reasons[reason] / len(scored) for reason in Reason}
    return rates | {f"rule/{rule}": rules[rule] / len(scored) for rule in (Rule.DUPLICATES, Rule.SUM_ABOVE_ONE)}


def _set_metrics(attempts: Sequence[Attempt]) -> dict[str, float]:
    found = {}
    for metric in attempt_metrics():
        if metric.logged:
            values = [value for attempt in attempts if (value := metric(attempt)) is not None]
            if values:
                found[metric.key] = fmean(values)
    return found


def _distinct_in_groups(batch: Batch) -> Iterator[int]:
    """Distinct answers among all completions of one problem: the variety that the model has left."""
    for start in range(0, len(batch.scores), batch.group_size):
        group, problem = batch.scores[start : start + batch.group_size], batch.problems[start]
        if any(score.reward is not None for score in group):
            forms = {written_form(form, problem) for score in group for form in score.forms}
            yield len(forms - {None})


def _confidence_metrics(scored: Sequence[Score]) -> dict[str, float]:
    sets = [[q for q in score.confidences if q is not None] for score in scored]
    sets = [confidences for confidences in sets if confidences]
    if not sets:
        return {}
    every = [q for confidences in sets for q in confidences]
    sums = [sum(confidences) for confidences in sets]
    return {
        "confidence/mean": fmean(every),
        "confidence/std": pstdev(every),
        "confidence/sum": fmean(sums),
        "confidence/sum_is_one": fmean(map(shares_out_one, sets)),
        **_discrimination(scored),
    }


def _discrimination(scored: Sequence[Score]) -> dict[str, float]:
    """Whether confidences separate right answers from wrong ones; empty if all are right or all are wrong."""
    entries = [
        (q, c, place)
        for score in scored
        for place, (q, c) in enumerate(zip(score.confidences, score.labels, strict=True))
        if q is not None
    ]
    right, wrong = [q for q, c, _ in entries if c], [q for q, c, _ in entries if not c]
    if not right or not wrong:
        return {}
    stated, labels, places = zip(*entries, strict=True)
    within = auroc_within_places(stated, labels, places)
    return {
        "confidence/when_right": fmean(right),
        "confidence/when_wrong": fmean(wrong),
        "confidence/auroc": auroc(stated, labels),
        **({} if isnan(within) else {"confidence/auroc_within_places": within}),
        "confidence/brier_skill": brier_skill(stated, labels),
    }
