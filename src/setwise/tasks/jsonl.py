"""Your own questions and answers: JSON lines, CSV or Parquet.

A row is `question`, `answers`, and if you like `aliases` (other names of an answer) and `id`. In CSV, `answers`
is one answer or a JSON list of them and `aliases` a JSON object. The regime, if not given, is inferred once,
from the training file where there is one, and the task carries a note that says so.
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
from setwise.problems import Gold, Problem
from setwise.tasks.rows import RawRow, build_problems, read_rows
from setwise.tasks.sampling import take
from setwise.tasks.sources import PATH, FileSource
from setwise.tasks.task import LeftOut, Request, Task

SPLITS: tuple[str, ...] = ()
SUFFIXES = (".jsonl", ".csv", ".parquet", ".json")
TRAINING = "train"
SHAPE = '{"question": ..., "answers": [...], "aliases"?: {answer: [...]}, "id"?: ...}'
INSTRUCTIONS = {
    Regime.EXCLUSIVE: "Exactly one answer is right.",
    Regime.INCLUSIVE: "Several answers may be right.",
}


@dataclass(frozen=True, slots=True)
class Options:
    """What can be chosen about your own file."""

    regime: str | None = None
    """`exclusive` or `inclusive`; inferred if not given."""
    matcher: str = "exact"
    """`exact`, `fuzzy`, `fuzzy:85` or `math`."""
    instruction: str | None = None
    """What kind of answers are wanted, in one sentence."""

    def __post_init__(self) -> None:
        if self.regime is not None and self.regime not in list(Regime):
            raise InputError(f"regime must be one of {', '.join(Regime)}", value=self.regime)


def open_task(request: Request[Options]) -> Task:
    options, path = request.options, _file(request)
    regime, notes = _regime(request, path)
    return Task(
        name=request.task,
        regime=regime,
        instruction=options.instruction or INSTRUCTIONS[regime],
        read=partial(_problems, path, regime, request),
        matcher=named(options.matcher),
        notes=notes,
        source=f"{FileSource(path).identity} {regime}",
    )


def _file(request: Request) -> Path:
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


def _regime(request: Request[Options], path: Path) -> tuple[Regime, tuple[str, ...]]:
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


def _problems(path: Path, regime: Regime, request: Request) -> Iterator[Problem | LeftOut]:
    return take(build_problems(_rows(path), partial(_problem, regime=regime)), request.limit, request.seed)


def _rows(path: Path) -> Iterator[RawRow]:
    row = None
    for row in read_rows(path):
        yield _decoded(row) if path.suffix == ".csv" else row
    if row is None:
        raise InputError("the file has no rows", place=path.name, remedy=f"its lines are {SHAPE}")


def _decoded(row: RawRow) -> RawRow:
    """A CSV row with its JSON cells read, its one plain answer a list, and its empty cells gone."""
    cells = {name: cell for name, cell in row.fields.items() if cell}
    for name in ("answers", "aliases"):
        if cells.get(name, "").startswith(("[", "{")):
            try:
                cells[name] = json.loads(cells[name])
            except ValueError as error:
                raise InputError(f'"{name}" is not JSON ({error})', place=row.place, value=cells[name]) from None
    if isinstance(cells.get("answers"), str):
        cells["answers"] = [cells["answers"]]
    return RawRow(row.place, row.position, cells)


def _problem(row: RawRow, regime: Regime = Regime.INCLUSIVE) -> Problem:
    answers = row.texts("answers")
    if regime is Regime.EXCLUSIVE and len(answers) != 1:
        raise InputError(
            "the exclusive regime has one answer a problem",
            place=row.place,
            value=answers,
            remedy="choose regime=inclusive, or make other spellings aliases",
        )
    aliases = _aliases(row, answers)
    return Problem(
        id=_id(row),
        question=row.text("question"),
        golds=[Gold(answer, aliases.get(answer, ())) for answer in answers],
    )


def _id(row: RawRow) -> str:
    value = row.fields.get("id")
    if value is None:
        return f"row-{row.position}"
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise InputError('"id" must be a non-empty string or a whole number', place=row.place, value=value)
    return str(value)


def _aliases(row: RawRow, answers: list[str]) -> dict[str, tuple[str, ...]]:
    value = row.fields.get("aliases")
    # Parquet has no objects with free keys: a map column is a list of pairs, a struct column has every key.
    pairs = value.items() if isinstance(value, Mapping) else value or ()
    aliases: dict[str, tuple[str, ...]] = {}
    for pair in pairs:
        if not _is_alias_pair(pair):
            raise InputError('"aliases" must map an answer to a list of names', place=row.place, value=value)
        answer, names = pair
        if names and answer not in answers:
            raise InputError('"aliases" names something that is no answer of this row', place=row.place, value=answer)
        aliases[answer] = tuple(names or ())
    return aliases


def _is_alias_pair(pair: Any) -> bool:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        return False
    names = pair[1] or []
    return isinstance(names, list) and all(isinstance(name, str) and name.strip() for name in names)
