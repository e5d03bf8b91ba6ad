"""Which part of a completion a token writes.

A part is what stands between two tags, with its tags and the white space before them. A token belongs to the part its
first character is in: what it decides, it decides for that part first.
"""

from collections.abc import Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from setwise.answers import AnswerSet, Span
from setwise.contract import THINK_CLOSE, Tag, tags_of
from setwise.objectives import Objective
from setwise.rewards.credit import Pay

Integers = NDArray[np.int64]


def part_ends(parsed: AnswerSet, objective: Objective) -> list[int]:
    """Where the thinking ends, and then each tag's part, in the order written; for a strictly valid completion."""
    thinking = parsed.spans.thinking
    assert thinking is not None, "a valid completion has thought"
    return [thinking[1] + len(THINK_CLOSE), *(span[1] + len(tag.closing) for tag, span in _tags(parsed, objective))]


def part_pays(pay: Pay, objective: Objective) -> list[float]:
    """What the tokens of each part are paid: the thinking, each tag, and what follows the last one.

    An analysis is paid what it is written for: before the answers, the set; behind its one answer, the confidence.
    """
    analysis = pay.whole if objective.multi else pay.confidences[0] if pay.confidences else pay.whole
    paid = {"answer": iter(pay.answers), "confidence": iter(pay.confidences), "analysis": iter([analysis])}
    return [pay.whole, *(next(paid[tag.kind]) for tag in tags_of(objective.format)), pay.end]


def parts_of(starts: Integers, ends: list[int]) -> Integers:
    """For each token the number of its part: 0 is the thinking, the last is what follows the last tag."""
    return np.searchsorted(np.array(ends), starts, side="right")


def writes_confidence(starts: Integers, text: str, parsed: AnswerSet) -> NDArray[np.bool_]:
    """Whether a token has a character of a confidence's number."""
    stops = np.append(starts[1:], len(text))
    found = np.zeros(len(starts), bool)
    for span in parsed.spans.confidences:
        if span is not None:
            written = text[slice(*span)]
            begin = span[0] + len(written) - len(written.lstrip())
            found |= (starts < begin + len(written.strip())) & (stops > begin)
    return found


def _tags(parsed: AnswerSet, objective: Objective) -> Iterator[tuple[Tag, Span]]:
    spans = parsed.spans
    written = {
        "answer": iter(spans.answers),
        "confidence": chain.from_iterable([span] if span else [] for span in spans.confidences),
        "analysis": iter([spans.analysis] if spans.analysis else []),
    }
    return ((tag, next(written[tag.kind])) for tag in tags_of(objective.format))
