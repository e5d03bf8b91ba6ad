"""What a set that ignores the question would earn."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from setwise.audit.table import Floats
from setwise.audit.view import AuditView


@dataclass(frozen=True, slots=True)
class FixedSet:
    """The same answers for every problem."""

    forms: tuple[str, ...]
    coverage: float
    """Right answers over K, averaged over problems."""
    any_right: float
    deserved: float
    """Share of problems for which it is as right as a set can be."""


def fixed(view: AuditView, forms: Sequence[str]) -> FixedSet:
    """What these answers earn. If golds are not on record this is a lower bound, since only given answers are known."""
    right = rights(view, forms)
    hits = right.sum(axis=0)
    golds = np.frombuffer(view.table.gold_counts, "i")
    k = view.context.objective.k
    most = np.minimum(np.maximum(golds, 1), len(forms))
    return FixedSet(tuple(forms), float(hits.mean() / k), float((hits > 0).mean()), float((hits >= most).mean()))


def rights(view: AuditView, forms: Sequence[str]) -> Floats:
    """Whether each form (row) is right for each problem (column)."""
    found = np.zeros((len(forms), view.problems))
    for row, form in enumerate(forms):
        found[row, view.table.right_forms.get(form, ())] = 1
    return found


def best_fixed(view: AuditView) -> FixedSet:
    """The K forms that are right most often."""
    frequent = sorted(view.table.right_forms, key=lambda form: -len(view.table.right_forms[form]))
    return fixed(view, frequent[: view.context.objective.k])
