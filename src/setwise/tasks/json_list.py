"""Reads a JSON list element by element: the official HotpotQA training file is one list of half a gigabyte."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from setwise.errors import InputError

CHUNK_CHARACTERS = 1 << 20
LONGEST_ELEMENT = 1 << 26
_SPACE = " \t\r\n"
_decode = json.JSONDecoder().raw_decode


def read_json_list(path: Path) -> Iterator[Any]:
    """The elements of the list in the file, with one chunk and one element in memory."""
    with path.open(encoding="utf-8-sig") as file:
        text = _Window(file)
        if text.mark() != "[":
            raise InputError("the file must hold one JSON list", place=path.name, value=text.buffer[:40])
        text.at += 1
        count = 0
        while text.mark() != "]":
            try:
                if count:
                    text.skip_comma()
                yield text.element()
            except (json.JSONDecodeError, RecursionError) as error:
                raise InputError(
                    f"the JSON list is damaged or breaks off ({error})",
                    place=f"{path.name}: row {count + 1}",
                    remedy="get the file again",
                ) from None
            count += 1


class _Window:
    """The part of the file in memory, and how far it has been read."""

    def __init__(self, file: TextIO) -> None:
        self.file, self.buffer, self.at, self.ended = file, "", 0, False

    def mark(self) -> str:
        """The next character that is not white space; empty at the end of the file."""
        while True:
            while self.at < len(self.buffer) and self.buffer[self.at] in _SPACE:
                self.at += 1
            if self.at < len(self.buffer) or self.ended:
                return self.buffer[self.at : self.at + 1]
            self._read_on()

    def skip_comma(self) -> None:
        if self.mark() != ",":
            raise json.JSONDecodeError("Expecting ',' or ']'", self.buffer[self.at : self.at + 20], 0)
        self.at += 1

    def element(self) -> Any:
        self.mark()
        while True:
            try:
                value, end = _decode(self.buffer, self.at)
            except json.JSONDecodeError:
                if self.ended or len(self.buffer) - self.at > LONGEST_ELEMENT:
                    raise
            else:
                # A number at the end of the window could go on in the next chunk.
                if end < len(self.buffer) or self.ended:
                    self.at = end
                    return value
            self._read_on()

    def _read_on(self) -> None:
        rest = self.buffer[self.at :]
        more = self.file.read(max(CHUNK_CHARACTERS, len(rest)))
        self.buffer, self.at, self.ended = rest + more, 0, not more
