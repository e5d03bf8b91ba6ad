"""What a set would earn that does not look at the question."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from setwise.audit.table import Floats
from setwise.audit.view import View


@dataclass(frozen=True, slots=True)
class FixedSet:
    """Answers given to every problem alike."""

    forms: tuple[str, ...]
    coverage: float
    """Right answers over K, mean over problems."""
    any_right: float
    deserved: float
    """Share of problems for which it is as right as a set can be."""


def fixed(view: View, forms: Sequence[str]) -> FixedSet:
    """What these answers earn. Where golds are not on record, at least that: only what somebody said is known."""
    right = rights(view, forms)
    hits = right.sum(axis=0)
    golds = np.frombuffer(view.table.gold_counts, "i")
    k = view.context.objective.k
    most = np.minimum(np.maximum(golds, 1), len(forms))
    return FixedSet(tuple(forms), float(hits.mean() / k), float((hits > 0).mean()), float((hits >= most).mean()))


def rights(view: View, forms: Sequence[str]) -> Floats:
    """One row a form, one column a problem: whether it is right there."""
    found = np.zeros((len(forms), view.problems))
    for row, form in enumerate(forms):
        found[row, view.table.right_forms.get(form, ())] = 1
    return found


def best_fixed(view: View) -> FixedSet:
    """The K forms that are right most often."""
    frequent = sorted(view.table.right_forms, key=lambda form: -len(view.table.right_forms[form]))
    return fixed(view, frequent[: view.context.objective.k])
