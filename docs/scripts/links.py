"""Where the code names a page of the docs, the reference links to it."""

import re


def linked(text: str) -> str:
    """For a page in a folder of docs.

    >>> linked("see docs/concepts/credit.md")
    'see [credit](../concepts/credit.md)'
    """
    return re.sub(r"docs/((?:[\w-]+/)*)([\w-]+)\.md", r"[\2](../\1\2.md)", text)
