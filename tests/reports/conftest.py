"""Runs and a report on them, made once."""

from pathlib import Path

import pytest

from setwise.evaluation.methods import METHODS
from setwise.workflows.report import make_report
from tests.once import made_once
from tests.reports.made_up import MadeUpTask, make_paper_runs, make_run, make_training_log, paper_run_folders

DEEP = {"rlvr-single": 12, "rlvr-multi": 4}
"""Completions per problem of the two methods that are compared under one budget."""


@pytest.fixture(scope="session")
def paper_runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Every method of the paper on one task, named like a dataset of the paper."""
    names = [name for name in METHODS if name.partition("+")[2] != "continue"]
    methods = [METHODS[name].sized(samples=DEEP.get(name)) for name in names]
    task = MadeUpTask(24, name="ddxplus")
    root = made_once(lambda out: make_paper_runs(out, task, methods), tmp_path_factory, "paper-runs")
    return paper_run_folders(root, task, methods)


@pytest.fixture(scope="session")
def more_runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A K sweep on the same task, and a training log."""
    root = tmp_path_factory.mktemp("more")
    task, multi = MadeUpTask(24, name="ddxplus"), METHODS["rlvr-multi"]
    sweep = [make_run(root / f"k{k}", task, multi.sized(k=k)) for k in (2, 5)]
    return [*sweep, *(make_training_log(root / f"train-k{k}", k) for k in (2, 3))]


@pytest.fixture(scope="session")
def report_folder(paper_runs: list[Path], more_runs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(out: Path) -> None:
        make_report([*paper_runs, *more_runs], out, formats=("svg",), resamples=2000)

    return made_once(make, tmp_path_factory, "report")
