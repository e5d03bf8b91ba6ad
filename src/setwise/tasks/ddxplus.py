"""DDXPlus patients: what they report, and the differential diagnosis of a doctor.

A million rows are too many to parse for a sample of 25,000, so rows are chosen by the hash of their position while they
are still bytes. Only the chosen ones are decoded.
"""

import ast
import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from setwise.errors import InputError
from setwise.objectives import Regime
from setwise.questions import Problem
from setwise.tasks.csv_lines import read_row_bytes
from setwise.tasks.ddxplus_tables import CONDITIONS_FILE, EVIDENCES_FILE, ORIGIN, Tables, load_tables, render
from setwise.tasks.hub import hub_file, open_hub
from setwise.tasks.sources import (
    FileLayout,
    FileSource,
    HubSource,
    check_file_split,
    content_identity,
    find_source,
    splits_at,
)
from setwise.tasks.subset import smallest, stable_hash
from setwise.tasks.task import LeftOut, Task, TaskKind, TaskRequest

SPLITS = ("train", "validate", "test")
COLUMNS = ("AGE", "DIFFERENTIAL_DIAGNOSIS", "SEX", "PATHOLOGY", "EVIDENCES", "INITIAL_EVIDENCE")
LAYOUT = FileLayout(
    files={
        split: tuple(f"{stem}{suffix}" for stem in (f"release_{split}_patients", split) for suffix in (".csv", ".zip"))
        for split in SPLITS
    },
    origin=ORIGIN,
    hub="aai530-group6/ddxplus",
)
INSTRUCTION = "Answer with diagnoses that belong in this patient's differential diagnosis."
NOTHING_LEFT = "no diagnosis reaches min_probability"

_REPAIR = "get the file again, or repair or remove the row"

