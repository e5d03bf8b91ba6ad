"""What can be recovered from a completion that breaks the format, and nothing that must be guessed.

A tag counts when it is complete and stands exactly once where answers stand. Tags in any letter case, with
blanks inside, closed without their number, out of order or among other text are all still one answer; a tag
written twice is two, so neither is taken. Tags inside the thinking are never answers: where the thinking was
not closed, a set is taken only if it is whole and is the last thing in the text.
"""

from typing import NamedTuple

from setwise.answers import AnswerSet, Candidate, Malformed, Span, Spans
from setwise.contract import LOOSE_TAG, THINK_CLOSE, THINK_OPEN
from setwise.objectives import Objective
from setwise.parsing.confidences import lenient_confidence


class Block(NamedTuple):
    """What stands between two tags, and where."""

    content: str
    span: Span
    end: int
    """Where the closing tag ends."""


def parse_leniently(text: str, objective: Objective, failed: Malformed) -> AnswerSet | Malformed:
    """The recoverable candidates of a completion whose strict parse failed."""
    thinking_end = text.rfind(THINK_CLOSE)
    start = 0 if thinking_end < 0 else thinking_end + len(THINK_CLOSE)
    blocks = _blocks(text, start, objective.k)
    candidates, answers, confidences = _candidates(blocks, objective)
    if not candidates:
        return failed
    first = min(block.span[0] for block in blocks.values())
    if thinking_end < 0 and (objective.think_opened or THINK_OPEN in text):
        last = max(block.end for block in blocks.values())
        if len(candidates) < objective.k or text[last:].strip():
            return failed
    opening = len(text) - len(text.lstrip())
    opened = text.startswith(THINK_OPEN, opening)
    thought = (opening + len(THINK_OPEN) * opened, thinking_end if thinking_end >= 0 else first)
    thinking = text[slice(*thought)].rstrip()
    analysis = blocks.get(("analysis", 1))
    spans = Spans(thought, answers, confidences, analysis and analysis.span)
    return AnswerSet(candidates, thinking, analysis.content if analysis else "", (failed.reason,), lambda: spans)


def _candidates(
    blocks: dict[tuple[str, int], Block], objective: Objective
) -> tuple[tuple[Candidate, ...], list[Span], list[Span | None]]:
    """The answers in the order written, each with the confidence of its own number; and where both stand."""
    written = sorted((block.span[0], number) for (kind, number), block in blocks.items() if kind == "answer")
    candidates: list[Candidate] = []
    answers: list[Span] = []
    confidences: list[Span | None] = []
    for _, number in written:
        answer, span, _ = blocks["answer", number]
        confidence = blocks.get(("confidence", number)) if objective.confidences else None
        if not answer:
            continue
        answers.append(span)
        confidences.append(confidence and confidence.span)
        if confidence is None:
            candidates.append(Candidate(answer))
        else:
            value, repair = lenient_confidence(confidence.content)
            candidates.append(Candidate(answer, value, confidence.content, repair))
    return tuple(candidates), answers, confidences if objective.confidences else []


def _blocks(text: str, start: int, k: int) -> dict[tuple[str, int], Block]:
    """Every tag of numbers 1 to k that is opened and closed exactly once; an unnumbered tag is number 1 if k is 1."""
    found: dict[tuple[str, int], Block | None] = {}
    opened: tuple[str, int, int] | None = None
    for tag in LOOSE_TAG.finditer(text, start):
        kind, closing = tag[2].lower(), tag[1]
        number = int(tag[3]) if tag[3] else (1 if k == 1 or kind == "analysis" else 0)
        if tag[3] and not 1 <= number <= k:
            continue  # Ordinary text.
        if not closing:
            opened = (kind, number, tag.end()) if number else None
        elif opened and opened[0] == kind:
            key = opened[:2]
            span = (opened[2], tag.start())
            whole = Block(text[slice(*span)].strip(), span, tag.end())
            found[key] = None if key in found else whole
            opened = None
    return {key: block for key, block in found.items() if block}
