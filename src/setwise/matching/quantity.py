"""A mathematical answer as it is compared: an expression with its unit and per cent sign.

An answer is one expression. Anything else in the text is either understood (`$...$`, `\\boxed{}`, "The answer is", a
unit, a per cent sign) or means that it is not an expression. A number is never picked out of a text, since a text can
contain several.
"""

import re
from dataclasses import dataclass

from setwise.matching.normalize import normalize
from setwise.matching.units import unit_of

_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{")
_MATH_MARKS = re.compile(r"\\[()\[\]]|\$\$|(?<!\\)\$(?=[^$]*\$)|(?<=[^\\])\$(?!\s*\d)|\*\*|\\displaystyle\b")
_LEAD_IN = re.compile(
    r"^(?:(?:so|thus|hence|therefore|the|my|final|correct|exact|answer|result|value|solution|total|it|this|is|are|be|"
    r"equals|equal to)\b[\s,:]*)+",
    re.IGNORECASE,
)
_WORDS = re.compile(r"(?i:no|(?=.*[^\W\d_]{3})[^\W\d_]+(?:[\s,.;'-]+[^\W\d_]+)*)[.!]?")
_SPACES = re.compile(r"\\[;:,! ]|\\q?quad\b|~|\s+")
_GROUP = re.compile(r"(?<![\d.,])\d{1,3}(?:(?:\\[,!;: ]|\{,\}|\s)\d{3})++(?![\d,])")
_MIXED = re.compile(r"(?<![\d.,/^_{])(\d+) (\d+)\s?/\s?(\d+)(?![\d/.])")
_APPROXIMATELY = re.compile(r"\\(?:approx|simeq|cong)\b|≈")
_VARIABLE = re.compile(r"[a-df-zA-Z]|\\(?!pi\b)[a-zA-Z]+")
_SEVERAL = re.compile(r"\d\s+[\d.]|\\l?dots\b|\.\.|…|\d\s*_|\$")
_PERCENT = re.compile(r"\s*(?:\\?%|\bper ?cent(?:age)?\b|\bpct\b)$", re.IGNORECASE)
_TEXT = re.compile(r"\\(?:text|textrm|textbf|textit|mathrm|mbox|operatorname)\s*\{([^{}]*)\}")
_CURRENCY = re.compile(r"(-?)\s*\\?([$€£¥₹])\s*(?=[\d.])")
_UNIT = re.compile(
    r"(?<=[\d})])(\s*)((?:[^\W\d_]|°|[$€£¥₹¢])(?:[^\W\d_]|[\s/·*°²³^{}-]|\\cdot|(?<=\^)\d|(?<=[\^-])\d)*)$"
)
_LETTERS_OF_A_VARIABLE = re.compile(r"(?<!\\)\b[^\W\d_]")
_COMMAND = re.compile(r"\\[a-zA-Z]+")
_LONGEST = 1000
"""Longest answer that is read, in characters, which bounds the cost of a hostile one."""


@dataclass(frozen=True, slots=True)
class WrittenQuantity:
    """One expression, ready to be read as LaTeX."""

    expression: str
    unit: str = ""
    percent: bool = False
    roughly: tuple[str, ...] = ()
    """Values that the text gives as approximately equal: another way to write it, or another answer."""

    def comparable(self, gold: "WrittenQuantity") -> bool:
        """Whether unit and per cent allow the two to be equal. A gold without a unit accepts any."""
        return self.percent == gold.percent and (self.unit == gold.unit or not gold.unit)


def read_words(text: str) -> str | None:
    """The normal form of an answer in words (`no solution`), which are not a product of variables."""
    if len(text) > _LONGEST:
        return None
    bare = _TEXT.sub(r"\1", _unmarked(text)).strip()
    return normalize(bare) if _WORDS.fullmatch(bare) else None


def read_quantity(text: str) -> WrittenQuantity | None:
    """The one expression that a text consists of; None if it is none, or if numbers stand side by side.

    >>> read_quantity("The answer is $3$ km."), read_quantity("1 ... 7")
    (WrittenQuantity(expression='3', unit='km', percent=False, roughly=()), None)
    """
    if len(text) > _LONGEST:
        return None
    bare = _LEAD_IN.sub("", _unmarked(text), count=1)
    bare = _GROUP.sub(lambda group: re.sub(r"\D", "", group[0]), bare)
    bare = _SPACES.sub(" ", _TEXT.sub(_untexted, bare)).strip().rstrip(".").strip()
    expression, *roughly = (part.strip() for part in _APPROXIMATELY.split(bare))
    if roughly and _VARIABLE.fullmatch(expression):
        expression, *roughly = roughly
    without_percent = _PERCENT.sub("", expression)
    value, unit = _split_unit(without_percent)
    value = _MIXED.sub(r"\1\\frac{\2}{\3}", value)
    if not value or _SEVERAL.search(value):
        return None
    value = re.sub(r"\)\s*(?=\d)", r")\\cdot ", value)
    return WrittenQuantity(value, unit, without_percent != expression, tuple(roughly))


def _unmarked(text: str) -> str:
    """The text without the marks around mathematics, and without a box that contains everything."""
    bare = " ".join(_MATH_MARKS.sub(" ", text).split())
    box = _BOX.search(bare)
    if box is None:
        return bare
    end = _closing_brace(bare, box.end())
    return _unmarked(f"{bare[: box.start()]} {bare[box.end() : end]} {bare[end + 1 :]}")


def _closing_brace(text: str, start: int) -> int:
    depth = 1
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return len(text)


def _untexted(found: re.Match[str]) -> str:
    """Words in a formula are plain text if they are a unit or join two values; otherwise a variable of that name."""
    inside = found[1].strip()
    plain = inside in ("", "and", "or") or unit_of(inside) is not None or _PERCENT.fullmatch(inside)
    return f" {inside} " if plain else found[0]


def _split_unit(text: str) -> tuple[str, str]:
    """The number and its unit. A letter that may be a variable is one, unless a space separates it."""
    if currency := _CURRENCY.match(text):
        return currency[1] + text[currency.end() :], currency[2]
    found = _UNIT.search(text)
    if not found or (len(found[2]) == 1 and not found[1] and found[2].isalpha()):
        return text, ""
    value, unit = text[: found.start()], unit_of(found[2])
    if unit is None or _LETTERS_OF_A_VARIABLE.search(_COMMAND.sub("", value)):
        return text, ""
    return value, unit
