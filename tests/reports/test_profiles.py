"""Profiles in a report: for runs that have one in their folder."""

from pathlib import Path

import pytest

from setwise.calibration import learn_profile
from setwise.errors import InputError
from setwise.evaluation.methods import METHODS
from setwise.objectives import Regime
from setwise.records.run import RunFolder
from setwise.workflows.report import make_report
from tests.reports.made_up import MadeUpTask, make_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    task = MadeUpTask(70, name="made-up", regime=Regime.EXCLUSIVE)
    return make_run(tmp_path_factory.mktemp("profiled") / "multi", task, METHODS["rlcr-zero-shot"])


def test_a_profile_in_the_folder_of_its_run_is_drawn(run: Path, tmp_path: Path):
    profile = learn_profile(RunFolder(run))
    assert not profile.best_by_samples
    profile.write(run / "profile.json")
    make_report([run], tmp_path / "report", formats=("svg",), resamples=50)
    (run / "profile.json").unlink()
    text = (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
    assert "### Confidences before and after calibration" in text
    assert "### What can be promised" in text
    kept = (tmp_path / "report" / "figures" / "made-up-profile-promises.svg").read_text(encoding="utf-8")
    assert "mean answers kept" in kept
    assert "share passed on" in kept
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert f"<td>{profile.best_alpha:.2f}</td>" in page.replace(' class="number"', "")


def test_a_run_without_one_has_no_such_figures(run: Path, tmp_path: Path):
    make_report([run], tmp_path / "report", formats=("svg",), resamples=50)
    assert not list((tmp_path / "report" / "figures").glob("*profile*"))


def test_a_profile_that_cannot_be_read_is_named(run: Path, tmp_path: Path):
    (run / "profile.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"profile\.json: the file lacks what setwise calibrate writes"):
        make_report([run], tmp_path / "report", formats=("svg",), resamples=50)
    (run / "profile.json").unlink()
