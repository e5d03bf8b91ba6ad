"""What can be recovered from a completion that breaks the format, and nothing that must be guessed.

A tag counts when it is complete and stands exactly once where answers stand. Tags in any letter case, with
blanks inside, closed without their number, out of order or among other text are all still one answer; a tag
written twice is two, so neither is taken. Tags inside the thinking are never answers: where the thinking was
not closed, a set is taken only if it is whole and is the last thing in the text.
"""

import re
from typing import NamedTuple

from setwise.answers import AnswerSet, Candidate, Malformed
from setwise.objectives import Objective
from setwise.parsing.confidences import lenient_confidence
from setwise.parsing.strict import THINK_CLOSE, THINK_OPEN

_TAG = re.compile(r"<\s{0,2}(/?)\s{0,2}(answer|confidence|analysis)\s{0,2}([0-9]{0,4})\s{0,2}>", re.IGNORECASE)


class Block(NamedTuple):
    content: str
    start: int
    end: int


def parse_leniently(text: str, objective: Objective, broken: Malformed) -> AnswerSet | Malformed:
    """The recoverable candidates of a completion whose strict parse gave `broken`."""
    thinking_end = text.rfind(THINK_CLOSE)
    start = 0 if thinking_end < 0 else thinking_end + len(THINK_CLOSE)
    blocks = _blocks(text, start, objective.k)
    candidates = _candidates(blocks, objective)
    if not candidates:
        return broken
    first = min(block.start for block in blocks.values())
    if thinking_end < 0 and (objective.think_opened or THINK_OPEN in text):
        last = max(block.end for block in blocks.values())
        if len(candidates) < objective.k or text[last:].strip():
            return broken
    thinking = text[: thinking_end if thinking_end >= 0 else first].strip().removeprefix(THINK_OPEN)
    analysis = blocks.get(("analysis", 1))
    return AnswerSet(candidates, thinking, analysis.content if analysis else "", (broken.reason,))


def _candidates(blocks: dict[tuple[str, int], Block], objective: Objective) -> tuple[Candidate, ...]:
    """The answers in the order written, each with the confidence of its own number."""
    answers = sorted((block.start, number) for (kind, number), block in blocks.items() if kind == "answer")
    candidates: list[Candidate] = []
    for _, number in answers:
        answer = blocks["answer", number].content
        confidence = blocks.get(("confidence", number)) if objective.has_confidences else None
        if not answer:
            continue
        if confidence is None:
            candidates.append(Candidate(answer))
        else:
            value, repair = lenient_confidence(confidence.content)
            candidates.append(Candidate(answer, value, confidence.content, repair))
    return tuple(candidates)


def _blocks(text: str, start: int, k: int) -> dict[tuple[str, int], Block]:
    """Every tag of numbers 1 to k that is opened and closed exactly once; an unnumbered tag is number 1 if k is 1."""
    found: dict[tuple[str, int], Block | None] = {}
    opened: tuple[str, int, int] | None = None
    for tag in _TAG.finditer(text, start):
        kind, closing = tag[2].lower(), tag[1]
        number = int(tag[3]) if tag[3] else (1 if k == 1 or kind == "analysis" else 0)
        if tag[3] and not 1 <= number <= k:
            continue  # Ordinary text.
        if not closing:
            opened = (kind, number, tag.end()) if number else None
        elif opened and opened[0] == kind:
            key = opened[:2]
            whole = Block(text[opened[2] : tag.start()].strip(), opened[2], tag.end())
            found[key] = None if key in found else whole
            opened = None
    return {key: block for key, block in found.items() if block}
