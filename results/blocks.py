"""Tables that a script writes into a document, each between two comments with its name, and how they show numbers."""

import re
from collections.abc import Iterable

from setwise.records.measured import Estimate

_BLOCK = r"(<!-- {name} -->\n).*?(?=<!-- end of {name} -->)"


def with_block(text: str, name: str, lines: Iterable[str]) -> str:
    """The document with these lines in the block of that name."""
    new = "\n".join(lines)
    return re.sub(_BLOCK.format(name=name), lambda found: f"{found[1]}\n{new}\n\n", text, flags=re.DOTALL)


def signed_span(value: float, low: float | None, high: float | None) -> str:
    """A difference with its interval.

    >>> signed_span(0.0312, -0.004, 0.066)
    '+0.031 [-0.004, +0.066]'
    """
    return f"{value:+.3f} [{low:+.3f}, {high:+.3f}]"


def estimate_span(estimate: Estimate) -> str:
    """The same, of an estimate that has one."""
    return signed_span(estimate.value, estimate.low, estimate.high)
