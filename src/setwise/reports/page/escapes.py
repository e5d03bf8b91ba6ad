"""Escapes text for HTML. All text that is not ours goes through here."""

from html import escape

from setwise.reports.canvas.svg import clean


def shown(text: object) -> str:
    """Text that a browser shows and never runs, in an element or a quoted attribute.

    >>> shown('<img onerror="x">')
    '&lt;img onerror=&quot;x&quot;&gt;'
    """
    return escape(clean(str(text)), quote=True)
