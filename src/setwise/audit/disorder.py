"""Confidences assigned to the wrong answers: they rise where the run's others fall, and are less informative."""

import numpy as np

from setwise.audit.chance import is_habit
from setwise.audit.claims import FEWEST, ClaimMatrix, error_of
from setwise.audit.confidences import claim_quotes, not_judged, skills
from setwise.audit.registry import Found, finding
from setwise.audit.table import Floats, Mask
from setwise.audit.view import AuditView
from setwise.records.audit import Severity

MOST_RISE = 0.6
"""Share of claims that may rise somewhere. Above it, order means nothing to the model."""
LEAST_GAP = 0.05
"""The least by which the run's other claims must separate right answers from wrong ones."""
SIGMAS = 3.7


@finding("disordered_confidences", label="Confidences out of order", severity=Severity.WARNING, counted="brier",
         needs=not_judged)  # fmt: skip
def disordered_confidences(view: AuditView) -> Found | None:
    """Sets whose confidences rise somewhere from first to last, in a run where most fall, and which separate right
    answers from wrong ones less than half as well as the others. Shuffled or reversed confidences say nothing about
    their answers."""
    claims = ClaimMatrix(view)
    rises = out_of_order(claims)
    if rises is None:
        return None
    rows, of = claims.mask(rises), int(view.claimed.sum())
    if not is_habit(int(rows.sum()), of):
        return None
    message = (
        f"{rows.sum():,} of {of:,} sets state confidences out of order ({rows.sum() / of:.1%}), and they tell less"
    )
    return Found(message=message, rows=rows, of=of, facts=skills(view), quotes=claim_quotes(view, rows))


def out_of_order(claims: ClaimMatrix) -> Mask | None:
    """The claims that rise, if they are few and less informative; otherwise None."""
    if not len(claims.rows) or claims.stated.shape[1] < 2:
        return None
    rises: Mask = np.asarray((np.diff(claims.stated, axis=1) > 1e-6).any(axis=1))
    right: Mask = claims.right > 0
    told: Mask = np.asarray(right.any(axis=1) & ~right.all(axis=1))
    if rises.mean() >= MOST_RISE or claims.problems_of(rises & told) < 2 * FEWEST:
        return None
    gap = _mean_where(claims.stated, right) - _mean_where(claims.stated, ~right)
    usual = float(gap[told & ~rises].mean()) if (told & ~rises).any() else 0.0
    own = gap[told & rises]
    error = error_of(own, claims.problem[told & rises])
    return rises if usual > LEAST_GAP and own.mean() + SIGMAS * error < usual / 2 else None


def _mean_where(values: Floats, chosen: Mask) -> Floats:
    """For each row, the mean of the chosen values; 0 if there are none."""
    return (values * chosen).sum(axis=1) / np.maximum(chosen.sum(axis=1), 1)
