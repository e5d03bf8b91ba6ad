"""The same set for everybody: answers that depend too little on the question."""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from setwise.audit.chance import LEVEL, standard_error, tail
from setwise.audit.fixed import FixedSet, best_fixed, fixed
from setwise.audit.registry import Found, finding
from setwise.audit.table import NOTHING, Floats, Mask
from setwise.audit.view import AuditView
from setwise.records.audit import Severity

LOOKED_AT = 40
"""Sets examined, most frequent first."""
LARGE = 0.2
"""Share of completions at which a set counts as everybody's, if fewer deserve it and a fixed set earns most of the
coverage."""
MOST_OF_IT = 0.7
"""Share of the run's coverage that the best fixed set must have for that."""
KNOWS_LITTLE = 0.5
"""Share of what the other sets gain by being chosen for their questions; below it, a set is not chosen for its own."""
MARGIN = 0.1
"""Share of completions by which a set may be given too often and still be honest."""
SOMEWHERE = 0.02
"""Share of problems that a set must be right for to be a guess for everybody. A set that is never right is a
mistake."""
SIGMAS = 3.7
"""One-sided, for the p of 1e-4 that all tests use."""
STRAYS = 5
FEWEST_SAMPLES = 3
"""Completions per question from which the others show what it suggests."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is compared across questions: whole sets, or first answers."""

    column: str
    agreement: Floats
    right: Mask


@dataclass(frozen=True, slots=True)
class _Set:
    """A frequent set or first answer: where it occurs, and what it would earn everywhere."""

    unit: _Unit
    rows: Mask
    earns: FixedSet
    share: float


@finding("one_set", label="One set for everybody", severity=Severity.WARNING, counted="left out")
def one_set(view: AuditView) -> Found | None:
    """The same answers to different questions, more often than the questions deserve: a set that makes up a fifth of
    all completions and is fully right for fewer, in a run where the best fixed set alone has 70 % of the coverage; or a
    set that is right hardly more often where it is given than it would be anywhere; or one that is given again and
    again where the other completions for the same question agree on something else. First answers alone are examined in
    the same way. Facts: distinct sets, the share of the most frequent one, and the coverage of the best fixed set."""
    answered = view["set"] != NOTHING
    if view.context.is_code or answered.sum() < 2 * STRAYS or view.problems < 2 * STRAYS:
        return None
    facts = set_facts(view)
    flagged = np.zeros(len(view), bool)
    why = ""
    for unit in _units(view):
        frequent = _frequent(view, unit, answered)
        for each in frequent:
            for reason, rows in _ways(view, each, frequent, answered, facts):
                flagged |= rows
                why = why or f"{', '.join(each.earns.forms)}: {reason}"
    if not flagged.any():
        return None
    share = flagged.sum() / answered.sum()
    at_least = "" if view.table.golds_known else "at least "
    best, has = facts["best_fixed_coverage"], facts["coverage"]
    message = (
        f"{share:.0%} of completions give a set more often than the questions deserve ({why}); the best fixed set "
        f"would have a coverage of {at_least}{best:.3f} where the run has {has:.3f}"
    )
    return Found(message=message, rows=flagged, facts=facts, quotes=_quotes(view, flagged))


def set_facts(view: AuditView) -> dict[str, float]:
    """How varied the sets of a run are, and what the best fixed one would earn; empty for programs."""
    answered = view["set"] != NOTHING
    if view.context.is_code or not answered.any():
        return {}
    tally, best, coverage = view.tally("set", answered), best_fixed(view), _coverage(view)
    facts = {
        "distinct_sets": len(tally.keys),
        "largest_share": float(tally.counts[0] / answered.sum()),
        "coverage": coverage,
        "best_fixed_coverage": best.coverage,
    }
    return {**facts, "best_fixed_share": best.coverage / coverage} if coverage else facts


def _units(view: AuditView) -> list[_Unit]:
    """First answers are also examined alone if others follow them."""
    sets = _Unit("set", view["agreement"], view.any_right)
    firsts = _Unit("first", view["first_agreement"], view["first_right"] > 0)
    return [sets, firsts] if view.context.objective.k > 1 else [sets]


