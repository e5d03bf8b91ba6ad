"""The rows of a huge CSV file as bytes, plain or zipped, without parsing them.

A row ends at a line break with an even number of quotes before it: a quoted cell may contain line breaks, and a doubled
quote inside one keeps the parity. This needs one count per line instead of a parser.
"""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from setwise.errors import InputError

MOST_LINES_IN_A_ROW = 10_000


def read_row_bytes(path: Path) -> Iterator[bytes]:
    """Every row, the header first. Empty lines are skipped."""
    with _opened(path) as file:
        parts: list[bytes] = []
        for line in _lines(file, path):
            quote_is_open = bool(line.count(b'"') & 1) != bool(parts)
            if quote_is_open or parts:
                parts.append(line)
            if quote_is_open:
                if len(parts) > MOST_LINES_IN_A_ROW:
                    break
                continue
            row = b"".join(parts) if parts else line
            parts.clear()
            if row.strip():
                yield row
        if parts:
            raise _open_quote(path, parts[0])


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    if path.suffix != ".zip":
        with path.open("rb") as file:
            yield file
        return
    try:
        with zipfile.ZipFile(path) as archive:
            members = [info for info in archive.infolist() if not info.is_dir() and "__MACOSX" not in info.filename]
            if len(members) != 1:
                raise InputError(
                    "the zip must hold exactly one file", place=path.name, value=[info.filename for info in members]
                )
            with archive.open(members[0]) as file:
                yield file
    except zipfile.BadZipFile as error:
        raise _damaged(path, error) from None


def _lines(file: IO[bytes], path: Path) -> Iterator[bytes]:
    try:
        yield from file
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError("the zip is cut short or damaged", place=path.name, value=str(error), remedy="download it again")


def _open_quote(path: Path, row: bytes) -> InputError:
    return InputError(
        "a quoted cell is never closed",
        place=path.name,
        value=row[:60].decode(errors="replace"),
        remedy="the file is cut short or is not CSV; get it again",
    )
