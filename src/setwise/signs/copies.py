"""Answers that were copied: from the question, or from the example of the format."""

import re
from functools import lru_cache

from setwise.contract import TAG
from setwise.signs.words import wording, words

_NUMBERED = re.compile(
    r"(?:(?:your|my|the|an?|insert|example|sample|final)\s)*(?:candidate|answer|option|choice|response|placeholder)s?"
    r"(?:\s?(?:\d+|[a-k]|one|two|three|here|goes here))?\Z"
)
"""Placeholders for an answer in any format."""
_DECIMAL = re.compile(r"(?<![\w.])(?:0?\.\d+|1\.0+)(?![\w.]*\d)")


def is_in(answer: str, question_wording: str) -> bool:
    """Whether an answer occurs in a question word for word.

    >>> is_in("a fever", " since monday a fever and a cough ")
    True
    """
    own = wording(answer)
    return bool(own) and f" {own} " in question_wording


def padded(text: str) -> str:
    """The wording of a question, as `is_in` takes it."""
    return f" {' '.join(words(text))} "


def is_placeholder(answer: str, prompt: str) -> bool:
    """Whether an answer is a placeholder in the prompt, or a piece of the prompt.

    >>> is_placeholder("candidate 2", ""), is_placeholder("your answer", "<answer> your answer </answer>")
    (True, True)
    """
    own = wording(answer)
    if not own:
        return False
    return bool(_NUMBERED.match(own)) or own in _insides(prompt) or (" " in own and f" {own} " in _whole(prompt))


@lru_cache(maxsize=16)
def _whole(prompt: str) -> str:
    return padded(prompt)


@lru_cache(maxsize=16)
def _insides(prompt: str) -> frozenset[str]:
    """What the prompt shows between tags."""
    return frozenset(filter(None, (wording(part) for part in TAG.split(prompt)[3::3] if len(part) < 80)))


@lru_cache(maxsize=16)
def shown_numbers(prompt: str) -> frozenset[float]:
    """Confidences that the prompt gives as examples. 0 and 1 are the ends of the scale and do not count.

    >>> sorted(shown_numbers("A number from 0 to 1, such as 0.7 or .25."))
    [0.25, 0.7]
    """
    return frozenset(float(found) for found in _DECIMAL.findall(prompt)) - {0.0, 1.0}
