"""JSON lines on disk: one object a line, read with its place, written whole or not at all.

Every stage writes and reads the same shapes. Each record carries `"schema"`, the version of its shape; a reader
refuses one it does not know.
"""

import errno
import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from setwise.errors import InputError
from setwise.objectives import PRESETS, Objective, RewardPreset
from setwise.problems import Gold, Problem

SCHEMA = 1
_DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

Record = dict[str, Any]


def read_records(path: str | Path) -> Iterator[tuple[str, Record]]:
    """Every record of a file with its place (`cases.jsonl:17`); blank lines are passed over."""
    try:
        with Path(path).open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    place = f"{path}:{number}"
                    yield place, parse_record(line, place)
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", place=path) from None


def count_lines(path: str | Path) -> int | None:
    """How many lines a file has, for a progress bar; None where it cannot be read, or not twice."""
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
    if record.get("schema", SCHEMA) != SCHEMA:
        raise InputError(f"schema must be {SCHEMA}", place=place, value=record["schema"], remedy="upgrade setwise")
    return record


@contextmanager
def replacing(path: str | Path) -> Iterator[TextIO]:
    """A file that takes its name only when the block ends well; until then the old one stays.

    A link stays, and what it points to is replaced. A device, a pipe and our own output are written straight through.
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
    """Put the file's name to a full or broken disk, which the system reports without one."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno in _DISK_ERRORS:
            error.filename = str(path)
        raise


def dump_record(record: Mapping[str, Any]) -> str:
    """One line, newline included. Lone surrogates, which models do write, survive as escapes."""
    return json.dumps({"schema": SCHEMA, **record}) + "\n"


def problem_from_record(record: Mapping[str, Any], place: str = "") -> Problem:
    """A problem out of a record with `question` and `golds` (or `answers`, with `aliases`), or with `tests`."""
    try:
        return Problem(
            id=_text(record, "id"),
            question=_text(record, "question"),
            golds=_golds(record),
            tests=record.get("tests", ()),
            setup=record.get("setup", ""),
            reference=record.get("reference", ""),
            meta=record.get("meta"),
        )
    except InputError as error:
        raise (error.at(place) if place else error) from None


def problem_to_record(problem: Problem) -> Record:
    """The record `problem_from_record` reads; empty fields are left out."""
    record: Record = {"id": problem.id, "question": problem.question}
    if problem.golds is not None:
        record["golds"] = [
            {"text": gold.text, "aliases": list(gold.aliases)} if gold.aliases else gold.text for gold in problem.golds
        ]
    for name in ("tests", "setup", "reference", "meta"):
        if value := getattr(problem, name):
            record[name] = list(value) if name == "tests" else value
    return record


def objective_to_record(objective: Objective) -> Record:
    """The record `objective_from_record` reads; a preset of the user's own is written out by its fields."""
    preset = objective.preset
    shipped = PRESETS.get(preset.name) == preset
    return {
        "name": objective.name,
        "k": objective.k,
        "regime": str(objective.regime),
        "preset": preset.name if shipped else asdict(preset),
        "analysis": objective.analysis,
        "think_opened": objective.think_opened,
        "sum_to_one": objective.sum_to_one,
    }


def objective_from_record(record: Mapping[str, Any]) -> Objective:
    """An objective as `objective_to_record` wrote it."""
    preset = record.get("preset", "paper")
    if isinstance(preset, dict):
        fields: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in preset.items()}
        preset = RewardPreset(**fields)
    return Objective(**{**record, "preset": preset})


def _open_special(path: str | Path) -> int | None:
    """A descriptor for what is there and no draft may replace; None for a regular file, or where nothing is."""
    try:
        there = Path(path).stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(there.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if sys.__stdout__ is not None and os.path.samestat(there, os.fstat(1)):
        # `--out /dev/stdout > file`: opened by its name, the file would be written from its start again.
        sys.stdout.flush()
        return os.dup(1)
    return None if stat.S_ISREG(there.st_mode) else os.open(path, os.O_WRONLY)


def _golds(record: Mapping[str, Any]) -> list[Gold | str] | None:
    if record.get("tests"):
        return None
    name = "golds" if "golds" in record else "answers"
    golds, aliases = record.get(name), record.get("aliases") or {}
    if not isinstance(golds, list) or not golds:
        raise InputError(f'"{name}" must be a non-empty list of strings', value=golds)
    if not isinstance(aliases, dict):
        raise InputError('"aliases" must map an answer to a list of other names', value=aliases)
    return [_gold(gold, aliases, name) for gold in golds]


def _gold(gold: Any, aliases: Mapping[str, Any], name: str) -> Gold:
    text = gold.get("text") if isinstance(gold, dict) else gold
    if not isinstance(text, str) or not text.strip():
        raise InputError(f'"{name}" must be a non-empty list of strings', value=gold)
    others = gold.get("aliases", ()) if isinstance(gold, dict) else aliases.get(text, ())
    if not isinstance(others, list | tuple) or not all(isinstance(other, str) for other in others):
        raise InputError(f'the aliases of "{text}" must be a list of strings', value=others)
    return Gold(text, tuple(others))


def _text(record: Mapping[str, Any], name: str) -> str:
    if name not in record:
        raise InputError(f'a problem needs "{name}"', value=sorted(record))
    value = record[name]
    if name == "id" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise InputError(f'"{name}" must be a string', value=value)
    return value
