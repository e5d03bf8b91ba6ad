"""How much repeated sampling still finds, and how much it repeats."""

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from math import comb


def rarefaction(samples: Sequence[Collection[Hashable]], n: int) -> float:
    """The expected number of distinct items in n of the samples, drawn without replacement.

    sum over items of 1 - C(S - d, n) / C(S, n), with S samples of which d hold the item (sample-based rarefaction:
    exact, no random draw). A sample is the set of normal forms of one completion, so the unit drawn is the completion.

    >>> rarefaction([{"flu"}, {"flu"}, {"cold"}], n=2)
    1.6666666666666667
    """
    total = len(samples)
    if not 0 <= n <= total:
        raise ValueError(f"n must be from 0 to the number of samples, {total}, got {n}")
    return _expected_distinct(_holders(samples), total, n)


def rarefaction_curve(samples: Sequence[Collection[Hashable]]) -> list[float]:
    """`rarefaction` for n = 1 up to all of the samples.

    >>> rarefaction_curve([{"flu"}, {"flu", "cold"}])
    [1.5, 2.0]
    """
    holders = _holders(samples)
    return [_expected_distinct(holders, len(samples), n) for n in range(1, len(samples) + 1)]


def _holders(samples: Sequence[Collection[Hashable]]) -> Counter[int]:
    """How many items are held by exactly d samples, for each d."""
    return Counter(Counter(item for sample in samples for item in set(sample)).values())


def _expected_distinct(holders: Counter[int], total: int, n: int) -> float:
    draws = comb(total, n)
    return sum(items * (1 - comb(total - held, n) / draws) for held, items in holders.items())


def ngrams(words: Sequence[str], n: int) -> set[tuple[str, ...]]:
    """The distinct runs of n words.

    >>> sorted(ngrams("a b c".split(), 2))
    [('a', 'b'), ('b', 'c')]
    """
    return {tuple(words[i : i + n]) for i in range(len(words) - n + 1)}


def ngram_overlaps(texts: Sequence[str], n: int = 4) -> list[float | None]:
    """For each text, the mean share of its n-grams that another one of the texts holds too.

    Entry a is (1 / (S - 1)) sum_{b != a} |A and B| / |A| over distinct word n-grams, so it does not grow with the
    number of texts. A text shorter than n words is none: it has None, and is not among the S. None for a text alone.

    >>> ngram_overlaps(["a b c", "a b d", "a b c"], n=2)
    [0.75, 0.5, 0.75]
    """
    grams = [ngrams(text.casefold().split(), n) for text in texts]
    holders = Counter(gram for each in grams for gram in each)
    others = sum(bool(each) for each in grams) - 1
    return [
        sum(holders[gram] - 1 for gram in each) / (len(each) * others) if each and others else None for each in grams
    ]
