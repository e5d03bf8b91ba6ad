"""MBPP: short Python programs. The prompt shows the text and the first assert; grading runs all asserts.

Setup code runs after the program and before the asserts, because in tasks 367 and 927 it builds objects of a class that
the program defines.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from setwise.errors import InputError
from setwise.matching import named
from setwise.objectives import Regime
from setwise.questions import Problem
from setwise.tasks.hub import hub_rows
from setwise.tasks.rows import RawRow, build_problems, read_rows
from setwise.tasks.sources import FileLayout, FileSource, HubSource, find_source
from setwise.tasks.subset import take
from setwise.tasks.task import LeftOut, Task, TaskKind, TaskRequest

RANGES = {
    "train": range(601, 975),
    "validation": range(511, 601),
    "test": range(11, 511),
    "prompt": range(1, 11),
    "all": range(1, 975),
}
SPLITS = tuple(RANGES)
FILES = {"full": "mbpp.jsonl", "sanitized": "sanitized-mbpp.json"}
ORIGIN = "github.com/google-research/google-research/tree/master/mbpp (CC BY 4.0)"
INSTRUCTION = "Answer with a complete Python program that defines the function the test calls."


@dataclass(frozen=True, slots=True)
class Options:
    """The options of MBPP."""

    version: str = "full"
    """`full` (974 tasks) or `sanitized` (427). If the path is a file, the file decides."""
    challenge_tests: bool = False
    """Also grade on the challenge tests, for tasks that have them."""
    show_setup: bool = False
    """Show setup code in the prompt. Without it, two tasks can be solved only by luck."""
    uniqueness: str = "ast_raw"
    """When programs of a set are one: `ast_raw` (equal syntax trees, as in the paper) or `ast_canonical` (also if only
    names differ, or what does not change the result)."""

    def __post_init__(self) -> None:
        if self.version not in FILES:
            raise InputError(f"version must be one of {', '.join(FILES)}", value=self.version)


def open_task(request: TaskRequest[Options]) -> Task:
    file = FILES[request.options.version]
    layout = FileLayout(files=dict.fromkeys(SPLITS, (file,)), origin=ORIGIN, hub="google-research-datasets/mbpp")
    source = find_source(request, layout)
    return Task(
        name=request.task,
        regime=Regime.INCLUSIVE,
        instruction=INSTRUCTION,
        read=partial(_problems, source, request),
        matcher=named(f"code:{request.options.uniqueness}"),
        source=source.identity,
    )


def _problems(source: FileSource | HubSource, request: TaskRequest[Options]) -> Iterator[Problem | LeftOut]:
    split = request.split or SPLITS[0]
    build = partial(_problem, wanted=RANGES[split], options=request.options)
    return take(build_problems(_rows(source, split, request.options.version), build), request.limit, request.seed)


def _rows(source: FileSource | HubSource, split: str, version: str) -> Iterator[RawRow]:
    if isinstance(source, FileSource):
        yield from read_rows(_as_rows_file(source.path))
        return
    for part in [split] if split != "all" else [part for part in SPLITS if part != "all"]:
        yield from hub_rows(source, part, version)


def _as_rows_file(path: Path) -> Path:
    if path.suffix not in {".json", ".jsonl", ".parquet"}:
        raise InputError(
            f"MBPP is {' or '.join(FILES.values())}", place=path.name, remedy=f"the files come from {ORIGIN}"
        )
    return path


def _problem(row: RawRow, wanted: range, options: Options) -> Problem | None:
    number = row.fields.get("task_id")
    if not isinstance(number, int) or number not in RANGES["all"]:
        raise InputError('"task_id" must be a whole number from 1 to 974', place=row.place, value=number)
    text = row.text("text" if "text" in row.fields else "prompt")
    reference, tests = row.text("code"), row.texts("test_list")
    setup = _setup(row)
    if options.challenge_tests and row.fields.get("challenge_test_list"):
        tests += row.texts("challenge_test_list")
    if number not in wanted:
        return None
    shown = f"Setup that runs before the tests:\n{setup}\n\n" if setup and options.show_setup else ""
    return Problem(
        id=f"mbpp-{number}",
        question=f"{text.strip()}\n\n{shown}The program must pass this test, among others:\n{tests[0].strip()}",
        tests=tests,
        setup=setup,
        reference=reference,
        meta={"task_id": number},
    )


def _setup(row: RawRow) -> str:
    """`test_setup_code` in the full file, `test_imports` in the sanitized one."""
    if row.fields.get("test_imports"):
        return "\n".join(row.texts("test_imports"))
    return row.text("test_setup_code") if row.fields.get("test_setup_code") else ""


MBPP = TaskKind("short Python programs, graded by their asserts", open_task, SPLITS, Options)
