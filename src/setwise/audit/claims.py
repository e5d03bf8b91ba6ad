"""Claims, the confidences of one set in order, and which of them say nothing about the question.

A claim is compared with its neighbours, which differ by little in every place. Honest claims are spread thinly around
it and mean nearly the same. A fixed claim stands out among its neighbours, or is right less often than they are, while
its answers are right as often as any.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np

from setwise.audit.chance import LEVEL, standard_error, stands_out, tail
from setwise.audit.table import Floats, Mask
from setwise.audit.view import AuditView

LOOKED_AT = 40
FEWEST = 5
CLOSE, AROUND = 0.03, 0.09
DENSER = 4.0
"""How many times as dense as its surroundings the middle of honest claims may be."""
SMALLEST_SHARE = 0.008
ALIKE = 0.1
"""Claims that differ by at most this in every place should be right about equally often."""
KNOWS = 2.33
"""Standard errors by which answers must differ from the others as their claims do, to be informative."""
MEANS_LESS = 4.2
"""Standard errors below its neighbours at which a claim means something else; p < 1e-4 over forty tests."""
GRIDS = (0.1, 0.05)
ON_GRID = 0.7
NEARLY_ALL = 0.9
ENOUGH = 20
"""Problems; fewer may be alike by chance."""


@dataclass(frozen=True)
class ClaimMatrix:
    """The complete claims of a run as a matrix, with their labels."""

    view: AuditView

    @cached_property
    def rows(self) -> np.ndarray:
        """The completions that state all K confidences and are judged."""
        return np.flatnonzero(self.view.claimed & self.view.judged & (self.view["answers"] == self.view["k"]))

    @cached_property
    def stated(self) -> Floats:
        return self._matrix("entry/stated")

    @cached_property
    def right(self) -> Floats:
        return self._matrix("entry/is_right")

    def _matrix(self, column: str) -> Floats:
        chosen = np.zeros(len(self.view), bool)
        chosen[self.rows] = True
        entries = self.view[column][chosen[self.view["entry/row"]]]
        return entries.astype(float).reshape(-1, self.view.context.objective.k)

    @cached_property
    def step(self) -> float:
        """The step in which most confidences are written."""
        flat = self.stated.ravel()
        return next((g for g in GRIDS if np.mean(np.abs(flat / g - np.round(flat / g)) < 1e-3) >= ON_GRID), 0.01)

    @cached_property
    def problem(self) -> np.ndarray:
        """The problem of every claim. Claims about one problem are naturally alike, so problems are counted."""
        return self.view["problem"][self.rows]

    @cached_property
    def frequent(self) -> tuple[Floats, np.ndarray]:
        """The claims made about the most problems, and about how many."""
        own = np.column_stack([np.round(self.stated, 3), self.problem])
        values, counts = np.unique(np.unique(own, axis=0)[:, :-1], axis=0, return_counts=True)
        order = np.argsort(-counts, kind="stable")
        return values[order], counts[order]

    def problems_of(self, inside: Mask) -> int:
        return len(np.unique(self.problem[inside]))

    def distance(self, claim: Floats) -> Floats:
        """The largest gap in any place, for every claim."""
        return np.abs(self.stated - claim).max(axis=1) if len(self.rows) else np.zeros(0)

    def mask(self, inside: Mask) -> Mask:
        """Rows of the table."""
        found = np.zeros(len(self.view), bool)
        found[self.rows[inside]] = True
        return found

    def knows(self, inside: Mask) -> bool:
        """Whether answers here differ from the others as the claims do: higher stated, more often right."""
        gained = noise = 0.0
        if min(inside.sum(), (~inside).sum()) < FEWEST:
            return False
        problem = self.problem
        for place in range(self.stated.shape[1]):
            more = self.stated[inside, place].mean() - self.stated[~inside, place].mean()
            right = self.right[:, place]
            errors = (error_of(right[part], problem[part]) for part in (inside, ~inside))
            gained += more * (right[inside].mean() - right[~inside].mean())
            noise += more**2 * sum(error**2 for error in errors)
        return noise > 0 and gained > KNOWS * sqrt(noise)


def nearly_all_alike(claims: ClaimMatrix) -> tuple[str, Mask] | None:
    """The one claim that nine tenths of all claims are next to, if there is one."""
    if len(np.unique(claims.problem)) < ENOUGH:
        return None
    middle = np.round(np.median(claims.stated, axis=0), 2)
    close = claims.distance(middle) <= CLOSE
    return (f"about {_written(middle)}", close) if close.mean() >= NEARLY_ALL else None


def fixed_claims(claims: ClaimMatrix) -> list[tuple[str, Mask]]:
    """Claims that say nothing about the question, each with the completions that make it."""
    if not claims.rows.size:
        return []
    values, counts = claims.frequent
    of = claims.problems_of(np.ones(len(claims.rows), bool))
    found = []
    for claim, count in zip(values[:LOOKED_AT], counts[:LOOKED_AT], strict=True):
        if count < max(FEWEST, SMALLEST_SHARE * of):
            break
        gap = claims.distance(claim)
        same = gap < 1e-3
        if (_is_spike(claims, claim, int(count)) and not claims.knows(same)) or _means_less(claims, claim, gap):
            found.append((_written(claim), same))
    covered = np.zeros(len(claims.rows), bool)
    for _, same in found:
        covered |= same
    for claim in (*values[:LOOKED_AT], *_middles(claims)):
        gap = claims.distance(claim)
        close, around = gap <= CLOSE, (gap > CLOSE) & (gap <= AROUND)
        if (
            close.any()
            and covered[close].mean() < 0.5
            and _is_cloud(claims, close, around, of)
            and not claims.knows(close)
        ):
            found.append((f"about {_written(claim)}", close))
            covered |= close
    return found


def _is_spike(claims: ClaimMatrix, claim: Floats, count: int) -> bool:
    """Whether it is more frequent than any claim a step or two away."""
    values, counts = claims.frequent
    gap = np.abs(values - claim).max(axis=1)
    beside = (gap > 1e-3) & (gap <= 2.1 * claims.step)
    return stands_out(count, int(counts[beside].max()) if beside.any() else 0)


def _is_cloud(claims: ClaimMatrix, close: Mask, around: Mask, of: int) -> bool:
    """Whether it is denser than its surroundings. With a single place, honest claims may be as dense."""
    places = claims.stated.shape[1]
    share = DENSER * (CLOSE / AROUND) ** places
    apiece = len(claims.rows) / of
    inside, beside = (round(int(part.sum()) / apiece) for part in (close, around))
    if places < 2 or claims.step > CLOSE or min(inside, claims.problems_of(close)) < max(2 * FEWEST, 0.02 * of):
        return False
    return tail(inside, inside + beside, share) < LEVEL / LOOKED_AT


def _means_less(claims: ClaimMatrix, claim: Floats, gap: Floats) -> bool:
    """Whether it is further above the truth than neighbouring claims, weighted by what is claimed."""
    same = gap < 1e-3
    alike = (gap <= ALIKE) & ~same
    if same.sum() < 2 * FEWEST or alike.sum() < 2 * FEWEST:
        return False
    problem = claims.problem
    above = (claims.stated - claims.right) @ claim
    more = above[same].mean() - above[alike].mean()
    error = sqrt(error_of(above[same], problem[same]) ** 2 + error_of(above[alike], problem[alike]) ** 2)
    return more > max(MEANS_LESS * error, 0.05)


def _middles(claims: ClaimMatrix) -> list[Floats]:
    """The middle of each crowded cell of the scale, for claims that are slightly blurred."""
    _, index, counts = np.unique(np.round(claims.stated, 1), axis=0, return_inverse=True, return_counts=True)
    crowded = np.argsort(-counts, kind="stable")[: LOOKED_AT // 4]
    return [np.round(np.median(claims.stated[index.ravel() == cell], axis=0), 2) for cell in crowded]


def error_of(values: Floats, clusters: np.ndarray) -> float:
    """Never zero, since a few answers may all be right by chance."""
    return max(standard_error(values, clusters), 0.5 / max(1, len(values)))


def _written(claim: Floats) -> str:
    return ", ".join(f"{q:g}" for q in claim)
