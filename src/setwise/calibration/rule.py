"""Which prefix of a ranked set to keep, and when to abstain, so that a promise holds.

The problems are split in two. The first part gives a scale and, for each alpha, the level that the probability of the
full set must exceed; otherwise the model abstains. The second part gives, among its answered questions, the level that
the probability of a kept prefix must exceed. This is split conformal prediction (Vovk, Gammerman and Shafer 2005),
where a problem's score is the probability of its longest prefix without a right answer. Since the first part alone
decides what is answered, the answered questions of the second part and new answered ones are exchangeable. The kept
prefix of a new one therefore contains a right answer with probability at least 1 - alpha. Sets of one problem share its
weight of 1, which keeps the promise for one set of a new problem (Lee, Barber and Willett 2023, "Distribution-free
inference with hierarchical data").
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from setwise.calibration.points import Floats
from setwise.calibration.scale import ChanceScale
from setwise.calibration.table import SetTable
from setwise.records.files import Record

STEPS = 100
"""Alphas are multiples of 1 / STEPS. Others are rounded down."""
FEWEST_TO_PROMISE = 15
"""Problems of each part that must be answered for an alpha to count as reachable."""
VETO = 0.5
"""Standard errors by which full sets of the second part must fall short to make an alpha unreachable."""
_DIGITS = 1e6
"""Probabilities are compared at this resolution. Ties are broken by a number drawn from the question's text."""
FULL = 2 * _DIGITS
"""Above every probability: only the full set is kept."""


@dataclass(frozen=True, slots=True)
class PromiseRule:
    """Two levels for each alpha, starting at 1 / STEPS; `inf` if it cannot be reached. Neither rises with alpha."""

    answering: tuple[float, ...]
    """The full set must be above it; otherwise the model abstains."""
    keeping: tuple[float, ...]
    """The first prefix above it is kept, or the full set if there is none."""

    def reach(self, high: Sequence[float], size: int) -> list[float]:
        """For each prefix of a set of `size`, the smallest alpha at which it suffices; `inf` if there is none.

        `high` has an entry for every rank the rule covers, even if the set is shorter.
        """
        full = next((step for step, level in enumerate(self.answering) if high[-1] > level), None)
        if full is None:
            return [inf] * size
        shorter = [self._first(height, full) for height in high[: min(size, len(high)) - 1]]
        return shorter + [ALPHAS[full]] * (size - len(shorter))

    def _first(self, height: float, start: int) -> float:
        """The smallest alpha, from a step on, at which this height is kept."""
        return next((ALPHAS[step] for step in range(start, len(ALPHAS)) if height > self.keeping[step]), inf)

    def is_reachable(self, alpha: float) -> bool:
        step = step_of(alpha)
        return step > 0 and self.answering[min(step, len(ALPHAS)) - 1] < inf

    @property
    def best_alpha(self) -> float:
        """The smallest alpha that can be promised; `inf` if there is none."""
        return next((alpha for alpha in ALPHAS if self.is_reachable(alpha)), inf)

    def to_record(self) -> Record:
        return {name: [_plain(level) for level in getattr(self, name)] for name in ("answering", "keeping")}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "PromiseRule":
        levels = ([inf if level is None else float(level) for level in record[name]] for name in cls.__slots__)
        return cls(*map(tuple, levels))


ALPHAS = tuple(step / STEPS for step in range(1, STEPS))


def step_of(alpha: float) -> int:
    """The number of steps that fit into an alpha.

    >>> step_of(0.29), step_of(0.2999), step_of(0.001)
    (29, 29, 0)
    """
    return int(alpha * STEPS + 1e-9)


def heights(chances: Floats, keys: Sequence[str]) -> Floats:
    """(sets, prefixes) probabilities in the form compared: no two sets tie, since their keys differ."""
    return np.round(chances * _DIGITS) + np.array([drawn_from(key) for key in keys])[:, None]


def drawn_from(key: str) -> float:
    """A number from 0 to 1 that is as good as random, and always the same for the same text."""
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=6).digest()) / 2**48


def learnt_rule(scale: ChanceScale, first: SetTable, second: SetTable) -> PromiseRule:
    """The rule of a scale learned from the `first` part, made exact by the `second`."""
    chances = scale.prefix_chances(first.stated, first.there)
    answering = _answering(chances, heights(chances, first.keys), first)
    high = heights(scale.prefix_chances(second.stated, second.there), second.keys)
    levels = [_keeping(high, second, level, alpha) for level, alpha in zip(answering, ALPHAS, strict=True)]
    return _monotone(answering, levels)


def _answering(chances: Floats, high: Floats, table: SetTable) -> list[float]:
    """For each alpha, the lowest level at which kept prefixes contain a right answer with a mean probability of 1 -
    alpha."""
    full = np.where(table.there[:, 0], high[:, -1], -inf)
    levels = np.unique(np.append(np.quantile(high.ravel(), np.linspace(0, 1, 401)), 0.0))
    promised = np.zeros(levels.size)
    for place, level in enumerate(levels):
        answered = full > level
        weight = table.weight[answered]
        if weight.sum() >= FEWEST_TO_PROMISE:
            kept = np.argmax(high[answered] > level, axis=1)
            promised[place] = weight @ chances[answered, kept] / weight.sum()
    return [float(levels[np.argmax(promised >= 1 - alpha)]) if promised.max() >= 1 - alpha else inf for alpha in ALPHAS]


def _keeping(high: Floats, table: SetTable, answering: float, alpha: float) -> float:
    """The conformal quantile of the answered sets' scores; `inf` if an alpha is out of reach.

    If the second part just misses what the first one predicted, full sets are kept. Refusing at every miss would select
    the parts that look better than they are.
    """
    answered = table.there[:, 0] & (high[:, -1] > answering)
    weight = table.weight[answered]
    if weight.sum() < FEWEST_TO_PROMISE:
        return inf
    scores = _scores(high[answered], table.right[answered])
    order = np.argsort(scores)
    reached = np.cumsum(np.where(scores < inf, weight, 0.0)[order])
    enough = reached >= (1 - alpha) * (weight.sum() + 1) - 1e-9
    if enough.any():
        return float(scores[order][np.argmax(enough)])
    short = (1 - alpha) * weight.sum() - reached[-1]
    return FULL if short <= VETO * sqrt(alpha * (1 - alpha) * weight.sum()) else inf


def _scores(high: Floats, right: NDArray[np.bool_]) -> Floats:
    """The height of the longest prefix without a right answer: keeping only what is higher keeps a right one."""
    before = np.concatenate([np.full((len(high), 1), -1.0), high[:, :-1]], axis=1)
    first = np.argmax(right, axis=1)
    return np.where(right.any(axis=1), before[np.arange(len(high)), first], inf)


def _monotone(answering: Sequence[float], keeping: Sequence[float]) -> PromiseRule:
    """Levels that never rise with alpha, from the largest down to the first that is out of reach.

    Smaller alphas are out of reach too, even if a few lucky problems suggest otherwise: alphas are tested in a fixed
    order that ends with the first failure, as in fixed-sequence testing.
    """
    fulls, levels = [-1.0], [-1.0]
    for full, kept in zip(reversed(answering), reversed(keeping), strict=True):
        failed = inf in (full, kept, fulls[-1])
        fulls.append(inf if failed else max(full, fulls[-1]))
        levels.append(inf if failed else max(kept, levels[-1]))
    return PromiseRule(tuple(fulls[:0:-1]), tuple(levels[:0:-1]))


def _plain(level: float) -> float | None:
    return None if level == inf else level
