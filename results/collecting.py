"""The two commands of a script that keeps a record of runs and writes a document's tables from it."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from setwise.records.files import Record, dump_record, read_records, replacing


def collect_or_write(
    arguments: Sequence[str],
    usage: str | None,
    collect: Callable[[Sequence[Path]], None],
    document: tuple[Path, Callable[[str], str]],
) -> int:
    """`collect RUN...` keeps the record of the runs; `write` puts the tables into the document."""
    match arguments:
        case ["collect", *runs] if runs:
            collect([Path(run) for run in runs])
        case ["write"]:
            page, with_tables = document
            page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
        case _:
            print(usage, file=sys.stderr)
            return 2
    return 0


def records_in(file: Path) -> list[Record]:
    """What was collected there."""
    return [record for _, record in read_records(file)]


def one_line_each(file: Path, record_of: Callable[[Path], Record]) -> Callable[[Sequence[Path]], None]:
    """Writes the record of each run to the file."""

    def collect(runs: Sequence[Path]) -> None:
        with replacing(file) as out:
            for run in runs:
                out.write(dump_record(record_of(run)))
                print(run, flush=True)

    return collect
