"""Tables that a script writes into a document, each between two comments with its name."""

import re
from collections.abc import Iterable

_BLOCK = r"(<!-- {name} -->\n).*?(?=<!-- end of {name} -->)"


def with_block(text: str, name: str, lines: Iterable[str]) -> str:
    """The document with these lines in the block of that name."""
    new = "\n".join(lines)
    return re.sub(_BLOCK.format(name=name), lambda found: f"{found[1]}\n{new}\n\n", text, flags=re.DOTALL)
