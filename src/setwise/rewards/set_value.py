"""The value of a set as it grows: of its first answer, its first two, and so on.

An answer's gain is what it adds to the value, so every set value also credits single answers.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from random import Random

from setwise.objectives import SetValue

DRAWS = 4096


def prefix_values(
    labels: Sequence[bool], value: SetValue = "sum", *, n_golds: int | None = None, passed: Sequence[int] = ()
) -> list[float]:
    """The value of the first 1, 2, ... answers.

    `sum`, the paper's, counts the right ones. `any` is 1 if one is right. `vpo` (arXiv 2605.22817) assumes a user who
    weighs the golds, or the tests, by unknown weights, all equally likely; the value is the expected worth of the set's
    best answer to that user. `passed` has the tests that each answer passed, as bits.

    >>> prefix_values([True, False, True]), prefix_values([False, True, True], "any")
    ([1.0, 1.0, 2.0], [0.0, 1.0, 1.0])
    >>> prefix_values([True, True], "vpo", n_golds=4)
    [0.25, 0.375]
    """
    if value == "any":
        return list(accumulate(map(float, labels), max))
    counts = list(accumulate(map(float, labels)))
    if value == "sum":
        return counts
    if passed:
        return list(_values_over_tests(passed, n_golds or 1))
    return [_expected_largest(int(count)) / (n_golds or 1) for count in counts]


def gains(values: Sequence[float]) -> list[float]:
    """What each answer added.

    >>> gains([1.0, 1.0, 2.0])
    [1.0, 0.0, 1.0]
    """
    return [after - before for before, after in pairwise([0.0, *values])]


def _expected_largest(count: int) -> float:
    """The expected largest of `count` out of N uniformly distributed weights, times N: a harmonic number."""
    return sum(1 / number for number in range(1, count + 1))


def _values_over_tests(passed: Sequence[int], tests: int) -> Iterator[float]:
    best: frozenset[int] = frozenset()
    for tests_passed in passed:
        best = frozenset(_undominated({*best, tests_passed}))
        yield _expected_best(best, tests)


def _undominated(answers: set[int]) -> Iterator[int]:
    """The answers that no other surpasses by passing all of their tests and more."""
    return (one for one in answers if not any(one | other == other != one for other in answers))


@cache
def _expected_best(answers: frozenset[int], tests: int) -> float:
    if len(answers) == 1:
        return next(iter(answers)).bit_count() / tests
    shares = [[test for test in range(tests) if answer >> test & 1] for answer in answers]
    return sum(max(sum(weights[test] for test in share) for share in shares) for weights in _draws(tests)) / DRAWS


@cache
def _draws(tests: int) -> list[list[float]]:
    """Random weights over the tests, uniformly distributed; the same draws on every machine."""
    chance = Random(tests)
    drawn = []
    for _ in range(DRAWS):
        sizes = [chance.expovariate(1.0) for _ in range(tests)]
        drawn.append([size / sum(sizes) for size in sizes])
    return drawn
