"""The two commands of a script that keeps a record of runs and writes a document's tables from it."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from setwise.records.files import Record, dump_record, replacing


def collect_or_write(
    arguments: Sequence[str],
    usage: str | None,
    record: tuple[Path, Callable[[Path], Record]],
    document: tuple[Path, Callable[[str], str]],
) -> int:
    """`collect RUN...` writes the record of each run to a file; `write` puts the tables into the document."""
    match arguments:
        case ["collect", *runs] if runs:
            file, record_of = record
            with replacing(file) as out:
                for run in runs:
                    out.write(dump_record(record_of(Path(run))))
                    print(run, flush=True)
        case ["write"]:
            page, with_tables = document
            page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
        case _:
            print(usage, file=sys.stderr)
            return 2
    return 0
