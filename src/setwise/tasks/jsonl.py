"""Your own questions and golds: JSON lines, CSV or Parquet.

A row has `question`, `golds` and optionally `aliases` (other names of a gold) and `id`. Most question-answering files
call the golds `answers`, so that name is read too. In CSV, `golds` is one gold or a JSON list, and `aliases` a JSON
object. If no regime is given, it is inferred once, from the training file if there is one, and the task carries a note
about it.

The task is named after its file, or after its folder if the file is named after a split.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from setwise.errors import InputError
from setwise.matching import named
from setwise.objectives import Regime
from setwise.questions import Gold, Problem
from setwise.tasks.rows import RawRow, build_problems, read_rows
from setwise.tasks.sources import PATH, FileSource
from setwise.tasks.splits import INSTEAD, TEST
from setwise.tasks.subset import take
from setwise.tasks.task import LeftOut, Task, TaskKind, TaskRequest

SPLITS: tuple[str, ...] = ()
GOLDS = ("golds", "answers")
SUFFIXES = (".jsonl", ".csv", ".parquet", ".json")
COLUMNS_ARE_FIXED = (".csv", ".parquet")
TRAINING = "train"
SPLIT_NAMES = (TEST, *INSTEAD)
SHAPE = '{"question": ..., "golds": [...], "aliases"?: {gold: [...]}, "id"?: ...}'
INSTRUCTIONS = {
    Regime.EXCLUSIVE: "Exactly one answer is right.",
    Regime.INCLUSIVE: "Several answers may be right.",
}


@dataclass(frozen=True, slots=True)
class Options:
    """The options for your own file."""

    regime: str | None = None
    """`exclusive` or `inclusive`. By default, inferred from the file."""
    matcher: str = "exact"
    """`exact`, `fuzzy`, `fuzzy:85` or `math`."""
    instruction: str | None = None
    """What kind of answers are wanted, in one sentence."""

    def __post_init__(self) -> None:
        if self.regime is not None and self.regime not in list(Regime):
            raise InputError(f"regime must be one of {', '.join(Regime)}", value=self.regime)


def open_task(request: TaskRequest[Options]) -> Task:
    options, path = request.options, _file(request)
    regime, notes = _regime(request, path)
    return Task(
        name=_name(Path(request.path or "")),
        regime=regime,
        instruction=options.instruction or INSTRUCTIONS[regime],
        read=partial(_problems, path, regime, request),
        matcher=named(options.matcher),
        notes=(*notes, *_split_note(request)),
        source=f"{FileSource(path).identity} {regime}",
    )


def _name(path: Path) -> str:
    """`ambignq` for ambignq.jsonl, for ambignq/test.jsonl and for the folder ambignq."""
    place = path.resolve()
    named_by_its_folder = place.is_file() and place.stem.lower() in SPLIT_NAMES
    return (place.parent.name if named_by_its_folder else place.name if place.is_dir() else place.stem) or place.stem


def _splits_at(path: str | None) -> tuple[str, ...]:
    """The splits that a folder has a file for, among the known names; none for a file."""
    folder = Path(path or "")
    if path is None or not folder.is_dir():
        return ()
    return tuple(name for name in SPLIT_NAMES if any((folder / f"{name}{suffix}").is_file() for suffix in SUFFIXES))


def _file(request: TaskRequest) -> Path:
    if request.path is None:
        raise InputError(f"jsonl needs {PATH}, a file or a folder of them", remedy=f"its lines are {SHAPE}")
    path = Path(request.path)
    if path.is_dir():
        split = request.split or TRAINING
        for suffix in SUFFIXES:
            if (path / f"{split}{suffix}").is_file():
                return path / f"{split}{suffix}"
        raise InputError(
            f"the folder has no file for split {split}: {split}.jsonl, .csv or .parquet",
            place=path,
            value=sorted(file.name for file in path.iterdir())[:8],
            remedy="give one of the files, or name a split that is there",
        )
    if not path.is_file():
        raise InputError("no such file or folder", place=path)
    if request.split is not None:
        raise InputError(
            "split chooses among the files of a folder, and path is a file",
            value=request.split,
            remedy="give the folder, or leave split out",
        )
    return path


def _split_note(request: TaskRequest) -> tuple[str, ...]:
    if request.split is not None or not Path(request.path or "").is_dir():
        return ()
    return (f"split {TRAINING} of {request.path}, since none was named",)


def _regime(request: TaskRequest[Options], path: Path) -> tuple[Regime, tuple[str, ...]]:
    if request.options.regime is not None:
        return Regime(request.options.regime), ()
    beside = [path.with_name(TRAINING + suffix) for suffix in SUFFIXES] if Path(request.path or "").is_dir() else []
    training = next((file for file in beside if file.is_file()), path)
    regime, why = Regime.EXCLUSIVE, f"every problem of {training.name} has exactly one answer"
    for problem in build_problems(_rows(training), _problem):
        if isinstance(problem, Problem) and problem.n_golds != 1:
            regime, why = Regime.INCLUSIVE, f"{problem.id} in {training.name} has {problem.n_golds} answers"
            break
    return regime, (f"regime {regime}, inferred: {why}; the option regime overrides it",)


def _problems(path: Path, regime: Regime, request: TaskRequest) -> Iterator[Problem | LeftOut]:
    return take(build_problems(_rows(path), partial(_problem, regime=regime)), request.limit, request.seed)


def _rows(path: Path) -> Iterator[RawRow]:
    row = None
    for row in read_rows(path):
        if row.position == 1 and path.suffix in COLUMNS_ARE_FIXED:
            _require_columns(row)
        yield _decoded(row) if path.suffix == ".csv" else row
    if row is None:
        raise InputError("the file has no rows", place=path.name, remedy=f"its lines are {SHAPE}")


def _require_columns(row: RawRow) -> None:
    """What the header lacks concerns every row, so the columns are named instead of the first row's empty fields."""
    lacking = [names[0] for names in (("question",), GOLDS) if not any(name in row.fields for name in names)]
    if lacking and not (row.misspelt("question") or row.misspelt(*GOLDS)):
        rule = f"the file has no column {' and no column '.join(lacking)}"
        remedy = f"a file of questions needs question and {' or '.join(GOLDS)}"
        raise InputError(rule, place=row.place.partition(":")[0], value=list(row.fields), remedy=remedy)


