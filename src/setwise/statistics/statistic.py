"""A metric as something that can be resampled: a function of sums over problems."""

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
    """(problems, m): what each problem adds."""
    value: Callable[[Floats], Floats]
    """(rows, m) sums -> (rows,) values; nan where the sums define none."""
    unlifted: Callable[[Floats], "Ends"] | None = None
    """Where it is made of absolute values (ECE), so that noise alone lifts it above the truth: from the columns, the
    least and the most that may be left of it without that bias."""
    lowest: float = -np.inf
    highest: float = np.inf
    is_mean: bool = False
    """Whether it is a mean over problems: the columns are each problem's value and whether it has one."""
    basis: Hashable = None
    """What the columns stand for, where that depends on the data: two statistics can be mixed where it is equal."""

    @property
    def point(self) -> float:
        """The value on the sample itself."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return float(self.value(self.columns.sum(axis=0, keepdims=True))[0])


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float
