"""Units of measure after a number, each under one name: `3 cm`, `3\\text{ centimeters}` and `3cm` have the same
unit."""

import re

_PREFIXES = {
    "tera": "T", "giga": "G", "mega": "M", "kilo": "k", "hecto": "h", "deci": "d", "centi": "c", "milli": "m",
    "micro": "µ", "nano": "n", "pico": "p",
}  # fmt: skip
_BASES = {
    "meter": "m", "metre": "m", "gram": "g", "second": "s", "sec": "s", "liter": "l", "litre": "l", "joule": "J",
    "watt": "W", "volt": "V", "ampere": "A", "amp": "A", "ohm": "Ω", "newton": "N", "pascal": "Pa", "hertz": "Hz",
    "mole": "mol", "mol": "mol", "kelvin": "K", "byte": "B", "bit": "bit", "calorie": "cal", "electronvolt": "eV",
}  # fmt: skip
_OTHERS = {
    "minute": "min", "min": "min", "hour": "h", "hr": "h", "h": "h", "day": "day", "week": "week", "month": "month",
    "year": "year", "yr": "year", "inch": "in", "inches": "in", "foot": "ft", "feet": "ft", "ft": "ft", "yard": "yd",
    "yd": "yd", "mile": "mi", "mi": "mi", "mph": "mi/h", "kmh": "km/h", "kph": "km/h", "acre": "acre", "hectare": "ha",
    "ha": "ha", "ounce": "oz", "oz": "oz", "pound": "lb", "lb": "lb", "tonne": "t", "ton": "ton", "gallon": "gal",
    "degree": "°", "deg": "°", "radian": "rad", "rad": "rad", "unit": "unit", "dollar": "$", "usd": "$", "cent": "¢",
    "euro": "€", "eur": "€", "yen": "¥", "rupee": "₹", "°": "°", "°c": "°C", "°f": "°F", "celsius": "°C",
    "fahrenheit": "°F",
}  # fmt: skip
_SYMBOLS = {prefix + base for prefix in (*_PREFIXES.values(), "u", "μ", "") for base in {*_BASES.values(), "L"}}
_CURRENCIES = "$€£¥₹¢"
_POWERS = {"square": "^2", "sq": "^2", "cubic": "^3", "cu": "^3"}
_SUPERSCRIPTS = str.maketrans({"²": "^2", "³": "^3"})
_TERM = re.compile(r"([^\W\d_]+|°[CF]?|[$€£¥₹¢])(?:\^\{?(-?\d)\}?)?")


def unit_of(text: str) -> str | None:
    """The canonical name of a unit, or None for words that are not a unit.

    >>> unit_of("square centimeters"), unit_of("km/h"), unit_of("meters per second"), unit_of("thousand")
    ('cm^2', 'km/h', 'm/s', None)
    """
    text = re.sub(r"\bper\b", "/", text.translate(_SUPERSCRIPTS)).strip()
    terms = [_term(term) for term in re.split(r"(/)|\s+|\\cdot|[·*]", text) if term]
    if not terms or None in terms:
        return None
    return re.sub(r" ?/ ?", "/", _raised(" ".join(map(str, terms))))


def _term(text: str) -> str | None:
    if text == "/" or text in _POWERS:
        return text
    found = _TERM.fullmatch(text)
    name = _name(found[1]) if found else None
    return f"{name}^{found[2]}" if found and name and found[2] else name


def _raised(terms: str) -> str:
    """`square cm` as `cm^2`."""
    return re.sub(r"\b(square|sq|cubic|cu) (\S+)", lambda found: found[2] + _POWERS[found[1]], terms)


def _name(word: str) -> str | None:
    if word in _SYMBOLS:
        return re.sub("^[uμ](?=.)", "µ", word).replace("L", "l")
    if word in _CURRENCIES:
        return word
    lowered = word.lower()
    for singular in (lowered, lowered.removesuffix("s"), lowered.removesuffix("es")):
        if singular in _OTHERS:
            return _OTHERS[singular]
        for prefix, symbol in {**_PREFIXES, "": ""}.items():
            if singular.removeprefix(prefix) in _BASES and singular.startswith(prefix):
                return symbol + _BASES[singular.removeprefix(prefix)]
    return None
