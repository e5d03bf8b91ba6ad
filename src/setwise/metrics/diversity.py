"""How many new answers repeated sampling finds, and how much it repeats itself."""

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from math import comb


def rarefaction(samples: Sequence[Collection[Hashable]], n: int) -> float:
    """The expected number of distinct items in n of the samples, drawn without replacement.

    sum over items of 1 - C(S - d, n) / C(S, n), for S samples, d of which have the item (sample-based rarefaction;
    exact, no random draws). A sample is the set of normal forms in one completion, so the unit drawn is the completion.

    >>> rarefaction([{"flu"}, {"flu"}, {"cold"}], n=2)
    1.6666666666666667
    """
    total = len(samples)
    if not 0 <= n <= total:
        raise ValueError(f"n must be from 0 to the number of samples, {total}, got {n}")
    return _expected_distinct(_holders(samples), total, n)


def rarefaction_curve(samples: Sequence[Collection[Hashable]]) -> list[float]:
    """`rarefaction` for n = 1 up to the number of samples.

    >>> rarefaction_curve([{"flu"}, {"flu", "cold"}])
    [1.5, 2.0]
    """
    holders = _holders(samples)
    return [_expected_distinct(holders, len(samples), n) for n in range(1, len(samples) + 1)]


def _holders(samples: Sequence[Collection[Hashable]]) -> Counter[int]:
    """For each d, the number of items that occur in exactly d samples."""
    return Counter(Counter(item for sample in samples for item in set(sample)).values())


def _expected_distinct(holders: Counter[int], total: int, n: int) -> float:
    draws = comb(total, n)
    return sum(items * (1 - comb(total - held, n) / draws) for held, items in holders.items())


def ngrams(words: Sequence[str], n: int) -> set[tuple[str, ...]]:
    """The distinct sequences of n consecutive words.

    >>> sorted(ngrams("a b c".split(), 2))
    [('a', 'b'), ('b', 'c')]
    """
    return {tuple(words[i : i + n]) for i in range(len(words) - n + 1)}


def ngram_overlaps(texts: Sequence[str], n: int = 4) -> list[float | None]:
    """For each text, the mean share of its n-grams that also occur in another of the texts.

    Entry a is (1 / (S - 1)) sum_{b != a} |A and B| / |A| over distinct word n-grams, so it does not grow with the
    number of texts. Texts shorter than n words get None and are not counted in S. A single text gets None.

    >>> ngram_overlaps(["a b c", "a b d", "a b c"], n=2)
    [0.75, 0.5, 0.75]
    """
    grams = [ngrams(text.casefold().split(), n) for text in texts]
    holders = Counter(gram for each in grams for gram in each)
    others = sum(bool(each) for each in grams) - 1
    return [
        sum(holders[gram] - 1 for gram in each) / (len(each) * others) if each and others else None for each in grams
    ]
