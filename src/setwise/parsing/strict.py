"""The format reward's parser: every tag, in order, and nothing else outside them but white space.

One walk over the text with `str.find`; each character is looked at a bounded number of times, whatever the text.
"""

import re
from collections.abc import Collection
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


@lru_cache(maxsize=256)
def tags_named(names: tuple[str, ...]) -> tuple[Tag, ...]:
    """The tags of an objective, ready to be looked for."""
    return tuple(Tag(name, name.rstrip("0123456789"), f"<{name}>", f"</{name}>") for name in names)


def parse_strictly(text: str, objective: Objective) -> AnswerSet | Malformed:
    """The answer set of a strictly valid completion, or the first rule it breaks."""
    thinking_end = text.rfind(THINK_CLOSE)
    thinking_start = _thinking_start(text, thinking_end, objective)
    if isinstance(thinking_start, Malformed):
        return thinking_start
    contents = _contents(text, thinking_end + len(THINK_CLOSE), objective)
    if isinstance(contents, Malformed):
        return contents
    return _answer_set(contents, text[thinking_start:thinking_end], objective)


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
    names = objective.tags
    contents: list[str] = []
    for tag in tags_named(names):
        if not text.startswith(tag.opening, position):
            position = _after_space(text, position)
        if not text.startswith(tag.opening, position):
            return Malformed(_misplaced(text, position, tag, objective), tag.opening)
        start = position + len(tag.opening)
        end = text.find(tag.closing, start)
        if end < 0:
            return Malformed(Reason.TRUNCATED, tag.closing)
        content = text[start:end].strip()
        if "<" in content and _has_tag(content, names):
            return Malformed(Reason.NESTED_TAG, tag.opening)
        contents.append(content)
        position = end + len(tag.closing)
    if (rest := _after_space(text, position)) < len(text):
        repeated = (found := _TAG.match(text, rest)) and found[2] in names
        return Malformed(Reason.REPEATED_TAG if repeated else Reason.EXTRA_TEXT, text[rest : rest + 40])
    return contents


def _answer_set(contents: list[str], thinking: str, objective: Objective) -> AnswerSet | Malformed:
    answers: list[str] = []
    confidences: list[float | None] = []
    written: list[str | None] = []
    analysis = ""
    for tag, content in zip(tags_named(objective.tags), contents, strict=True):
        if tag.kind == "answer":
            if not content:
                return Malformed(Reason.EMPTY_ANSWER, tag.opening)
            answers.append(content)
        elif tag.kind == "confidence":
            if (value := strict_confidence(content)) is None:
                return Malformed(Reason.BAD_CONFIDENCE, content[:40])
            confidences.append(value)
            written.append(content)
        else:
            analysis = content
    unasked = [] if confidences else [None] * len(answers)
    candidates = map(Candidate, answers, confidences or unasked, written or unasked)
    return AnswerSet(tuple(candidates), thinking, analysis)


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


def _has_tag(content: str, names: Collection[str]) -> bool:
    return any(found[2] in names for found in _TAG.finditer(content))


def _after_space(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return space.end() if space else position
