"""The process behind `MathMatcher`: reads JSON requests and writes lists of equal expressions, one per line."""

import json
import logging
import sys
from functools import lru_cache
from typing import Any

# math-verify's own timeouts use signals; 0 turns them off, since the parent kills this process instead.
_NO_TIMEOUT = 0
_ROUGHLY = 0.01
_REMEMBERED = 256


def main() -> None:
    logging.disable(logging.WARNING)
    _equal({"answer": r"\frac{1}{2}+x", "roughly": ["1"], "others": [["x+0.5"]], "both_ways": True})
    print(json.dumps("ready"), flush=True)  # noqa: T201
    for line in sys.stdin:
        print(json.dumps(_equal(json.loads(line))), flush=True)  # noqa: T201


def _equal(request: dict[str, Any]) -> list[int]:
    """The indices of the others that the answer equals under one of their names."""
    proposed = _consistent(request["answer"], tuple(request["roughly"]))
    if proposed is None:
        return []
    both_ways = request["both_ways"]
    return [
        number
        for number, names in enumerate(request["others"])
        if any(_verified(_expression(name), proposed, both_ways) for name in names)
    ]


def _verified(gold: Any, answer: Any, both_ways: bool) -> bool:
    """The result of math-verify. It follows the form of the gold, so being the same requires both directions."""
    from math_verify import verify

    if gold is None or not verify(gold, answer, timeout_seconds=_NO_TIMEOUT):
        return False
    return not both_ways or verify(answer, gold, timeout_seconds=_NO_TIMEOUT)


@lru_cache(maxsize=_REMEMBERED)
def _expression(text: str) -> Any:
    """The whole text as LaTeX; None if a part cannot be read. Units are kept."""
    from math_verify import LatexExtractionConfig, parse
    from math_verify.parser import NormalizationConfig

    reading = NormalizationConfig(basic_latex=True, units=False, malformed_operators=True, nits=True, boxed="none")
    found = parse(
        f"${text}$",
        [LatexExtractionConfig(normalization_config=reading)],
        fallback_mode="no_fallback",
        parsing_timeout=_NO_TIMEOUT,
    )
    return found[0] if found else None


def _consistent(text: str, roughly: tuple[str, ...]) -> Any:
    """The expression, or None if it has several values: unequal sides (5 = 7), or a rough value far from it."""
    found = _expression(text)
    if found is None or not all(_near(found, _expression(other)) for other in roughly):
        return None
    sides = _sides(found)
    values = sides if sides and not sides[0].free_symbols else sides[1:]
    return found if all(_verified(values[-1], side, both_ways=False) for side in values[:-1]) else None


def _sides(expression: Any) -> list[Any]:
    """The sides of an equation or of a chain of them: a = b = c."""
    from latex2sympy2_extended.logic import And
    from sympy import Eq

    chain: Any = expression
    relations = list(chain._unsorted_args) if isinstance(expression, And) else [chain]
    if not all(isinstance(relation, Eq) for relation in relations):
        return []
    return [relations[0].lhs, *(relation.rhs for relation in relations)]


def _near(expression: Any, other: Any) -> bool:
    from sympy import N

    sides = _sides(expression)
    try:
        value, rough = complex(N(sides[-1] if sides else expression)), complex(N(other))
    except (TypeError, ValueError, AttributeError):
        return False
    return abs(value - rough) <= _ROUGHLY * abs(value)


if __name__ == "__main__":
    main()