Choice = TypeVar("Choice")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of DDXPlus."""

    min_probability: float = 0.0
    """Diagnoses less probable than this are not gold."""
    list_answers: bool = False
    """List all 49 conditions in the instruction."""

    def __post_init__(self) -> None:
        if not 0 <= self.min_probability <= 1:
            raise InputError("min_probability must lie in [0, 1]", value=self.min_probability)


def open_task(request: TaskRequest[Options]) -> Task:
    source = find_source(request, LAYOUT)
    if isinstance(source, FileSource):
        check_file_split(request, source, LAYOUT)
        companions = [source.path.parent / name for name in (EVIDENCES_FILE, CONDITIONS_FILE)]
        split = request.split or _split_of(source.path)
    else:
        companions = [hub_file(source, name) for name in (EVIDENCES_FILE, CONDITIONS_FILE)]
        split = request.split or SPLITS[0]
    tables = load_tables(*companions)
    listed = f" Choose from: {'; '.join(tables.conditions)}." if request.options.list_answers else ""
    return Task(
        name=request.task,
        regime=Regime.INCLUSIVE,
        instruction=INSTRUCTION + listed,
        read=partial(_problems, source, split, tables, request),
        answer_names=tables.conditions,
        source=" ".join([source.identity, *map(content_identity, companions)]),
    )


def _problems(
    source: FileSource | HubSource, split: str, tables: Tables, request: TaskRequest[Options]
) -> Iterator[Problem | LeftOut]:
    if isinstance(source, FileSource):
        name, rows = source.path.name, _file_rows(source.path, split, request)
    else:
        name, rows = source.repository, _hub_rows(source, split, request)
    for position, fields in rows:
        place = f"{name}: row {position}"
        try:
            yield _problem(_id(split, position), fields, tables, request.options.min_probability)
        except _NothingLeft:
            yield LeftOut(NOTHING_LEFT, place)
        except InputError as error:
            raise error.at(place) from None


def _file_rows(path: Path, split: str, request: TaskRequest) -> Iterator[tuple[int, Mapping[str, str]]]:
    rows = read_row_bytes(path)
    columns = _cells(next(rows, b"").removeprefix(b"\xef\xbb\xbf"), path.name)
    _check_columns(columns, path.name)
    for position, row in _chosen(enumerate(rows, start=1), split, request):
        place = f"{path.name}: row {position}"
        cells = _cells(row, place)
        if len(cells) != len(columns):
            raise InputError(f"a row must have {len(columns)} cells", place=place, value=len(cells), remedy=_REPAIR)
        yield position, dict(zip(columns, cells, strict=True))


def _hub_rows(source: HubSource, split: str, request: TaskRequest) -> Iterator[tuple[int, Mapping[str, Any]]]:
    dataset = open_hub(source, split)
    _check_columns(dataset.column_names, source.repository)
    positions = ((position, position) for position in range(1, len(dataset) + 1))
    for position, _ in _chosen(positions, split, request):
        yield position, dataset[position - 1]


def _chosen(rows: Iterable[tuple[int, Choice]], split: str, request: TaskRequest) -> Iterator[tuple[int, Choice]]:
    """The subset that the user asked for, decided by position alone."""
    if request.limit is None or request.seed is None:
        return islice(iter(rows), request.limit)
    seed = request.seed
    return smallest(((stable_hash(seed, _id(split, row[0])), row) for row in rows), request.limit)


def _problem(id: str, fields: Mapping[str, Any], tables: Tables, min_probability: float) -> Problem:
    differential = _differential(fields["DIFFERENTIAL_DIAGNOSIS"], tables)
    golds = [name for name, probability in differential if probability >= min_probability]
    if not golds:
        raise _NothingLeft
    age = str(fields["AGE"])
    if not age.isdecimal():
        raise InputError("AGE must be a whole number", value=fields["AGE"], remedy=_REPAIR)
    return Problem(
        id=id,
        question=render(int(age), str(fields["SEX"]), _codes(fields["EVIDENCES"]), tables),
        golds=golds,
        meta={"pathology": fields["PATHOLOGY"], "differential": dict(differential)},
    )


def _differential(text: Any, tables: Tables) -> list[tuple[str, float]]:
    pairs = _literal(text)
    if not isinstance(pairs, list) or not pairs:
        raise _not_a_list("DIFFERENTIAL_DIAGNOSIS must be a non-empty list of [condition, probability]", text)
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[1], int | float):
            raise _not_a_list("DIFFERENTIAL_DIAGNOSIS must be a non-empty list of [condition, probability]", pair)
        tables.check_condition(pair[0])
    return [(name, probability) for name, probability in pairs]


def _codes(text: Any) -> list[str]:
    codes = _literal(text)
    if not isinstance(codes, list) or not codes or not all(isinstance(code, str) for code in codes):
        raise _not_a_list("EVIDENCES must be a non-empty list of codes", text)
    return codes


def _not_a_list(rule: str, value: Any) -> InputError:
    return InputError(rule, value=value, remedy=_REPAIR)


def _literal(text: Any) -> Any:
    """Parse a Python list. Nearly all are JSON except for the quotes, which reads ten times faster."""
    try:
        if '"' not in text and "\\" not in text:
            return json.loads(text.replace("'", '"'))
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _cells(row: bytes, place: str) -> list[str]:
    try:
        return next(csv.reader([row.decode()], strict=True), [])
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"a row must be UTF-8 CSV ({error})", place=place, remedy="get the file again") from None


def _check_columns(columns: list[str], place: str) -> None:
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        raise InputError(
            f"the columns must be {', '.join(COLUMNS)} (missing: {', '.join(missing)})",
            place=place,
            value=columns,
            remedy=f"the files come from {ORIGIN}",
        )


def _id(split: str, position: int) -> str:
    return f"ddxplus-{split}-{position}"


def _split_of(path: Path) -> str:
    return path.stem.removesuffix(".csv").removeprefix("release_").removesuffix("_patients")


class _NothingLeft(Exception):
    """No gold is probable enough."""


DDXPLUS = TaskKind(
    "DDXPlus patients; the answers are the differential diagnosis",
    open_task,
    SPLITS,
    Options,
    splits_at=partial(splits_at, layout=LAYOUT),
)
