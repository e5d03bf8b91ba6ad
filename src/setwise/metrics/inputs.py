"""Checks the input of the calibration metrics: a nan would pass unnoticed through some formulas and break others."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from setwise.errors import InputError

Floats = NDArray[np.float64]

_NUMBERS = "biuf"
"""Kinds of numpy types that are numbers."""


def confidences_from(values: ArrayLike) -> Floats:
    """Finite and not negative. Sums over a set may exceed 1."""
    rule = "a confidence is a number from 0 to 1, or a sum of such numbers"
    return _checked(values, "confidences", rule, lambda q: np.isfinite(q) & (q >= 0))


def labels_from(values: ArrayLike) -> Floats:
    """Labels: 1 for right, 0 for wrong."""
    return _checked(values, "correct", "a label is true or false, or 1 or 0", lambda c: (c == 0) | (c == 1))


def pairs(confidences: ArrayLike, correct: ArrayLike) -> tuple[Floats, Floats]:
    """Checked confidences and labels, one of each per answer."""
    q, c = confidences_from(confidences), labels_from(correct)
    if q.size != c.size:
        raise InputError("confidences and correct must be of equal length", value=[q.size, c.size])
    return q, c


def require_bins(bins: Any) -> None:
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 1:
        raise InputError("bins must be a whole number of at least 1", value=bins)


def _checked(values: ArrayLike, name: str, rule: str, allowed: Callable[[Floats], NDArray[np.bool_]]) -> Floats:
    try:
        given = np.asarray(values)
    except ValueError:
        given = np.empty((0, 0))  # rows of unequal length
    if given.ndim != 1:
        raise InputError("a flat sequence of numbers is needed", place=name, value=values)
    if given.size and given.dtype.kind not in _NUMBERS:
        _refuse_the_first(given, name, rule, [_is_number(value) for value in given.tolist()])
    floats = given.astype(np.float64)
    _refuse_the_first(given, name, rule, allowed(floats))
    return floats


def _is_number(value: object) -> bool:
    return np.asarray(value).dtype.kind in _NUMBERS


def _refuse_the_first(given: NDArray[Any], name: str, rule: str, allowed: Any) -> None:
    wrong = np.flatnonzero(~np.asarray(allowed, dtype=bool))
    if wrong.size:
        place = int(wrong[0])
        raise InputError(rule, place=f"{name}[{place}]", value=given[place : place + 1].tolist()[0])
