"""Writes the problems of a task to JSON lines or Parquet, for other programs and for the `jsonl` task."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from setwise.errors import InputError, MissingDependency
from setwise.questions import Problem
from setwise.records.files import SCHEMA, json_text, replacing

FORMATS = ("jsonl", "parquet")
OTHER_FORMATS = ("json", "csv")
"""Endings that only the `jsonl` task can read."""
ROWS_A_BATCH = 1000


def export_problems(problems: Iterable[Problem], out: Path, format: str | None = None) -> int:
    """Write all problems or, on any error, nothing. Returns how many. The name may imply the format."""
    chosen = _format(out, format)
    with replacing(out) as stream:
        return _write_jsonl(problems, stream) if chosen == "jsonl" else _write_parquet(problems, stream.buffer)


def as_row(problem: Problem) -> dict[str, Any]:
    """A problem in the format of the `jsonl` task. A code problem has tests instead of golds."""
    row: dict[str, Any] = {"id": problem.id, "question": problem.question.text}
    if problem.golds is None:
        return row | {"tests": list(problem.tests), "setup": problem.setup, "reference": problem.reference}
    row["golds"] = [gold.text for gold in problem.golds]
    aliases = {gold.text: list(gold.aliases) for gold in problem.golds if gold.aliases}
    return row | {"aliases": aliases} if aliases else row


def _format(out: Path, wished: str | None) -> str:
    suffix = out.suffix.removeprefix(".").lower()
    promised = suffix if suffix in (*FORMATS, *OTHER_FORMATS) else None
    chosen = wished or promised or FORMATS[0]
    if chosen not in FORMATS:
        raise InputError(f"an export format is one of {', '.join(FORMATS)}", value=chosen)
    if promised not in (None, chosen):
        rule = f"the name promises {promised}, and the format is {chosen}"
        raise InputError(rule, place=out, remedy=f"let the name end in .{chosen}")
    return chosen


def _write_jsonl(problems: Iterable[Problem], stream: TextIO) -> int:
    count = 0
    for problem in problems:
        stream.write(json_text({"schema": SCHEMA, **as_row(problem)}) + "\n")
        count += 1
    return count


def _write_parquet(problems: Iterable[Problem], stream: BinaryIO) -> int:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise MissingDependency("writing Parquet", package="pyarrow", extra="data") from None
    texts = pa.list_(pa.string())
    names = {"id": pa.string(), "question": pa.string()}
    golds = {"golds": texts, "aliases": pa.map_(pa.string(), texts)}
    code = {"tests": texts, "setup": pa.string(), "reference": pa.string()}
    count, writer = 0, None
    try:
        for rows in _batches(problems):
            if writer is None:
                schema = pa.schema(names | (code if "tests" in rows[0] else golds))
                writer = parquet.ParquetWriter(stream, schema)
            for row in rows:
                row["aliases"] = list(row.get("aliases", {}).items())
            writer.write_table(pa.Table.from_pylist(rows, schema=writer.schema))
            count += len(rows)
    finally:
        if writer is not None:
            writer.close()
    if not count:
        raise InputError("there is no problem to write")
    return count


def _batches(problems: Iterable[Problem]) -> Iterator[list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    for problem in problems:
        rows.append(as_row(problem))
        if len(rows) == ROWS_A_BATCH:
            yield rows
            rows = []
    if rows:
        yield rows
