"""A headline metric as it is, and without what was found."""

from math import inf, isfinite

import numpy as np
from numpy.typing import ArrayLike

from setwise.audit.chance import FEWEST, standard_error
from setwise.audit.registry import Counted, Found
from setwise.audit.table import Mask
from setwise.audit.view import AuditView
from setwise.records.audit import Change


def change(view: AuditView, found: Found, counted: Counted) -> Change | None:
    """None if nothing is judged, or if the finding affects no metric."""
    if not counted or not view.judged.any():
        return None
    if counted == "brier":
        rest = view.claimed & ~found.rows
        return _changed("pooled/brier", _brier(view, view.claimed), _brier(view, rest), _brier_error(view, rest))
    if counted == "distinct":
        return _distinct(view, found)
    judged, k = view["judged"] > 0, np.maximum(view["k"], 1)
    metric = "coverage" if view.context.objective.multi else "pass_at_1"
    before = view.by_problem(view["right"] / k, judged)
    if counted == "wrong":
        return _changed(metric, before, view.by_problem((view["right"] - view.table.paid(found.sign)) / k, judged))
    rest = judged & ~found.rows
    values = view["right"] / k
    return _changed(metric, before, view.by_problem(values, rest), _error(values[rest], view["problem"][rest]))


def _distinct(view: AuditView, found: Found) -> Change:
    """Answers of a set that really differ."""
    held = np.array([len(set(view.text(key))) for key in view["set"]], float)
    known = (view["answers"] > 0) & (held > 0)
    doubled = np.zeros(len(view))
    for row, (count, _) in view.table.signs.get(found.sign, {}).items():
        doubled[row] = count
    return _changed("uniqueness", view.by_problem(held, known), view.by_problem(held - doubled, known))


def _brier(view: AuditView, rows: Mask) -> float:
    kept = rows & ~np.isnan(view["squares"])
    answers = view["answers"][kept].sum()
    return float(view["squares"][kept].sum() / answers) if answers else float("nan")


def _brier_error(view: AuditView, rows: Mask) -> float:
    kept = rows & ~np.isnan(view["squares"])
    return _error(view["squares"][kept] / np.maximum(view["answers"][kept], 1), view["problem"][kept])


def _error(values: ArrayLike, problems: ArrayLike) -> float:
    """Infinite if what is left of a run are a few completions, whose mean says nothing."""
    return standard_error(values, problems) if np.size(values) >= FEWEST else inf


def _changed(metric: str, before: float, after: float, error: float = 0.0) -> Change:
    if not isfinite(after):
        return Change(metric, before, None)
    return Change(metric, before, after, error if isfinite(error) else None)
