"""What one batch of scored completions says, as named numbers for the log.

Every rate is logged in every batch, zero or not: ranks must log the same names, and a name that comes and goes
cannot be watched. Means over nothing (confidences when none parsed) are left out.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from setwise.answers import Reason
from setwise.matching import Matcher
from setwise.objectives import Objective
from setwise.rewards import Broken
from setwise.scoring import Score

SUM_IS_ONE = 0.005


@dataclass(frozen=True, slots=True)
class Batch:
    """Scored completions in the order sampled, so that every `group_size` of them answer one problem."""

    scores: Sequence[Score]
    tokens: Sequence[int]
    truncated: Sequence[bool]
    matcher: Matcher
    objective: Objective
    group_size: int


def batch_metrics(batch: Batch) -> dict[str, float]:
    """Means over the completions that the machinery could score, and counts of the rest."""
    metrics = {
        "machinery/unscored": _rate(score.reward is None for score in batch.scores),
        "length/tokens": fmean(batch.tokens),
        "length/truncated": fmean(batch.truncated),
    }
    scored = [score for score in batch.scores if score.reward is not None]
    if scored:
        metrics |= _reward_terms(scored, batch.objective) | _parse_rates(scored) | _set_metrics(scored, batch)
        metrics |= _confidence_metrics(scored)
    return metrics


def _reward_terms(scored: Sequence[Score], objective: Objective) -> dict[str, float]:
    names = ("format", "correctness", "calibration") if objective.has_confidences else ("format", "correctness")
    return {f"reward/{name}": fmean(getattr(score, name) for score in scored) for name in names}


def _parse_rates(scored: Sequence[Score]) -> dict[str, float]:
    reasons = Counter(score.malformed.reason for score in scored if score.malformed)
    rules = Counter(score.broken for score in scored if not score.malformed)
    rates = {f"parse/{reason}": reasons[reason] / len(scored) for reason in Reason}
    rates["parse/valid"] = _rate(score.strictly_valid for score in scored)
    for rule in (Broken.DUPLICATES, Broken.SUM_ABOVE_ONE):
        rates[f"rule/{rule}"] = rules[rule] / len(scored)
    return rates


def _set_metrics(scored: Sequence[Score], batch: Batch) -> dict[str, float]:
    k = batch.objective.k
    return {
        "set/coverage": fmean(sum(score.labels) / k for score in scored),
        "set/pass_at_1": fmean(bool(score.labels) and score.labels[0] for score in scored),
        "set/pass_at_k": fmean(any(score.labels) for score in scored),
        "set/distinct": fmean(score.distinct for score in scored),
        "group/distinct": fmean(_distinct_in_groups(batch)),
    }


def _distinct_in_groups(batch: Batch) -> Iterator[int]:
    """Different answers among all completions of one problem: what is left of the model's variety."""
    for start in range(0, len(batch.scores), batch.group_size):
        group = batch.scores[start : start + batch.group_size]
        answers = [answer for score in group for answer in score.answers]
        yield len(set(batch.matcher.forms(answers)))


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
        "confidence/sum_is_one": _rate(abs(total - 1) <= SUM_IS_ONE for total in sums),
    }


def _rate(flags: Iterator[bool] | Sequence[bool]) -> float:
    return fmean(flags)
