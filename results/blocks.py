"""Tables that a script writes into a document, each between two comments with its name, and how they show numbers."""

import re
from collections.abc import Iterable

from setwise.errors import InputError
from setwise.records.measured import Estimate

_BLOCK = r"(<!-- {name} -->\n).*?(?=<!-- end of {name} -->)"


def with_block(text: str, name: str, lines: Iterable[str]) -> str:
    """The document with these lines in the block of that name, which it has once."""
    new = "\n".join(lines)
    block = _BLOCK.format(name=re.escape(name))
    text, found = re.subn(block, lambda opening: f"{opening[1]}\n{new}\n\n", text, flags=re.DOTALL)
    if found != 1:
        raise InputError("a document has each of its blocks once", value=f"{name}: {found} times")
    return text


def signed_span(value: float, low: float | None, high: float | None) -> str:
    """A difference with its interval.

    >>> signed_span(0.0312, -0.004, 0.066)
    '+0.031 [-0.004, +0.066]'
    """
    return f"{value:+.3f} [{low:+.3f}, {high:+.3f}]"


def estimate_span(estimate: Estimate) -> str:
    """The same, of an estimate that has one."""
    return signed_span(estimate.value, estimate.low, estimate.high)
