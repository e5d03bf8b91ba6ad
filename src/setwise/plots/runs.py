"""The input of a plot: run folders, or runs already read."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from setwise.errors import InputError
from setwise.records.run import RunFolder, names_of
from setwise.reports.inputs import Run
from setwise.workflows.report_runs import load_run

RunLike = str | Path | Run
Runs = RunLike | Iterable[RunLike]


def read_runs(folders: Runs) -> list[Run]:
    """The runs of some folders, read once to be drawn several times."""
    given: Sequence[RunLike] = [folders] if isinstance(folders, str | Path | Run) else list(folders)
    if not given:
        raise InputError("a plot needs at least one run")
    paths = [Path(each) for each in given if not isinstance(each, Run)]
    names = dict(zip(paths, names_of(paths), strict=True))
    return [each if isinstance(each, Run) else _read(Path(each), names[Path(each)]) for each in given]


def one_run(run: RunLike) -> Run:
    [found] = read_runs(run)
    return found


def _read(path: Path, name: str) -> Run:
    RunFolder(path).require_scored()
    return load_run(path, name).run
