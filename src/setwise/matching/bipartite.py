"""Maximum matching of candidates to golds, so that one gold is never earned twice."""

from collections.abc import Sequence


def assign_golds(edges: Sequence[Sequence[int]]) -> list[int | None]:
    """The gold that each candidate earns, given the golds that each could earn.

    Augmenting in written order gives a maximum matching that prefers the earliest matchable candidates: once matched, a
    candidate may move to another gold but is never dropped.

    >>> assign_golds([[0], [0], [1]])
    [0, None, 1]
    >>> assign_golds([[0, 1], [0]])
    [1, 0]
    """
    owner: dict[int, int] = {}
    earned: list[int | None] = [None] * len(edges)
    for candidate, golds in enumerate(edges):
        for gold in golds:
            if gold not in owner:
                owner[gold], earned[candidate] = candidate, gold
                break
        else:
            _augment(candidate, edges, owner, earned)
    return earned


def _augment(start: int, edges: Sequence[Sequence[int]], owner: dict[int, int], earned: list[int | None]) -> None:
    """Breadth-first search for a chain of moves that frees a gold for `start`."""
    reached_from: dict[int, int] = {}
    frontier = [start]
    for candidate in frontier:
        for gold in edges[candidate]:
            if gold in reached_from:
                continue
            reached_from[gold] = candidate
            if gold in owner:
                frontier.append(owner[gold])
                continue
            _shift(gold, start, reached_from, owner, earned)
            return


def _shift(
    free: int, start: int, reached_from: dict[int, int], owner: dict[int, int], earned: list[int | None]
) -> None:
    gold: int | None = free
    while gold is not None:
        candidate = reached_from[gold]
        owner[gold] = candidate
        earned[candidate], gold = gold, None if candidate == start else earned[candidate]
