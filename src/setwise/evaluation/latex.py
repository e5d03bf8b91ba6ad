"""Text in LaTeX: printed as it is, or kept in a comment."""

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        # In LaTeX's old default font these three print as other signs.
        "|": r"\textbar{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
        "–": "--",  # noqa: RUF001
    }
)


def escape(text: str) -> str:
    """Text that LaTeX prints as it is, on one line.

    >>> escape("p < 0.001 of a_b")
    'p \\\\textless{} 0.001 of a\\\\_b'
    """
    return _one_line(text).translate(_ESCAPES)


def comment(text: str) -> str:
    """A comment, of which no line can escape.

    >>> comment("run\\n1")
    '% run 1'
    """
    return f"% {_one_line(text)}"


def _one_line(text: str) -> str:
    """White space as single spaces, and lone surrogates, which models do write, as question marks."""
    return " ".join(text.split()).encode("utf-8", "replace").decode()
