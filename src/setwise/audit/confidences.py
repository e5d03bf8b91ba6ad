"""Confidences that carry no information."""

from math import sqrt

import numpy as np

from setwise.audit.answers import habit
from setwise.audit.chance import LEVEL, is_habit, stands_out, tail
from setwise.audit.claims import ClaimMatrix, fixed_claims, nearly_all_alike
from setwise.audit.registry import Found, finding
from setwise.audit.table import Floats, Mask
from setwise.audit.view import AuditView
from setwise.metrics.calibration import base_rate_brier, brier
from setwise.metrics.ranking import auroc_by_place, mean_area
from setwise.objectives import Regime
from setwise.records.audit import Severity
from setwise.signs.copies import shown_numbers

FEWEST = 5
NEAR_ONE = 0.2
OVERCLAIMS = 0.05
"""Share of sets that may miss although they claim to contain the right answer for sure."""
BARELY = 0.58
"""An AUROC within ranks that is certainly below this is close to guessing."""
ENOUGH = 50
ALL_RIGHT = 0.97


def no_confidences(view: AuditView) -> str:
    return "" if view.claimed.any() else "confidences"


def not_judged(view: AuditView) -> str:
    return no_confidences(view) or ("" if (view.claimed & view.judged).any() else "labels")


def no_numbers(view: AuditView) -> str:
    return no_confidences(view) or ("" if shown_numbers(view.context.prompt) else "a number in the prompt")


@finding("constant_confidences", label="The same confidences for everybody", severity=Severity.WARNING,
         counted="brier", needs=not_judged)  # fmt: skip
def constant_confidences(view: AuditView) -> Found | None:
    """A claim (all confidences of a set, in order) that stands out among its neighbours, being 2.5 times as frequent as
    any claim a step or two away or four times as dense as its surroundings, and whose answers do not differ from the
    others as it states; or a frequent claim that is right far less often than its neighbours; or one claim that nine
    tenths of all claims are next to. One number for everything, and confidences by rank alone, both look like this.
    Only a note if nearly every answer is right, since there is then nothing to predict."""
    claims = ClaimMatrix(view)
    alike = nearly_all_alike(claims)
    fixed = [alike] if alike else fixed_claims(claims)
    if not fixed:
        return None
    flagged = np.zeros(len(view), bool)
    for _, inside in fixed:
        flagged |= claims.mask(inside)
    of = int(view.claimed.sum())
    message = (
        f"{flagged.sum():,} of {of:,} sets claim {' or '.join(text for text, _ in fixed[:3])} "
        f"({flagged.sum() / of:.1%}), whatever is asked; {_skill_words(view)}"
    )
    return Found(
        message=message,
        rows=flagged,
        of=of,
        facts=skills(view),
        quotes=claim_quotes(view, flagged),
        only_a_note=bool(claims.right.mean() >= ALL_RIGHT),
    )


@finding("sums_of_one", label="Confidences shared out", severity=Severity.WARNING, counted="brier", needs=not_judged)
def sums_of_one(view: AuditView) -> Found | None:
    """Sets whose confidences sum to 1, or are all 1/K, up to rounding, more often than they sum to any number near it,
    although they should not: more than one in twenty of them contain no right answer, and they overclaim more than sets
    with slightly lower sums (exclusive), or their answers do not differ from the others as they state (inclusive)."""
    if view.context.objective.k < 2:
        return None
    sums = view["sum"]
    pinned = view.claimed & (view["shares_out_one"] > 0)
    near = view.claimed & ~pinned & (np.abs(sums - 1) <= NEAR_ONE)
    _, counts = np.unique(np.round(sums[near], 2), return_counts=True)
    count, of = int(pinned.sum()), int(view.claimed.sum())
    following = int(counts.max()) if counts.size else 0
    if not is_habit(count, of):
        return None
    if view.context.objective.regime is Regime.EXCLUSIVE:
        missed, sets = _misses(view, pinned)
        below = near & (sums < 1)
        others, near_sets = _misses(view, below)
        too_many = others / near_sets - float(1 - sums[below].mean()) if near_sets >= ENOUGH else 0.0
        allowed = max(OVERCLAIMS, too_many)
        if count <= following or tail(missed, sets, allowed) >= LEVEL:
            return None
        told = f"{missed / sets:.0%} of them hold no right answer"
    else:
        claims = ClaimMatrix(view)
        if not stands_out(count, following) or claims.knows(pinned[claims.rows]):
            return None
        told = "their answers are right as often as the others'"
    message = f"the confidences of {count:,} of {of:,} sets sum to 1 ({count / of:.1%}); {told}"
    return Found(message=message, rows=pinned, of=of, facts=skills(view), quotes=claim_quotes(view, pinned))


