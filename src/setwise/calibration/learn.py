"""Learns a profile from a labelled run."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from setwise.calibration.decider import decider_of, outcomes
from setwise.calibration.drift import KEPT, Seen
from setwise.calibration.held_out import held_out
from setwise.calibration.profile import Profile
from setwise.calibration.scale import learnt_scale
from setwise.calibration.sets import (
    LabelledRanking,
    by_problem,
    completions_of,
    labelled_sets,
    require_confidences,
    tells_apart,
)
from setwise.calibration.table import SetTable
from setwise.errors import InputError
from setwise.objectives import Regime
from setwise.records.attempt import Attempt, Construction
from setwise.records.run import RunFolder

FEWEST_PROBLEMS = 60
"""With fewer problems, a half is too small to promise anything useful."""
FEWEST_OF_A_LABEL = 5
TRIED_SAMPLES = (1, 2, 3, 5, 10, 20, 30)
"""The numbers of completions for which merged sets are tried."""


def learn_profile(run: RunFolder, samples: int | None = None, seed: int = 0) -> Profile:
    """The profile of a scored run, for its sets as they are or for sets merged from `samples` completions."""
    run.require_scored()
    attempts, numbers = list(run.attempts()), run.read_metrics()
    drawn = run.read_config().sampling if run.config.exists() else {}
    about = {
        "task": numbers.task,
        "model": numbers.model,
        "method": numbers.method,
        "matcher": numbers.matcher,
        "sampling": {name: drawn[name] for name in ("temperature", "top_p", "max_tokens") if name in drawn},
    }
    return profile_of(attempts, Regime(numbers.regime), samples=samples, seed=seed, about=about, place=run.path)


def profile_of(
    attempts: Sequence[Attempt],
    regime: Regime,
    *,
    samples: int | None = None,
    seed: int = 0,
    about: Mapping[str, Any] | None = None,
    place: object = "",
) -> Profile:
    """The same from attempts in memory, problem by problem."""
    require_confidences(attempts, samples, place)
    sets = labelled_sets(attempts, samples)
    require_enough(sets, samples, place)
    table = SetTable.of(sets, max(len(each.stated) for each in sets))
    decider = decider_of(table, regime, seed)
    first_sets = [each[0].stated for each in by_problem(sets).values()]
    return Profile(
        about=about or {},
        regime=regime,
        k=table.k,
        samples=samples or _drawn(attempts[0]),
        problems=table.problems,
        scale=learnt_scale(table, regime, seed),
        deciding=decider.scale,
        rule=decider.rule,
        seen=Seen.of(first_sets[:KEPT], regime),
        held_out=held_out(table, regime, seed),
        answered=outcomes(decider),
        best_by_samples=_best_by_samples(attempts, regime, seed),
    )


def require_enough(sets: Sequence[LabelledRanking], samples: int | None, place: object) -> None:
    """Raise a one-line error if there is too little to learn from."""
    problems = by_problem(sets)
    if not sets and samples is not None:
        raise InputError(f"the run has fewer than {samples} completions of a problem", place=place)
    if len(problems) < FEWEST_PROBLEMS:
        rule = f"a profile needs at least {FEWEST_PROBLEMS} labelled problems"
        raise InputError(rule, place=place, value=len(problems), remedy="evaluate on more")
    solved = sum(any(any(each.right) for each in group) for group in problems.values())
    failed = sum(not all(any(each.right) for each in group) for group in problems.values())
    if min(solved, failed) < FEWEST_OF_A_LABEL:
        rule = f"a profile needs at least {FEWEST_OF_A_LABEL} problems with a right answer and as many without"
        raise InputError(rule, place=place, value=[solved, failed])


def _best_by_samples(attempts: Sequence[Attempt], regime: Regime, seed: int) -> dict[int, float | None]:
    """For each number of completions that every problem has, what sets merged from them can promise; empty if that is
    one."""
    counts: dict[str, int] = {}
    for attempt in attempts:
        counts[attempt.problem] = counts.get(attempt.problem, 0) + len(completions_of(attempt))
    fewest = min(counts.values())
    voted = any(attempt.construction is Construction.VOTED for attempt in attempts)
    if fewest < 2 or voted or not tells_apart(attempts):
        return {}
    numbers = [number for number in TRIED_SAMPLES if number <= fewest]
    return {number: _best(labelled_sets(attempts, number), regime, seed) for number in numbers}


def _best(sets: Sequence[LabelledRanking], regime: Regime, seed: int) -> float | None:
    table = SetTable.of(sets, max(1, *(len(each.stated) for each in sets)))
    best = decider_of(table, regime, seed).rule.best_alpha
    return best if best < inf else None


def _drawn(attempt: Attempt) -> int:
    """Completions in one set of the run."""
    return max(1, attempt.completions)
