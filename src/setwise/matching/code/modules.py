"""Modules that come with every Python and have no effects when imported."""

import importlib
from typing import Any

_NAMES = (
    "abc array base64 binascii bisect calendar cmath collections collections.abc contextlib copy csv datetime decimal "
    "difflib enum fractions functools hashlib heapq io itertools json keyword math numbers operator os os.path pprint "
    "queue random re secrets statistics string struct sys textwrap time timeit types typing unicodedata uuid "
    "zlib"
)
PLAIN_MODULES = frozenset(_NAMES.split())


def member(module: str, name: str | None = None) -> Any:
    """A plain module, or its member of that name; None if importing it might fail or have effects."""
    if module not in PLAIN_MODULES:
        return None
    found = importlib.import_module(module)
    return found if name is None else getattr(found, name, None)
