"""Recovers what is unambiguous in a completion that breaks the format. It never guesses.

A tag counts if it is complete and appears exactly once among the answers. It may be in any letter case, contain spaces,
be closed without its number, be out of order or stand among other text. A tag written twice is ambiguous, so neither is
used. Tags inside the thinking are never answers; if the thinking was not closed, a set counts only if it is complete
and ends the text.
"""

from typing import NamedTuple

from setwise.answers import AnswerSet, Candidate, Malformed, Span, Spans
from setwise.contract import LOOSE_TAG, THINK_CLOSE, THINK_OPEN
from setwise.objectives import Objective
from setwise.parsing.confidences import lenient_confidence


class Block(NamedTuple):
    """The content of a tag, and its position."""

    content: str
    span: Span
    end: int
    """The end of the closing tag."""


def parse_leniently(text: str, objective: Objective, failed: Malformed) -> AnswerSet | Malformed:
    """The recoverable candidates of a completion that failed the strict parse."""
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
    """The answers in the order written, each with the confidence of the same number, and the positions of both."""
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
    """Every tag numbered 1 to k that is opened and closed exactly once. If k is 1, an unnumbered tag counts as number
    1."""
    found: dict[tuple[str, int], Block | None] = {}
    opened: tuple[str, int, int] | None = None
    for tag in LOOSE_TAG.finditer(text, start):
        kind, closing = tag[2].lower(), tag[1]
        number = int(tag[3]) if tag[3] else (1 if k == 1 or kind == "analysis" else 0)
        if tag[3] and not 1 <= number <= k:
            continue  # ordinary text
        if not closing:
            opened = (kind, number, tag.end()) if number else None
        elif opened and opened[0] == kind:
            key = opened[:2]
            span = (opened[2], tag.start())
            whole = Block(text[slice(*span)].strip(), span, tag.end())
            found[key] = None if key in found else whole
            opened = None
    return {key: block for key, block in found.items() if block}
