"""A JSON list read element by element: the official HotpotQA training file is half a gigabyte of one list."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from setwise.errors import InputError

CHUNK_CHARACTERS = 1 << 20
_SPACE = " \t\r\n"


def read_json_list(path: Path) -> Iterator[Any]:
    """The elements of the list that the file holds; memory for one chunk and one element."""
    with path.open(encoding="utf-8-sig") as file:
        yield from _elements(file, path.name)


def _elements(file: TextIO, name: str) -> Iterator[Any]:
    decode = json.JSONDecoder().raw_decode
    buffer, ended = file.read(CHUNK_CHARACTERS).lstrip(_SPACE), False
    if not buffer.startswith("["):
        raise InputError("the file must hold one JSON list", place=name, value=buffer[:40])
    at, expects, count = 1, "element or ]", 0
    while True:
        at = _after_space(buffer, at)
        if at < len(buffer) and buffer[at] == "]" and expects != "element":
            return
        if at < len(buffer) and expects == ", or ]":
            if buffer[at] != ",":
                raise _broken(name, count, "a comma was expected")
            at, expects = at + 1, "element"
            continue
        try:
            # A number at the very end of the buffer could go on in the next chunk, so an element must end before it.
            value, end = decode(buffer, at)
            complete = end < len(buffer) or ended
        except (json.JSONDecodeError, RecursionError) as error:
            value, end, complete = None, at, False
            if ended:
                raise _broken(name, count, str(error)) from None
        if complete:
            yield value
            count, at, expects = count + 1, end, ", or ]"
            continue
        more = file.read(max(CHUNK_CHARACTERS, len(buffer) - at))
        buffer, at, ended = buffer[at:] + more, 0, not more


def _after_space(buffer: str, at: int) -> int:
    while at < len(buffer) and buffer[at] in _SPACE:
        at += 1
    return at


def _broken(name: str, count: int, why: str) -> InputError:
    return InputError(
        f"the JSON list breaks off or is damaged ({why})",
        place=f"{name}: row {count + 1}",
        remedy="get the file again",
    )
