"""How many of the answers of one set are right, and how many differ.

Each function sees one set. `correct` has one entry per candidate *written*; a set that was cut short or could
not be parsed has fewer entries than K, and what is missing is wrong.
"""

from collections.abc import Hashable, Iterable, Sequence


def n_correct(correct: Sequence[bool]) -> int:
    """How many candidates earned a gold.

    >>> n_correct([True, False, True])
    2
    """
    return sum(map(bool, correct))


def coverage(correct: Sequence[bool], k: int) -> float:
    """The share of the K places of the set that hold a right answer: (1/K) sum_i c_i.

    >>> coverage([True, False], k=4)
    0.25
    """
    return n_correct(correct) / k


def recall(correct: Sequence[bool], n_golds: int) -> float:
    """The share of the N golds that were found.

    >>> recall([True, False, True], n_golds=4)
    0.5
    """
    return n_correct(correct) / n_golds


def attainable_coverage(correct: Sequence[bool], k: int, n_golds: int) -> float:
    """Right answers over the most that K places and N golds allow: n_correct / min(K, N).

    >>> attainable_coverage([True, False, False], k=3, n_golds=1)
    1.0
    """
    return n_correct(correct) / min(k, n_golds)


def pass_at_k(correct: Sequence[bool]) -> float:
    """1 if any candidate is right, else 0.

    >>> pass_at_k([False, True, False]), pass_at_k([])
    (1.0, 0.0)
    """
    return float(any(correct))


def pass_at_1(correct: Sequence[bool], k: int, *, sampled: bool = False) -> float:
    """Whether the one answer a user would take is right.

    The first of a written set. Of K independent samples, their mean, which is the expectation of a pick at
    random and has less noise than one pick.

    >>> pass_at_1([False, True, True], k=3)
    0.0
    >>> pass_at_1([False, True, True, True], k=4, sampled=True)
    0.75
    """
    if sampled:
        return n_correct(correct) / k
    return float(bool(correct) and bool(correct[0]))


def most_confident(correct: Sequence[bool], confidences: Sequence[float | None]) -> float | None:
    """Whether the candidate with the highest confidence is right; the first of equals. None without confidences.

    >>> most_confident([False, True], [0.2, 0.7])
    1.0
    """
    claimed = [(q, -place) for place, q in enumerate(confidences) if q is not None]
    return float(correct[-max(claimed)[1]]) if claimed else None


def uniqueness(forms: Iterable[Hashable]) -> int:
    """The number of distinct answers, each given by its normal form.

    >>> uniqueness(["flu", "flu", "cold"])
    2
    """
    return len(set(forms))
