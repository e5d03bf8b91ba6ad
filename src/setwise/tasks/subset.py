"""Subsets with the same rows on every machine: rows are chosen by the hash of their own names.

A sample of n is the n rows with the smallest hashes, in file order. So the sample of 100 is contained in the sample of
200, and neither depends on the process, its random state or how many rows follow.
"""

import heapq
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import TypeVar

from setwise.questions import Problem
from setwise.tasks.task import LeftOut

Item = TypeVar("Item")


def stable_hash(*parts: object) -> int:
    """64 bits that depend only on the parts.

    >>> stable_hash(0, "test-1") == stable_hash(0, "test-1") != stable_hash(1, "test-1")
    True
    """
    return int.from_bytes(blake2b("\0".join(map(str, parts)).encode(), digest_size=8).digest(), "big")


def smallest(keyed: Iterable[tuple[int, Item]], size: int) -> Iterator[Item]:
    """The items with the `size` smallest keys, in their original order. Keeps at most `size` items in memory.

    >>> list(smallest([(5, "a"), (1, "b"), (9, "c"), (3, "d")], 2))
    ['b', 'd']
    """
    kept: list[tuple[int, int, Item]] = []
    if size <= 0:
        return
    for position, (key, item) in enumerate(keyed):
        if len(kept) < size:
            heapq.heappush(kept, (-key, -position, item))
        elif -key > kept[0][0]:
            heapq.heapreplace(kept, (-key, -position, item))
    kept.sort(key=lambda entry: -entry[1])
    for _, _, item in kept:
        yield item


def take(rows: Iterable[Problem | LeftOut], limit: int | None, seed: int | None) -> Iterator[Problem | LeftOut]:
    """All rows, the first `limit` problems or, with a seed, a sample of `limit` problems.

    Rows that are left out are passed on and do not count towards the limit.
    """
    if limit is None:
        yield from rows
    elif seed is None:
        yield from _first(rows, limit)
    else:
        left_out: list[LeftOut] = []
        sample = list(smallest(((stable_hash(seed, p.id), p) for p in _problems(rows, left_out)), limit))
        yield from left_out
        yield from sample


def _first(rows: Iterable[Problem | LeftOut], limit: int) -> Iterator[Problem | LeftOut]:
    taken = 0
    for row in rows:
        yield row
        taken += isinstance(row, Problem)
        if taken == limit:
            return


def _problems(rows: Iterable[Problem | LeftOut], left_out: list[LeftOut]) -> Iterator[Problem]:
    for row in rows:
        if isinstance(row, LeftOut):
            left_out.append(row)
        else:
            yield row
