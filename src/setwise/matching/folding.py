"""One spelling for equivalent text: case, width, ligatures, accents, hyphens; without invisible characters.

Superscripts and subscripts are kept where they carry meaning: 10⁵ becomes 10^5 and 1010₂ stays, while H₂O, Ca²⁺ and 4ᵗʰ
become H2O, Ca2+ and 4th.
"""

import re
import unicodedata

_SHORT = 256
_MOST_MARKS_IN_A_ROW = 30
_MARKS_IN_DISGUISE = "\u0f73\u0f75\u0f81\uff9e\uff9f"
"""Not combining characters themselves, but NFKC turns them into marks."""
_RAISED, _LOWERED = "\x01", "\x02"
_HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"
_SLASHES = "\u2044\u2215"
_ORDINALS = "ªº"
_TRADE_MARKS = "™℠\U0001f16a\U0001f16b\U0001f16c"
_INVISIBLE = {
    0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0xFFFC,
    *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0000, 0xE1000),
}  # fmt: skip
"""Joiners, fillers, blanks and selectors that cannot be recognised by category."""
_RAISED_RUN = re.compile("(?:\x01[^\x01\x02])+")
_LOWERED_NUMBER = re.compile(r"(?<=\d)(?:\x02\d)+")
_SUBSCRIPT_DIGITS = {ord(str(digit)): chr(0x2080 + digit) for digit in range(10)} | {ord(_LOWERED): None}


class _Folded(dict[int, int | str | None]):
    """What happens to a character before NFKC, which would turn 10⁵ into 105 and 3½ into 31/2."""

    def __missing__(self, code_point: int) -> int | str | None:
        self[code_point] = folded = self._folded(chr(code_point))
        return folded

    def _folded(self, character: str) -> int | str | None:
        code_point, category = ord(character), unicodedata.category(character)
        if code_point in _INVISIBLE or category in ("Cf", "Co", "Cn", "Cs"):
            return None
        if character in _HYPHENS:
            return "-"
        if character in _SLASHES:
            return "/"
        if character in _TRADE_MARKS or category == "Cc":
            return " "
        tag, _, parts = unicodedata.decomposition(character).partition(" ")
        if not tag.startswith("<") or character in _ORDINALS:
            return code_point
        written = "".join(chr(int(part, 16)) for part in parts.split())
        plain = written.translate(self)
        if tag == "<super>":
            return _RAISED + plain
        if tag == "<sub>":
            return _LOWERED + plain if plain.isdigit() else plain
        if tag == "<fraction>":
            return f" {plain}"
        return code_point if plain == written else plain


_FOLDED = _Folded()


def fold(text: str) -> str:
    """The text casefolded, composed and without invisible characters; the original if nothing would be left.

    >>> fold("10⁵ ﬁsh"), fold("H₂O"), fold("3½"), fold("Na⁺")
    ('10^5 fish', 'h2o', '3 1/2', 'na+')
    """
    if text.isascii():
        return text.lower()
    text = text.translate(_FOLDED) or text
    if len(text) > _SHORT:
        text = _stream_safe(text)
    # Casefolding can undo NFKC and vice versa, so both are applied until the text is stable (at most twice).
    for _ in range(2):
        text = unicodedata.normalize("NFKC", text).casefold()
    text = unicodedata.normalize("NFKC", text)
    if _RAISED in text:
        text = _RAISED_RUN.sub(_raised, text)
    if _LOWERED in text:
        text = _LOWERED_NUMBER.sub(lambda number: number[0].translate(_SUBSCRIPT_DIGITS), text)
        text = text.replace(_LOWERED, "")
    return text


def _raised(run: re.Match[str]) -> str:
    """An exponent, except that charges and the letters of ordinals go on the line."""
    plain = run[0].replace(_RAISED, "")
    if plain[-1] in "+-" or (len(plain) > 1 and plain.isalpha()):
        return plain
    return f"^{plain} " if run.string[run.end() : run.end() + 1].isdigit() else f"^{plain}"


def _stream_safe(text: str) -> str:
    """Drops combining marks after the thirtieth in a row: NFKC sorts such runs in quadratic time.

    Thirty is the limit of the stream-safe text format (Unicode Standard Annex 15, section 13).
    """
    kept: list[str] = []
    run = 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) or character in _MARKS_IN_DISGUISE else 0
        if run <= _MOST_MARKS_IN_A_ROW:
            kept.append(character)
    return "".join(kept)
