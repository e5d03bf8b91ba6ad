"""A map per rank, or one for all ranks. Problems it was not learned from decide which, and of what kind."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from setwise.calibration.isotonic import isotonic, venn_abers
from setwise.calibration.maps import Map, map_from_record
from setwise.calibration.points import Floats, Points
from setwise.calibration.sigmoid import beta, platt
from setwise.records.files import Record

KINDS: dict[str, Callable[[Points], Map]] = {
    "platt": platt,
    "beta": beta,
    "isotonic": isotonic,
    "venn-abers": venn_abers,
}
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Cells:
    """What maps of ranks are learned from: values and labels (sets x ranks), and where there is an answer."""

    values: Floats
    right: NDArray[np.bool_]
    there: NDArray[np.bool_]
    weight: Floats
    """The weight of each set."""

    def points(self, ranks: slice) -> Points:
        there = self.there[:, ranks]
        weight = np.broadcast_to(self.weight[:, None], there.shape)[there]
        return Points.of(self.values[:, ranks][there], self.right[:, ranks][there], weight)

    def rows(self, chosen: NDArray[np.bool_]) -> "Cells":
        return Cells(self.values[chosen], self.right[chosen], self.there[chosen], self.weight[chosen])


@dataclass(frozen=True, slots=True)
class RankedMap:
    """Maps for the ranks from the first on. The last one serves all later ranks."""

    kind: str
    maps: tuple[Map, ...]

    def __call__(self, values: Floats) -> Floats:
        """(sets, ranks) values -> probabilities."""
        chosen = [self.maps[min(rank, len(self.maps) - 1)] for rank in range(values.shape[1])]
        return np.column_stack([each(values[:, rank]) for rank, each in enumerate(chosen)])

    @property
    def by_rank(self) -> bool:
        return len(self.maps) > 1

    def to_record(self) -> Record:
        return {"kind": self.kind, "maps": [each.to_record() for each in self.maps]}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "RankedMap":
        return cls(str(record["kind"]), tuple(map(map_from_record, record["maps"])))


def chosen_map(cells: Cells, fold: NDArray[np.int64]) -> RankedMap:
    """The map with the lowest Brier score on folds it was not learned from, then learned from all of them.

    `fold` is the fold of each set. All sets of a problem must share one.
    """
    errors: dict[tuple[str, bool], float] = {}
    for number in np.unique(fold):
        rest = cells.rows(fold == number)
        weight = rest.weight[:, None] * rest.there
        for choice, learnt in learnt_maps(cells.rows(fold != number)):
            error = float((weight * (learnt(rest.values) - rest.right) ** 2).sum())
            errors[choice] = errors.get(choice, 0.0) + error
    best = min(errors, key=lambda choice: errors[choice])
    return dict(learnt_maps(cells))[best]


def learnt_maps(cells: Cells) -> Iterator[tuple[tuple[str, bool], RankedMap]]:
    """Each kind of map, for all ranks together and for each rank that occurs."""
    ranks = [rank for rank in range(cells.there.shape[1]) if cells.there[:, rank].any()]
    single, every = [cells.points(slice(None))], [cells.points(slice(rank, rank + 1)) for rank in ranks]
    for by_rank, points in ((False, single), (True, every)) if len(ranks) > 1 else ((False, single),):
        for kind, learn in KINDS.items():
            yield (kind, by_rank), RankedMap(kind, tuple(map(learn, points)))
