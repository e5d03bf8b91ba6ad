"""What commands print while they work and when they finish."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread

_SECONDS_BETWEEN_LINES = 10.0
_TOLD_APART = {
    "truncated": "truncated (by the token limit)",
    "parse/truncated": "parse/truncated (unreadable: a tag left open)",
}
"""Names that would be ambiguous in one table."""


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """A function to report progress to: a live bar on a terminal, otherwise a plain line now and then."""
    if not sys.stderr.isatty():
        with _plain_lines(what, total) as say:
            yield say
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def _plain_lines(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Printed on a timer: batched work reports a whole batch at once, then nothing for a long time."""
    done, ended = 0, Event()

    def remember(so_far: int) -> None:
        nonlocal done
        done = so_far

    def say() -> None:
        said = 0
        while not ended.wait(_SECONDS_BETWEEN_LINES):
            if done > said:
                said = done
                print(f"{what}: {said:,}" + (f" of {total:,}" if total else ""), file=sys.stderr)  # noqa: T201

    clock = Thread(target=say, daemon=True)
    clock.start()
    try:
        yield remember
    finally:
        ended.set()
        clock.join()


def told_apart(name: str) -> str:
    """The name of a metric or a count, as tables show it.

    >>> told_apart("truncated"), told_apart("coverage")
    ('truncated (by the token limit)', 'coverage')
    """
    return _TOLD_APART.get(name, name)


def print_table(title: str, rows: Sequence[Sequence[str]], header: Sequence[str] = ()) -> None:
    """Print rows in columns: numbers right-aligned, everything else left-aligned."""
    lines = [*([header] if header else []), *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    print(title)  # noqa: T201
    for number, line in enumerate(lines):
        print("  " + "  ".join(map(_cell, line, widths)).rstrip())  # noqa: T201
        if header and number == 0:
            print("  " + "  ".join("-" * width for width in widths))  # noqa: T201


def _cell(text: str, width: int) -> str:
    return text.rjust(width) if text == "-" or _starts_with_a_number(text) else text.ljust(width)


def _starts_with_a_number(text: str) -> bool:
    first = text.partition(" ")[0].rstrip("%x").replace(",", "")
    return first.lstrip("+-").replace(".", "", 1).isdecimal()
