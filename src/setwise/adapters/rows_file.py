"""Writes rows in the file format of an engine, completely or not at all."""

import json
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from setwise.adapters.missing import imported
from setwise.errors import InputError
from setwise.records.files import replacing

ROWS_A_BATCH = 1000

Row = dict[str, Any]


def write_rows(rows: Iterable[Row], path: Path, format: str) -> int:
    """Write `path` and return the number of rows. An empty file is an error."""
    with replacing(path) as stream:
        if format == "parquet":
            count = _write_parquet(rows, stream.buffer)
        else:
            count = sum(1 for row in rows if stream.write(json.dumps(row) + "\n"))
        if not count:
            raise InputError("there is no problem to write", place=path)
    return count


def _write_parquet(rows: Iterable[Row], stream: BinaryIO) -> int:
    arrow, parquet = (imported(name, adapter="parquet", extra="data") for name in ("pyarrow", "pyarrow.parquet"))
    count, writer = 0, None
    try:
        remaining = iter(rows)
        while batch := list(islice(remaining, ROWS_A_BATCH)):
            table = arrow.Table.from_pylist(batch, schema=writer.schema if writer else None)
            writer = writer or parquet.ParquetWriter(stream, table.schema)
            writer.write_table(table)
            count += len(batch)
    finally:
        if writer is not None:
            writer.close()
    return count
