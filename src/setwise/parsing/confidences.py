"""Reads the number between two confidence tags."""

import re

from setwise.contract import CONFIDENCE

_NUMBER = re.compile(r"(?<![\w./])[+-]?(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+(?![\w/])\s*(%?)")
_SIGNS = {**dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"), "-"), 0xFE6A: "%", 0xFF05: "%"}
"""Variants of dashes and percent signs."""
_APART = re.compile(r"\A\s*([+-])\s+")
_LOOKED_AT_CHARACTERS = 200


def strict_confidence(text: str) -> float | None:
    """The value of a well-formed confidence in [0, 1], else None.

    >>> strict_confidence("0.70"), strict_confidence(".5"), strict_confidence("1."), strict_confidence("70%")
    (0.7, 0.5, 1.0, None)
    """
    if not CONFIDENCE.match(text):
        return None
    value = float(text)
    return value if value <= 1.0 else None


def lenient_confidence(text: str) -> tuple[float | None, str | None]:
    """The value of a confidence and how it was repaired; None if the text is not a probability.

    A percent sign means percent. A number from 2 to 100 can only be a percentage. Numbers between 1 and 2, below 0 or
    above 100 have no sensible reading.

    >>> lenient_confidence("70%"), lenient_confidence("95."), lenient_confidence("1.5")
    ((0.7, 'percent'), (0.95, 'scaled'), (None, 'invalid'))
    """
    value = strict_confidence(text)
    if value is not None:
        return value, None
    # Two numbers ("0.7 to 0.9") or a fraction are ambiguous, and a long text is not a confidence.
    text = _APART.sub(r"\1", text.translate(_SIGNS))
    numbers = list(_NUMBER.finditer(text)) if len(text) <= _LOOKED_AT_CHARACTERS or CONFIDENCE.match(text) else []
    if len(numbers) != 1:
        return None, "invalid"
    percent = numbers[0][1] == "%"
    value = float(numbers[0][0].rstrip("%").rstrip())
    if percent and 0 <= value <= 100:
        return value / 100, "percent"
    if not percent and 0 <= value <= 1:
        return value, "extracted"
    if not percent and 2 <= value <= 100:
        return value / 100, "scaled"
    return None, "invalid"