def _ways(
    view: AuditView, own: _Set, frequent: list[_Set], answered: Mask, facts: dict[str, float]
) -> list[tuple[str, Mask]]:
    found = []
    if own.unit.column == "set" and _is_everybodys(view, own, facts.get("best_fixed_share", inf)):
        found.append((f"{own.share:.0%} of completions, fully right for {own.earns.deserved:.0%}", own.rows))
    if _is_not_chosen(view, own, frequent):
        found.append(("where it is given, it is right hardly more often than anywhere", own.rows))
    strays = _strays(view, own, answered)
    if strays.any():
        found.append(("given where other completions for the same question agree on something else", strays))
    return found


def _frequent(view: AuditView, unit: _Unit, answered: Mask) -> list[_Set]:
    tally = view.tally(unit.column, answered)
    found = []
    for key, count in zip(tally.keys[:LOOKED_AT], tally.counts[:LOOKED_AT], strict=True):
        rows = view[unit.column] == key
        if count >= STRAYS and view.questions_of(rows) > FEWEST_SAMPLES and (forms := view.text(key)):
            found.append(_Set(unit, rows, fixed(view, forms), count / int(answered.sum())))
    return found


def _coverage(view: AuditView) -> float:
    return view.by_problem(view["right"] / np.maximum(view["k"], 1), view["judged"] > 0)


def _is_everybodys(view: AuditView, own: _Set, best_share: float) -> bool:
    share, deserved = own.share, own.earns.deserved
    if share < LARGE or not best_share >= MOST_OF_IT:
        return False
    error = sqrt((share * (1 - share) + deserved * (1 - deserved)) / view.problems)
    return share > deserved + max(SIGMAS * error, MARGIN)


def _is_not_chosen(view: AuditView, own: _Set, frequent: list[_Set]) -> bool:
    """Whether its gain over being given anywhere is significantly below half of the other sets' gain."""
    others = [each for each in frequent if each is not own]
    gains = [_gain(view, each) for each in others]
    weights = [each.share for each in others]
    if not sum(weights):
        return False
    usual = float(np.average(gains, weights=weights))
    rows = own.rows & view.judged
    if usual < 0.1 or rows.sum() < 2 * STRAYS or own.earns.any_right < SOMEWHERE:
        return False
    error = standard_error(own.unit.right[rows], view["problem"][rows])
    return _gain(view, own) + SIGMAS * max(error, 0.5 / sqrt(rows.sum())) < KNOWS_LITTLE * usual


def _gain(view: AuditView, own: _Set) -> float:
    rows = own.rows & view.judged
    return float(own.unit.right[rows].mean()) - own.earns.any_right if rows.any() else 0.0


def _strays(view: AuditView, own: _Set, answered: Mask) -> Mask:
    """Completions that give the set against the others for the same question, if that is not a coincidence."""
    samples = np.bincount(view["problem"], minlength=view.problems)[view["problem"]]
    compared = answered & ~np.isnan(own.unit.agreement) & (samples >= FEWEST_SAMPLES)
    none = np.zeros(len(view), bool)
    if not compared.any():
        return none
    usual = float(np.median(own.unit.agreement[compared]))
    astray = compared & (own.unit.agreement <= usual / 2)
    rows = own.rows & astray
    count, expected = view.questions_of(rows), own.rows[compared].mean()
    if count < STRAYS:
        return none
    usual_share = min(1.0, max(3 * expected, 0.01))
    return rows if tail(count, view.questions_of(astray), usual_share) < LEVEL / LOOKED_AT else none


def _quotes(view: AuditView, flagged: Mask) -> list[tuple[int, str]]:
    _, first = np.unique(view["problem"][flagged], return_index=True)
    rows = np.flatnonzero(flagged)[np.sort(first)]
    return [(int(row), ", ".join(view.text(view["set"][row]))) for row in rows[:20]]
