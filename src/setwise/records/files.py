"""JSON on disk: read with its place, written completely or not at all.

Each record carries `"schema"`, the version of its format. Readers refuse versions they do not know.
"""

import errno
import json
import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from setwise.errors import InputError

SCHEMA = 2
READABLE = (1, 2)
"""Version 1 is that of the archives published before version 0.1. Each format reads it too."""
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

Record = dict[str, Any]


def read_records(path: str | Path) -> Iterator[tuple[str, Record]]:
    """Every record of a file with its place (`cases.jsonl:17`). Blank lines are skipped."""
    try:
        with Path(path).open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    place = f"{path}:{number}"
                    yield place, parse_record(line, place)
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", place=path) from None


def count_lines(path: str | Path) -> int | None:
    """The number of lines in a file, for a progress bar; None if it cannot be read, or not twice."""
    try:
        if not Path(path).is_file():
            return None
        with Path(path).open("rb") as stream:
            return sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b""))
    except OSError:
        return None


def parse_record(line: bytes | str, place: str) -> Record:
    """One line as a record."""
    try:
        record = json.loads(line)
    except UnicodeDecodeError as error:
        raise InputError(f"a line must be UTF-8 ({error.reason} at byte {error.start})", place=place) from None
    except (ValueError, RecursionError) as error:
        text = line if isinstance(line, str) else line.decode("utf-8", "replace")
        raise InputError(f"a line must be one JSON object ({error})", place=place, value=text.strip()) from None
    if not isinstance(record, dict):
        raise InputError("a line must be one JSON object", place=place, value=record)
    return _of_known_schema(record, place)


def read_json(path: str | Path) -> Record:
    """Read a file that is one JSON object."""
    try:
        value = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", place=path) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"the file must be JSON ({error})", place=path) from None
    if not isinstance(value, dict):
        raise InputError("the file must hold a JSON object", place=path, value=value)
    return _of_known_schema(value, path)


def write_json(path: str | Path, record: Mapping[str, Any]) -> None:
    with replacing(path) as out:
        out.write(json.dumps({"schema": SCHEMA, **record}, indent=1, allow_nan=False) + "\n")


@contextmanager
def replacing(path: str | Path) -> Iterator[TextIO]:
    """A file that takes its name only if the block succeeds; until then the old one stays.

    A link stays, and its target is replaced. Devices, pipes and our own output are written directly.
    """
    draft, target = None, Path(path)
    try:
        descriptor = _open_special(path)
        if descriptor is None:
            target = target.resolve()
            target.parent.mkdir(parents=True, exist_ok=True)
            descriptor, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise InputError(f"the file cannot be written ({error.strerror})", place=path) from None
    try:
        with naming(path), os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogatepass") as stream:
            yield stream
        if draft is not None:
            Path(draft).chmod(0o644)
            Path(draft).replace(target)
    except BaseException:
        if draft is not None:
            Path(draft).unlink(missing_ok=True)
        raise


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Add the file's name to errors about a full or broken disk, which the system reports without one."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno in _DISK_ERRORS:
            error.filename = str(path)
        raise


def dump_record(record: Mapping[str, Any]) -> str:
    """One line, including the newline. Lone surrogates, which models do write, survive as escapes."""
    return json.dumps({"schema": SCHEMA, **record}) + "\n"


def json_text(value: Any) -> str:
    """One line of JSON to be read, with text of any script as it is. What UTF-8 cannot hold or a reader could take for
    the end of a line is an escape: lone surrogates, control characters, Unicode's own line ends.

    >>> json_text({"answer": "Fièvre 雪", "odd": "\\ud800\\u2028"})
    '{"answer": "Fièvre 雪", "odd": "\\\\ud800\\\\u2028"}'
    """
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def _open_special(path: str | Path) -> int | None:
    """A descriptor for a file that a draft cannot replace; None for a regular file, or if there is none."""
    try:
        there = Path(path).stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(there.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if sys.__stdout__ is not None and os.path.samestat(there, os.fstat(1)):
        # `--out /dev/stdout > file`: if opened by name, the file would be written from its start again.
        sys.stdout.flush()
        return os.dup(1)
    return None if stat.S_ISREG(there.st_mode) else os.open(path, os.O_WRONLY)


def _of_known_schema(record: Record, place: object) -> Record:
    if record.get("schema", SCHEMA) not in READABLE:
        raise InputError(f"schema must be {SCHEMA}", place=place, value=record["schema"], remedy="upgrade setwise")
    return record
