"""Which part of a completion a token writes.

A part is the content of a tag, with the tags and the white space before them. A token belongs to the part of its first
character, since that is the part it decides first.
"""

import re

import numpy as np
from numpy.typing import NDArray

from setwise.answers import Spans
from setwise.contract import THINK_CLOSE, tags_of
from setwise.objectives import Objective
from setwise.rewards.credit import Pay

Integers = NDArray[np.int64]

_DECIDED = re.compile(r"[0-9]*(?:\.[0-9]{0,2})?")
"""What decides a confidence: no more than two decimals."""


def part_ends(spans: Spans, objective: Objective) -> list[int]:
    """Where the thinking ends, and then each tag's part, in the order written. For strictly valid completions."""
    assert spans.thinking is not None, "a valid completion has thought"
    written = {
        "answer": iter(spans.answers),
        "confidence": iter(spans.confidences),
        "analysis": iter([spans.analysis]),
    }
    ends = [spans.thinking[1] + len(THINK_CLOSE)]
    for tag in tags_of(objective.format):
        span = next(written[tag.kind])
        assert span is not None, "and every tag of its format"
        ends.append(span[1] + len(tag.closing))
    return ends


def part_pays(pay: Pay, objective: Objective) -> list[float]:
    """What the tokens of each part are paid: the thinking, each tag, and what follows the last one.

    An analysis is paid for what it supports: before the answers, the set; after a single answer, the confidence.
    """
    analysis = pay.whole if objective.multi else pay.confidences[0] if pay.confidences else pay.whole
    paid = {"answer": iter(pay.answers), "confidence": iter(pay.confidences), "analysis": iter([analysis])}
    return [pay.whole, *(next(paid[tag.kind]) for tag in tags_of(objective.format)), pay.end]


def parts_of(starts: Integers, ends: list[int]) -> Integers:
    """The part number of each token: 0 is the thinking, the last is what follows the last tag."""
    return np.searchsorted(np.array(ends), starts, side="right")


def writes_confidence(starts: Integers, text: str, spans: Spans) -> NDArray[np.bool_]:
    """Whether a token contains a character that decides a confidence: of its number up to the second decimal and, if
    the number has no point, the one that ends it.

    An entropy bonus on more decimals only makes numbers long. Without one on its end, a bare 0 has nothing that brings
    decimals back.
    """
    stops = np.append(starts[1:], len(text))
    found = np.zeros(len(starts), bool)
    for span in spans.confidences:
        if span is not None:
            written = text[slice(*span)].lstrip()
            begin = span[1] - len(written)
            decided = _DECIDED.match(written)
            assert decided is not None, "the pattern also matches nothing"
            size = decided.end() + ("." not in decided[0])
            found |= (starts < begin + size) & (stops > begin)
    return found
