"""A drawing as SVG: for the page, where colours follow its theme, or as a separate file."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from setwise.reports.canvas.marks import Circle, Drawing, Line, Mark, Polygon, Text
from setwise.reports.canvas.palette import LIGHT

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif"


def to_svg(drawing: Drawing, *, themed: bool) -> str:
    """With `themed`, for use in the page (colours are its CSS variables); otherwise with the light colours."""
    size = f'viewBox="0 0 {number(drawing.width)} {number(drawing.height)}"'
    label = quoteattr(clean(drawing.title))
    # The page's rules set the width; a separate file needs one.
    fixed = "" if themed else f' width="{number(drawing.width)}" height="{number(drawing.height)}"'
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}{fixed} role="img" aria-label={label} font-family="{FONT}">'
    )
    background = "" if themed else f'<rect width="100%" height="100%" fill="{LIGHT["paper"]}"/>'
    return opening + background + "".join(_mark(mark, themed) for mark in drawing.marks) + "</svg>"


def number(value: float) -> str:
    """At most two decimals, the same on every machine.

    >>> number(3.14159), number(2.0), number(-0.001)
    ('3.14', '2', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def clean(text: str) -> str:
    """The text without what XML cannot contain: lone surrogates and control characters."""
    readable = text.encode("utf-8", "replace").decode()
    return "".join(
        letter if letter in "\n\t" or (letter >= " " and letter not in "\ufffe\uffff") else " " for letter in readable
    )


def _mark(mark: Mark, themed: bool) -> str:
    def colour(name: str) -> str:
        return f"var(--{name})" if themed else LIGHT[name]

    if isinstance(mark, Line):
        dash = f' stroke-dasharray="{" ".join(map(number, mark.dash))}"' if mark.dash else ""
        stroke = f'stroke="{colour(mark.colour)}" stroke-width="{number(mark.width)}"{dash} stroke-linejoin="round"'
        return f'<polyline points="{_points(mark.points)}" fill="none" {stroke}/>'
    if isinstance(mark, Polygon):
        opacity = "" if mark.opacity == 1 else f' fill-opacity="{number(mark.opacity)}"'
        return _hinted("polygon", f'points="{_points(mark.points)}" fill="{colour(mark.fill)}"{opacity}', mark.hint)
    if isinstance(mark, Circle):
        place = f'cx="{number(mark.centre[0])}" cy="{number(mark.centre[1])}" r="{number(mark.radius)}"'
        fill = colour(mark.colour) if mark.filled else colour("paper")
        return _hinted("circle", f'{place} fill="{fill}" stroke="{colour(mark.colour)}" stroke-width="1.6"', mark.hint)
    return _text(mark, colour(mark.colour))


def _text(mark: Text, fill: str) -> str:
    x, y = map(number, mark.at)
    anchor = "" if mark.anchor == "start" else f' text-anchor="{mark.anchor}"'
    turned = "" if mark.upright else f' transform="rotate(-90 {x} {y})"'
    weight = ' font-weight="600"' if mark.bold else ""
    attributes = f'x="{x}" y="{y}" font-size="{number(mark.size)}" fill="{fill}"{anchor}{weight}{turned}'
    return f"<text {attributes}>{escape(clean(mark.text))}</text>"


def _hinted(tag: str, attributes: str, hint: str) -> str:
    inside = f"<title>{escape(clean(hint))}</title>" if hint else ""
    return f"<{tag} {attributes}>{inside}</{tag}>" if inside else f"<{tag} {attributes}/>"


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)
