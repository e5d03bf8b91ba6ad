"""The marks of a prompt: `{K}` and others, filled in when a question is asked.

A word in braces is a mark. Unknown marks are errors, since a misspelt `{k}` would reach the model as it is. Doubled
braces, `{{word}}`, give plain text. Other braces, as in `{"a": 1}`, are plain text anyway.
"""

import re
from collections.abc import Mapping

from setwise.errors import InputError
from setwise.plugins import suggestion

KNOWN = {
    "K": "how many answers",
    "FORMAT": "the tags, in order",
    "SUM_RULE": "that confidences sum up to at most 1; nothing where they need not",
    "ANALYSIS_RULE": "what the analysis is for; nothing where none is asked for",
}
_WORD = r"[^\W\d]\w*"
_MARK = re.compile(rf"\{{\{{(?P<text>{_WORD})\}}\}}|\{{(?P<mark>{_WORD})\}}")
_IN_BRACES = re.compile(rf"\{{({_WORD})\}}")


def fill(prompt: str, values: Mapping[str, str]) -> str:
    """The prompt with every mark replaced by its value.

    >>> fill('Give {K}, not {{K}} or {"K": 1}.', {"K": "3"})
    'Give 3, not {K} or {"K": 1}.'
    """
    require_known(prompt)
    return _MARK.sub(lambda found: f"{{{found['text']}}}" if found["text"] else values[found["mark"]], prompt)


def literal(text: str) -> str:
    """A prompt that fills in to exactly this text.

    >>> fill(literal("as {K} and {{K}}"), {"K": "3"})
    'as {K} and {{K}}'
    """
    return _IN_BRACES.sub(r"{{\1}}", text)


def require_known(prompt: str, place: object = "") -> None:
    """Refuse unknown marks, with the line number if `place` is a file."""
    for found in _MARK.finditer(prompt):
        mark = found["mark"]
        if mark is None or mark in KNOWN:
            continue
        line = prompt.count("\n", 0, found.start()) + 1
        close = suggestion(mark.upper(), KNOWN)
        known = ", ".join(f"{{{each}}}" for each in KNOWN)
        raise InputError(
            f"a mark of a prompt is one of {known}",
            place=f"{place}:{line}" if place else "",
            value=f"{{{mark}}}",
            remedy=f"{close} " * bool(close) + f"write {{{{{mark}}}}} if it is text",
        )
