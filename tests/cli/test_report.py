"""`setwise report` as a command."""

import argparse
import builtins
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from setwise.cli import report
from setwise.errors import InputError
from setwise.evaluation.methods import METHODS
from tests.reports.made_up import MadeUpTask, make_run


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    report.add_arguments(parser)
    return report.run(parser.parse_args(arguments))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("run") / "first", MadeUpTask(4), METHODS["rlcr-multi"])


def test_the_path_of_the_page_is_the_last_thing_said(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(str(folder), "--out", str(tmp_path / "out"), "--no-pdf", "--resamples", "20") == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"report: {tmp_path / 'out' / 'report.html'}"
    assert not list((tmp_path / "out" / "figures").glob("*.pdf"))


def test_a_folder_of_runs_stands_for_the_runs_in_it(folder: Path, tmp_path: Path):
    assert run(str(folder.parent), "--out", str(tmp_path / "all"), "--no-pdf", "--resamples", "20") == 0
    assert run(str(folder), "--out", str(tmp_path / "one"), "--no-pdf", "--resamples", "20") == 0
    pages = [(tmp_path / name / "report.html").read_bytes() for name in ("all", "one")]
    assert pages[0] == pages[1]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: a run folder holds metrics\.json and scores\.jsonl, or log\.jsonl"):
        run(str(tmp_path / "empty"), "--out", str(tmp_path / "none"))


def test_a_best_possible_value_of_no_known_metric_is_refused(folder: Path, tmp_path: Path):
    run_folder = shutil.copytree(folder, tmp_path / "run")
    (run_folder / "bayes.json").write_text('{"k": 3, "values": {"coverge": 0.5}}', encoding="utf-8")
    with pytest.raises(
        InputError, match=r'bayes\.json: no metric has this name, got "coverge"; did you mean coverage\?'
    ):
        run(str(run_folder), "--out", str(tmp_path / "out"), "--resamples", "20")
    assert not (tmp_path / "out").exists()


def test_a_metric_of_ones_own_that_was_not_loaded_blocks_nothing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    run_folder = shutil.copytree(folder, tmp_path / "run")
    told = json.loads((run_folder / "metrics.json").read_text(encoding="utf-8"))
    told["metrics"]["zest"] = told["metrics"]["coverage"]
    (run_folder / "metrics.json").write_text(json.dumps(told), encoding="utf-8")
    assert run(str(run_folder), "--out", str(tmp_path / "out"), "--no-pdf", "--resamples", "20") == 0
    assert "note: Left out: zest, a metric that is not loaded" in capsys.readouterr().err


def test_figures_come_as_svg_alone_where_matplotlib_is_missing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    imported = builtins.__import__

    def without_matplotlib(name: str, *rest: Any, **options: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return imported(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", without_matplotlib)
    assert run(str(folder), "--out", str(tmp_path), "--resamples", "20") == 0
    assert "pip install 'setwise[reports]'" in capsys.readouterr().err
    assert {path.suffix for path in (tmp_path / "figures").iterdir()} == {".svg"}