@finding("uninformed_confidences", label="Confidences that know nothing", severity=Severity.WARNING, counted="",
         needs=not_judged)  # fmt: skip
def uninformed_confidences(view: AuditView) -> Found | None:
    """Right answers get no higher confidences than wrong ones in the same place: the AUROC within places is certainly
    below 0.58. Confidences may still reflect which place is right most often. Brier skill is reported against the best
    constant, and against the best constant per place."""
    ranks, stated, right = view["entry/rank"], view["entry/stated"], view["entry/is_right"] > 0
    if right.sum() < FEWEST or (~right).sum() < FEWEST or view.problems < ENOUGH:
        return None
    places = auroc_by_place(stated, right, ranks)
    area = mean_area(places) if places else 0.5
    spread = sum(each.weight**2 * _area_error(each.right, each.wrong) ** 2 for each in places)
    repeated = sqrt(max(1.0, len(view) / view.problems))
    error = sqrt(spread) / sum(each.weight for each in places) * repeated if places else 0.0
    if area + 2.58 * error >= BARELY:
        return None
    facts = {"auroc_within_places": area, **skills(view)}
    message = (
        f"confidences do not tell right answers from wrong ones (AUROC within places {area:.2f}); {_skill_words(view)}"
    )
    return Found(message=message, rows=view.claimed, of=int(view.claimed.sum()), facts=facts)


@finding("prompt_confidences", label="Confidences from the prompt", severity=Severity.WARNING, counted="brier",
         needs=no_numbers)  # fmt: skip
def prompt_confidences(view: AuditView) -> Found | None:
    """Sets whose confidences are all numbers that the prompt gives as examples."""
    return habit(
        view, "prompt_numbers", "sets state the prompt's own numbers", 0.15 if view.context.objective.k == 1 else 0.01
    )


def _misses(view: AuditView, rows: Mask) -> tuple[int, int]:
    """Problems most of whose sets contain no right answer, and the number of problems."""
    judged = rows & view.judged
    problems, index = np.unique(view["problem"][judged], return_inverse=True)
    right = np.bincount(index, view.any_right[judged]) / np.maximum(np.bincount(index), 1)
    return int((right < 0.5).sum()), len(problems)


def skills(view: AuditView) -> dict[str, float]:
    stated, right = view["entry/stated"].astype(float), view["entry/is_right"] > 0
    own, constant = brier(stated, right), base_rate_brier(right)
    places = _place_rates(view, right)
    best = float(np.mean((places - right) ** 2)) if right.size else float("nan")
    return {
        "brier": own,
        "brier_of_best_constant": constant,
        "brier_skill": 1 - own / constant if constant > 0 else 0.0,
        "brier_skill_against_places": 1 - own / best if best > 0 else 0.0,
    }


def _place_rates(view: AuditView, right: Mask) -> Floats:
    """For each candidate, how often candidates in its place are right."""
    ranks = view["entry/rank"].astype(np.int64)
    times = np.maximum(np.bincount(ranks), 1)
    return (np.bincount(ranks, right.astype(float)) / times)[ranks]


def _skill_words(view: AuditView) -> str:
    return f"Brier skill {skills(view)['brier_skill']:+.3f} against the best constant"


def _area_error(yes: int, no: int) -> float:
    """The standard error of an AUROC of one half."""
    return sqrt((yes + no + 1) / (12 * yes * no))


def claim_quotes(view: AuditView, rows: Mask) -> list[tuple[int, str]]:
    return [(int(row), ", ".join(view.text(view["claim"][row]))) for row in np.flatnonzero(rows)[:20]]
