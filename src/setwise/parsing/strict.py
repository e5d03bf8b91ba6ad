"""The parser of the format reward: every tag, in order, with only white space outside the tags.

Runs in linear time on any text: it uses only `str.find` and patterns that never backtrack.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from setwise.answers import AnswerSet, Candidate, Malformed, Reason, Span, Spans
from setwise.contract import TAG, THINK_CLOSE, THINK_OPEN, tags_of
from setwise.objectives import Format, Objective
from setwise.parsing.confidences import strict_confidence

_SPACE = re.compile(r"\s*")
_MISSING = {
    "answer": Reason.MISSING_ANSWER,
    "confidence": Reason.MISSING_CONFIDENCE,
    "analysis": Reason.MISSING_ANALYSIS,
}


class Place(NamedTuple):
    """One required tag, prepared for searching."""

    name: str
    kind: str
    opening: str
    closing: str


class Layout(NamedTuple):
    """The tags of a format, and the positions of each kind among them."""

    places: tuple[Place, ...]
    names: tuple[str, ...]
    plain: re.Pattern[str]
    """Matches a valid tail whose contents have no `<`, in one step. Nearly every valid tail is of this kind."""
    answers: slice
    confidences: slice
    analysis: slice


@lru_cache(maxsize=256)
def layout_of(format: Format) -> Layout:
    places = tuple(Place(tag.name, tag.kind, tag.opening, tag.closing) for tag in tags_of(format))
    plain = "".join(rf"\s*{place.opening}([^<]*+){place.closing}" for place in places)
    names = tuple(place.name for place in places)
    return Layout(places, names, re.compile(plain + r"\s*\Z"), *(_slice_of(kind, places) for kind in _MISSING))


def _slice_of(kind: str, places: tuple[Place, ...]) -> slice:
    found = [number for number, place in enumerate(places) if place.kind == kind]
    return slice(found[0], found[-1] + 1, found[1] - found[0] if found[1:] else 1) if found else slice(0)


def parse_strictly(text: str, objective: Objective) -> AnswerSet | Malformed:
    """The answer set of a strictly valid completion, or the first rule it breaks."""
    thinking_end = text.rfind(THINK_CLOSE)
    thinking_start = _thinking_start(text, thinking_end, objective)
    if isinstance(thinking_start, Malformed):
        return thinking_start
    layout = layout_of(objective.format)
    tail = thinking_end + len(THINK_CLOSE)
    plain = layout.plain.match(text, tail)
    spans = None if plain else _spans(text, tail, layout)
    if isinstance(spans, Malformed):
        return spans
    contents = plain.groups() if plain else [text[start:end] for start, end in spans or ()]
    where = partial(_found, (thinking_start, thinking_end), plain, spans, layout)
    return _answer_set(contents, text[thinking_start:thinking_end], layout, where)


def _found(thinking: Span, plain: re.Match[str] | None, spans: Sequence[Span] | None, layout: Layout) -> Spans:
    inside = plain.regs[1:] if plain else spans or ()
    return Spans(thinking, inside[layout.answers], inside[layout.confidences], *inside[layout.analysis])


def _thinking_start(text: str, thinking_end: int, objective: Objective) -> int | Malformed:
    if thinking_end < 0:
        begun = objective.think_opened or THINK_OPEN in text
        return Malformed(Reason.TRUNCATED if begun else Reason.MISSING_THINK, THINK_CLOSE)
    start = _after_space(text, 0)
    if text.startswith(THINK_OPEN, start):
        return start + len(THINK_OPEN)
    if objective.think_opened:
        return 0
    begun = text.find(THINK_OPEN, 0, thinking_end) >= 0
    return Malformed(Reason.EXTRA_TEXT if begun else Reason.MISSING_THINK, THINK_OPEN)


def _spans(text: str, position: int, layout: Layout) -> list[Span] | Malformed:
    """The position of each tag's content, in order."""
    spans: list[Span] = []
    for place in layout.places:
        position = _after_space(text, position)
        if not text.startswith(place.opening, position):
            return Malformed(_misplaced(text, position, place, layout), place.opening)
        start = position + len(place.opening)
        end = text.find(place.closing, start)
        if end < 0:
            return Malformed(Reason.TRUNCATED, place.closing)
        if any(found[2] in layout.names for found in TAG.finditer(text, start, end)):
            return Malformed(Reason.NESTED_TAG, place.opening)
        spans.append((start, end))
        position = end + len(place.closing)
    if (rest := _after_space(text, position)) < len(text):
        repeated = (found := TAG.match(text, rest)) and found[2] in layout.names
        return Malformed(Reason.REPEATED_TAG if repeated else Reason.EXTRA_TEXT, text[rest : rest + 40])
    return spans


def _answer_set(
    contents: Sequence[str], thinking: str, layout: Layout, where: Callable[[], Spans]
) -> AnswerSet | Malformed:
    contents = [content.strip() for content in contents]
    answers, written = contents[layout.answers], contents[layout.confidences]
    if "" in answers:
        return Malformed(Reason.EMPTY_ANSWER, layout.places[layout.answers][answers.index("")].opening)
    confidences = [strict_confidence(text) for text in written]
    if None in confidences:
        return Malformed(Reason.BAD_CONFIDENCE, written[confidences.index(None)][:40])
    candidates = map(Candidate, answers, confidences, written) if written else map(Candidate, answers)
    return AnswerSet(tuple(candidates), thinking, "".join(contents[layout.analysis]), (), where)


def _misplaced(text: str, position: int, expected: Place, layout: Layout) -> Reason:
    """Why the expected tag is not at `position`."""
    if position < len(text) and expected.opening.startswith(text[position : position + len(expected.opening)]):
        return Reason.TRUNCATED
    comes_later = text.find(expected.opening, position) >= 0
    found = TAG.match(text, position)
    if found and found[2] in layout.names:
        already_read = layout.names[: layout.names.index(expected.name)]
        if found[2] in already_read and not found[1]:
            return Reason.REPEATED_TAG
        return Reason.OUT_OF_ORDER if comes_later or found[1] else _MISSING[expected.kind]
    return Reason.EXTRA_TEXT if comes_later else _MISSING[expected.kind]


def _after_space(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return space.end() if space else position
