"""The process behind `MathMatcher`: JSON requests in, lists of matching golds out, one line each."""

import json
import logging
import sys
from typing import Any

# math-verify's own timeouts rest on signals; 0 switches them off, since the parent kills this process instead.
_NO_TIMEOUT = 0


def main() -> None:
    logging.disable(logging.WARNING)
    print(json.dumps("ready"), flush=True)  # noqa: T201
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(_equal_golds(request["answer"], request["golds"])), flush=True)  # noqa: T201


def _equal_golds(answer: str, golds: list[list[str]]) -> list[int]:
    from math_verify import verify

    proposed = _expression(answer)
    return [
        number
        for number, names in enumerate(golds)
        if proposed and any(verify(_expression(name), proposed, timeout_seconds=_NO_TIMEOUT) for name in names)
    ]


def _expression(text: str) -> Any:
    """Read as LaTeX where it can be: in plain text math-verify takes the last number alone (x + 1 -> 1)."""
    from math_verify import parse

    marked = "$" in text or "\\boxed" in text
    latex = parse(text if marked else f"${text}$", parsing_timeout=_NO_TIMEOUT)
    return latex or parse(text, parsing_timeout=_NO_TIMEOUT)


if __name__ == "__main__":
    main()
