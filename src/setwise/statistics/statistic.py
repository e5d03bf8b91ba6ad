"""A metric in a form that can be resampled: a function of sums over problems."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Statistic:
    """A metric as a function of sums over problems."""

    columns: Floats
    """(problems, m): what each problem contributes."""
    value: Callable[[Floats], Floats]
    """(rows, m) sums -> (rows,) values; nan where they are undefined."""
    unlifted: Callable[[Floats], "Ends"] | None = None
    """For statistics made of absolute values (ECE), which noise alone raises above the truth: computes from the columns
    the smallest and the largest value left without that bias."""
    lowest: float = -np.inf
    highest: float = np.inf
    is_mean: bool = False
    """Whether it is a mean over problems. Its columns are then each problem's value and whether it has one."""
    basis: Hashable = None
    """What the columns mean, if that depends on the data. Two statistics can be mixed if it is equal."""

    @property
    def point(self) -> float:
        """The value on the original sample."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return float(self.value(self.columns.sum(axis=0, keepdims=True))[0])


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float
