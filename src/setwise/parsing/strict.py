"""The format reward's parser: every tag, in order, and nothing else outside them but white space.

Each character is looked at a bounded number of times, whatever the text: `str.find`, and patterns that never
go back.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from setwise.answers import AnswerSet, Candidate, Malformed, Reason
from setwise.objectives import Objective
from setwise.parsing.confidences import strict_confidence

THINK_OPEN, THINK_CLOSE = "<think>", "</think>"
_TAG = re.compile(r"<(/?)((?:answer|confidence)[0-9]{0,4}|analysis|think)>")
_SPACE = re.compile(r"\s*")
_MISSING = {
    "answer": Reason.MISSING_ANSWER,
    "confidence": Reason.MISSING_CONFIDENCE,
    "analysis": Reason.MISSING_ANALYSIS,
}


class Tag(NamedTuple):
    name: str
    kind: str
    opening: str
    closing: str


class Layout(NamedTuple):
    """The tags of an objective, ready to be looked for, and where each kind stands among them."""

    tags: tuple[Tag, ...]
    plain: re.Pattern[str]
    """Matches a valid tail in which nothing inside the tags contains a `<`: nearly every one, in one step."""
    answers: slice
    confidences: slice
    analysis: slice


@lru_cache(maxsize=256)
def layout_of(names: tuple[str, ...]) -> Layout:
    tags = tuple(Tag(name, name.rstrip("0123456789"), f"<{name}>", f"</{name}>") for name in names)
    plain = "".join(rf"\s*{tag.opening}([^<]*+){tag.closing}" for tag in tags)
    return Layout(tags, re.compile(plain + r"\s*\Z"), *(_places(tags, kind) for kind in _MISSING))


def _places(tags: tuple[Tag, ...], kind: str) -> slice:
    places = [place for place, tag in enumerate(tags) if tag.kind == kind]
    return slice(places[0], places[-1] + 1, places[1] - places[0] if places[1:] else 1) if places else slice(0)


def parse_strictly(text: str, objective: Objective) -> AnswerSet | Malformed:
    """The answer set of a strictly valid completion, or the first rule it breaks."""
    thinking_end = text.rfind(THINK_CLOSE)
    thinking_start = _thinking_start(text, thinking_end, objective)
    if isinstance(thinking_start, Malformed):
        return thinking_start
    layout = layout_of(objective.tags)
    tail = thinking_end + len(THINK_CLOSE)
    plain = layout.plain.match(text, tail)
    contents = plain.groups() if plain else _contents(text, tail, objective)
    if isinstance(contents, Malformed):
        return contents
    return _answer_set(contents, text[thinking_start:thinking_end], layout)


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


def _contents(text: str, position: int, objective: Objective) -> list[str] | Malformed:
    """What stands inside each tag, in order."""
    contents: list[str] = []
    for tag in layout_of(objective.tags).tags:
        position = _after_space(text, position)
        if not text.startswith(tag.opening, position):
            return Malformed(_misplaced(text, position, tag, objective), tag.opening)
        start = position + len(tag.opening)
        end = text.find(tag.closing, start)
        if end < 0:
            return Malformed(Reason.TRUNCATED, tag.closing)
        content = text[start:end]
        if any(found[2] in objective.tags for found in _TAG.finditer(content)):
            return Malformed(Reason.NESTED_TAG, tag.opening)
        contents.append(content)
        position = end + len(tag.closing)
    if (rest := _after_space(text, position)) < len(text):
        repeated = (found := _TAG.match(text, rest)) and found[2] in objective.tags
        return Malformed(Reason.REPEATED_TAG if repeated else Reason.EXTRA_TEXT, text[rest : rest + 40])
    return contents


def _answer_set(contents: Sequence[str], thinking: str, layout: Layout) -> AnswerSet | Malformed:
    contents = [content.strip() for content in contents]
    answers, written = contents[layout.answers], contents[layout.confidences]
    if "" in answers:
        return Malformed(Reason.EMPTY_ANSWER, layout.tags[layout.answers][answers.index("")].opening)
    confidences = [strict_confidence(text) for text in written]
    if None in confidences:
        return Malformed(Reason.BAD_CONFIDENCE, written[confidences.index(None)][:40])
    candidates = map(Candidate, answers, confidences, written) if written else map(Candidate, answers)
    return AnswerSet(tuple(candidates), thinking, "".join(contents[layout.analysis]))


def _misplaced(text: str, position: int, expected: Tag, objective: Objective) -> Reason:
    """Why the expected tag does not stand at `position`."""
    if position < len(text) and expected.opening.startswith(text[position : position + len(expected.opening)]):
        return Reason.TRUNCATED
    comes_later = text.find(expected.opening, position) >= 0
    found = _TAG.match(text, position)
    if found and found[2] in objective.tags:
        already_read = objective.tags[: objective.tags.index(expected.name)]
        if found[2] in already_read and not found[1]:
            return Reason.REPEATED_TAG
        return Reason.OUT_OF_ORDER if comes_later or found[1] else _MISSING[expected.kind]
    return Reason.EXTRA_TEXT if comes_later else _MISSING[expected.kind]


def _after_space(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return space.end() if space else position
