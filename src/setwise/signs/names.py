"""The names that answers can have, as far as a task or its golds reveal them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from setwise.questions import Gold
from setwise.signs.words import wording

LONGEST_NAME = 8
"""Longest name to look for in other texts, in words. Anything longer is a sentence."""


@dataclass(frozen=True)
class NameBook:
    """Names by their words, each with the name it is an alias of."""

    owners: Mapping[str, str]
    closed: bool = False
    """Whether answers come from a list. A text with two of its names is then about two answers."""
    near: dict[tuple[str, str], str] = field(default_factory=dict, repr=False, compare=False)
    """Pairs of answers already compared, and what makes them the same."""
    _lengths: dict[str, list[int]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_first: defaultdict[str, set[int]] = defaultdict(set)
        for name in self.owners:
            parts = name.split(" ")
            if len(parts) <= LONGEST_NAME:
                by_first[parts[0]].add(len(parts))
        self._lengths.update({first: sorted(sizes, reverse=True) for first, sizes in by_first.items()})

    def owner(self, answer: str) -> str | None:
        """The name that an answer is, or is an alias of; None if it is neither."""
        return self.owners.get(wording(answer))

    def places(self, text: Sequence[str]) -> list[tuple[int, int, str]]:
        """Names in a list of words: first word, the one after the last, and which name. Longest first, none inside
        another.

        >>> NameBook({"gout": "gout", "acute gout": "acute gout"}).places("an acute gout".split())
        [(1, 3, 'acute gout')]
        """
        found, place = [], 0
        while place < len(text):
            for size in self._lengths.get(text[place], ()):
                name = " ".join(text[place : place + size])
                if name in self.owners:
                    found.append((place, place + size, self.owners[name]))
                    place += size - 1
                    break
            place += 1
        return found

    def owners_in(self, text: Sequence[str]) -> set[str]:
        return {owner for _, _, owner in self.places(text)}


def book_of(golds: Iterable[Sequence[Gold]], listed: Sequence[str] = ()) -> NameBook:
    """The names of a task: its own list, or its golds. Golds that recur often are a list too.

    >>> book_of([[Gold("Flu", ("influenza",))]], ["Flu", "Gout"]).owners
    {'flu': 'flu', 'gout': 'gout', 'influenza': 'flu'}
    """
    owners = {wording(name): wording(name) for name in listed}
    mentions: Counter[str] = Counter()
    for own in golds:
        for gold in own:
            text = wording(gold.text)
            mentions[text] += 1
            owners.setdefault(text, text)
            for alias in gold.aliases:
                owners.setdefault(wording(alias), text)
    owners.pop("", None)
    closed = bool(listed) or (len(mentions) > 1 and 3 * len(mentions) <= mentions.total())
    return NameBook(owners, closed)
