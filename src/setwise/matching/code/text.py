"""The program in an answer, fenced or bare."""

import re
import textwrap

_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}+|~{3,}+)[ \t]*+([\w+.-]*+)[^\n`]*+$", re.MULTILINE)
_PYTHON = frozenset(["", "python", "python3", "py", "python-3"])


def extract_program(answer: str) -> str:
    r"""The first fenced Python block, or the whole text if nothing is fenced. An open fence ends with the text.

    >>> extract_program("Here it is:\n```python\ndef f(x):\n    return x\n```\nDone.")
    'def f(x):\n    return x'
    >>> extract_program("\r\n  def f(x):\r\n      return x\r\n")
    'def f(x):\n    return x'
    """
    text = answer.replace("\r\n", "\n").replace("\r", "\n")
    blocks = _fenced_blocks(text)
    if not blocks:
        return _tidy(text)
    return _tidy(next((body for language, body in blocks if language in _PYTHON), blocks[0][1]))


def _fenced_blocks(text: str) -> list[tuple[str, str]]:
    """(language, body) of each block, in one pass."""
    blocks: list[tuple[str, str]] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1].startswith(opened[1]) and not fence[2]:
            blocks.append((opened[2].lower(), text[opened.end() + 1 : fence.start()]))
            opened = None
    if opened is not None:
        blocks.append((opened[2].lower(), text[opened.end() + 1 :]))
    return blocks


def _tidy(program: str) -> str:
    lines = program.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    return textwrap.dedent("\n".join(lines[first:])).rstrip()
