"""Rows of JSON lists, JSON lines, CSV and Parquet files, one at a time, each with its place."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setwise.errors import InputError, MissingDependency
from setwise.questions import Problem
from setwise.records.problem import renaming
from setwise.tasks.json_list import read_json_list
from setwise.tasks.task import LeftOut

LONGEST_CELL = 1 << 24
OTHER_SEPARATORS = (";", "\t", "|")
FILL_IN = "fill it in or remove the row"


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row as it is in the file."""

    place: str
    position: int
    """1 for the first row, however many lines a row takes."""
    fields: Mapping[str, Any]

    def text(self, name: str) -> str:
        """A field that must be non-empty text, with Unix line ends."""
        value = self.fields.get(name)
        if not isinstance(value, str) or not value.strip():
            rule, remedy = f'"{name}" must be non-empty text', self.misspelt(name) or FILL_IN
            raise InputError(rule, place=self.place, value=value, remedy=remedy)
        return _unix(value)

    def texts(self, name: str) -> list[str]:
        """A field that must be a non-empty list of non-empty texts."""
        value = self.fields.get(name)
        if not isinstance(value, list) or not value or not all(isinstance(v, str) and v.strip() for v in value):
            rule, remedy = f'"{name}" must be a non-empty list of strings', self.misspelt(name) or FILL_IN
            raise InputError(rule, place=self.place, value=value, remedy=remedy)
        return [_unix(v) for v in value]

    def misspelt(self, *names: str) -> str:
        """If none of these fields exists, what to rename to one of them; otherwise an empty string."""
        return renaming(self.fields, *names)


def read_rows(path: Path) -> Iterator[RawRow]:
    """The rows of a file, by its suffix."""
    readers = {".json": _json, ".jsonl": _jsonl, ".csv": _csv, ".parquet": _parquet}
    if path.suffix not in readers:
        raise InputError(f"a file of rows ends in {', '.join(readers)}", place=path.name, value=path.suffix)
    try:
        yield from readers[path.suffix](path)
    except UnicodeDecodeError:
        raise _not_utf8(path) from None


def build_problems(
    rows: Iterable[RawRow], build: Callable[[RawRow], Problem | LeftOut | None]
) -> Iterator[Problem | LeftOut]:
    """What `build` makes of each row (None: not in this split). Two problems with the same id are an error."""
    seen: dict[str, str] = {}
    for row in rows:
        try:
            built = build(row)
        except InputError as error:
            raise error if error.place == row.place else error.at(row.place) from None
        if built is None:
            continue
        if isinstance(built, Problem):
            if built.id in seen:
                raise InputError(
                    f"every problem needs its own id, and {seen[built.id]} has this one too",
                    place=row.place,
                    value=built.id,
                    remedy="rename or remove one of them",
                )
            seen[built.id] = row.place
        yield built


def _not_utf8(path: Path) -> InputError:
    """The error with its line, which must be searched for, because readers decode in blocks."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                rule, place = f"a line must be UTF-8 ({error.reason} at byte {error.start})", f"{path.name}:{number}"
                return InputError(rule, place=place, remedy="convert the file to UTF-8")
    return InputError("every text must be UTF-8", place=path.name)


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _json(path: Path) -> Iterator[RawRow]:
    for position, value in enumerate(read_json_list(path), start=1):
        place = f"{path.name}: row {position}"
        yield RawRow(place, position, _as_object(value, place))


def _jsonl(path: Path) -> Iterator[RawRow]:
    position = 0
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            position += 1
            place = f"{path.name}:{number}"
            try:
                value = json.loads(line)
            except (json.JSONDecodeError, RecursionError) as error:
                raise InputError(f"every line must be one JSON object ({error})", place=place, value=line) from None
            yield RawRow(place, position, _as_object(value, place))


def _csv(path: Path) -> Iterator[RawRow]:
    csv.field_size_limit(LONGEST_CELL)
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        position = 0
        try:
            _require_commas(reader.fieldnames or (), path)
            for position, fields in enumerate(reader, start=1):
                place = f"{path.name}:{reader.line_num}"
                if None in fields or None in fields.values():
                    count = len(reader.fieldnames or ())
                    raise InputError(f"every row must have the header's {count} cells", place=place)
                yield RawRow(place, position, fields)
        except csv.Error as error:
            raise InputError(f"the file must be CSV ({error})", place=f"{path.name}: row {position + 1}") from None


def _require_commas(header: Sequence[str], path: Path) -> None:
    """Spreadsheets in some languages write semicolons, and then the whole header is one column."""
    other = next((mark for mark in OTHER_SEPARATORS if mark in header[0]), None) if len(header) == 1 else None
    if other is not None:
        remedy = f"save the file with commas in place of {json.dumps(other)}"
        rule = "the columns of a CSV file are separated by commas"
        raise InputError(rule, place=f"{path.name}:1", value=header[0], remedy=remedy)


def _parquet(path: Path) -> Iterator[RawRow]:
    try:
        from pyarrow import ArrowInvalid, parquet
    except ImportError:
        raise MissingDependency("reading Parquet", package="pyarrow", extra="data") from None
    position = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=1024):
                for fields in batch.to_pylist():
                    position += 1
                    yield RawRow(f"{path.name}: row {position}", position, fields)
    except (ArrowInvalid, UnicodeDecodeError) as error:
        raise InputError("the file must be Parquet", place=path.name, value=str(error)) from None


def _as_object(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InputError("every row must be a JSON object", place=place, value=value)
    return value
