"""Thinking that is empty, a template, or contradicts its own answers."""

from collections.abc import Sequence

from setwise.signs.names import NameBook
from setwise.signs.words import words

SHORTEST_THOUGHT = 8
LONGEST_ANSWER = 200
READ_WORDS = 2_000
"""Of a long thought, its first and last thousand words are read."""
_REJECTS = frozenset(
    (
        *((verb, "out") for verb in ("rule", "rules", "ruled", "ruling")),
        *((adverb, "not") for adverb in ("is", "was", "definitely", "certainly", "clearly")),
        *((verb, "be") for verb in ("cannot", "not")),
        ("isn", "t"),
        ("t", "be"),
    )
)
"""Pairs of words before a name that rule it out. Doubt does not: an unlikely answer may come last."""
_EXCLUDES = frozenset(["exclude", "excludes", "excluded", "excluding", "dismiss", "dismissed", "reject", "rejected"])
_IS_EXCLUDED = frozenset(["excluded", "dismissed", "rejected", "impossible", "wrong", "ruled"])
_LINKS = frozenset(["is", "was", "can", "be", "been", "has", "are", "therefore", "clearly"])
_CONCLUDES = frozenset(
    (
        ("answer", "is"),
        ("diagnosis", "is"),
        ("condition", "is"),
        ("conclusion", "is"),
        ("must", "be"),
        ("definitely", "has"),
        ("is", "definitely"),
        ("certainly", "has"),
        ("is", "certainly"),
        ("conclude", "that"),
        ("answer", "with"),
    )
)


def is_empty(thinking: str) -> bool:
    """
    >>> is_empty(" ... "), is_empty("hm")
    (True, False)
    """
    return not any(map(str.isalnum, thinking))


def is_idle(thought: Sequence[str], question: str) -> bool:
    """Whether a thought of some length only repeats itself or the question.

    >>> is_idle(["well"] * 20, ""), is_idle("patient has a fever since monday".split(), " a patient has a fever ")
    (True, False)
    """
    if len(thought) < SHORTEST_THOUGHT:
        return False
    return len(set(thought)) <= max(3, len(thought) // 10) or f" {' '.join(thought)} " in question


def template(thought: Sequence[str], answers: Sequence[str]) -> tuple[str, ...]:
    """What is left of a thought when its numbers and its own answers are blanked out.

    >>> template(["perhaps", "gout", "at", "70"], ["Gout"])
    ('perhaps', '_', 'at', '#')
    """
    own = {word for answer in answers if len(answer) < 80 for word in words(answer)}
    return tuple("#" if word.isdigit() else "_" if word in own else word for word in thought)


def contradicts(thought: Sequence[str], answers: Sequence[str], book: NameBook) -> str:
    """How a thought contradicts the set it leads to; empty if it does not, or if names come from no list.

    >>> book = NameBook({"gout": "gout", "flu": "flu"}, closed=True)
    >>> contradicts("it cannot be gout".split(), ["Gout"], book), contradicts("so flu".split(), ["Gout"], book)
    ('rules out an answer', 'names other answers only')
    """
    if not book.closed:
        return ""
    own = set().union(*(_owners(answer, book) for answer in answers))
    read = [*thought[: READ_WORDS // 2], *thought[READ_WORDS // 2 :][-READ_WORDS // 2 :]]
    places = book.places(read)
    if not own or not places:
        return ""
    if own.isdisjoint(owner for _, _, owner in places):
        return "names other answers only"
    last = {owner: (start, end) for start, end, owner in places}
    if any(owner in own and _is_rejected(read, *last[owner]) for owner in last):
        return "rules out an answer"
    concluded = {owner for start, _, owner in places if tuple(read[max(0, start - 2) : start]) in _CONCLUDES}
    return "concludes with another answer" if concluded and concluded.isdisjoint(own) else ""


def _owners(answer: str, book: NameBook) -> set[str]:
    """The names that an answer is, or contains."""
    owner = book.owner(answer)
    return book.owners_in(words(answer[:LONGEST_ANSWER])) if owner is None else {owner}


def _is_rejected(read: Sequence[str], start: int, end: int) -> bool:
    """Judged by the words just before and after a name."""
    if tuple(read[max(0, start - 2) : start]) in _REJECTS or _EXCLUDES.intersection(read[max(0, start - 1) : start]):
        return True
    behind = iter(read[end : end + 4])
    linked = False
    for word in behind:
        if word in _IS_EXCLUDED:
            return linked
        if word not in _LINKS:
            return False
        linked = True
    return False