def _decoded(row: RawRow) -> RawRow:
    """A CSV row with JSON cells parsed, a single plain answer made a list, and empty cells dropped."""
    cells = {name: cell for name, cell in row.fields.items() if cell}
    for name in (*GOLDS, "aliases"):
        if cells.get(name, "").startswith(("[", "{")):
            try:
                cells[name] = json.loads(cells[name])
            except ValueError as error:
                raise InputError(f'"{name}" is not JSON ({error})', place=row.place, value=cells[name]) from None
    for name in GOLDS:
        if isinstance(cells.get(name), str):
            cells[name] = [cells[name]]
    return RawRow(row.place, row.position, cells)


def _problem(row: RawRow, regime: Regime = Regime.INCLUSIVE) -> Problem:
    golds = row.texts(_golds_column(row))
    if regime is Regime.EXCLUSIVE and len(golds) != 1:
        raise InputError(
            "the exclusive regime has one answer a problem",
            place=row.place,
            value=golds,
            remedy="choose regime=inclusive, or make other spellings aliases",
        )
    aliases = _aliases(row, golds)
    return Problem(
        id=_id(row),
        question=row.text("question"),
        golds=[Gold(gold, aliases.get(gold, ())) for gold in golds],
    )


def _golds_column(row: RawRow) -> str:
    named = [name for name in GOLDS if name in row.fields]
    if len(named) > 1:
        rule = f"a row calls its right answers {' or '.join(GOLDS)}, not both"
        raise InputError(rule, place=row.place, value=named, remedy="remove one of the two")
    if not named and (remedy := row.misspelt(*GOLDS)):
        rule = f"a row calls its right answers {' or '.join(GOLDS)}"
        raise InputError(rule, place=row.place, value=list(row.fields), remedy=remedy)
    return named[0] if named else GOLDS[0]


def _id(row: RawRow) -> str:
    value = row.fields.get("id")
    if value is None:
        return f"row-{row.position}"
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise InputError('"id" must be a non-empty string or a whole number', place=row.place, value=value)
    return str(value)


def _aliases(row: RawRow, golds: list[str]) -> dict[str, tuple[str, ...]]:
    if remedy := row.misspelt("aliases"):
        raise InputError("other names of a gold are its aliases", place=row.place, remedy=remedy)
    value = row.fields.get("aliases")
    # Parquet has no objects with free keys: a map column is a list of pairs, and a struct column has every key.
    pairs = value.items() if isinstance(value, Mapping) else value or ()
    aliases: dict[str, tuple[str, ...]] = {}
    for pair in pairs:
        if not _is_alias_pair(pair):
            raise InputError('"aliases" must map a gold to a list of names', place=row.place, value=value)
        gold, names = pair
        if names and gold not in golds:
            raise InputError('"aliases" names something that is no gold of this row', place=row.place, value=gold)
        aliases[gold] = tuple(names or ())
    return aliases


def _is_alias_pair(pair: Any) -> bool:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        return False
    names = pair[1] or []
    return isinstance(names, list) and all(isinstance(name, str) and name.strip() for name in names)


JSONL = TaskKind(
    "your own questions and what is right: JSON lines, CSV or Parquet",
    open_task,
    SPLITS,
    Options,
    splits_at=_splits_at,
)
