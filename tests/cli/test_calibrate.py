"""`setwise calibrate` as a user runs it."""

from pathlib import Path

import pytest

from setwise.calibration import Profile
from setwise.cli import main as setwise
from setwise.evaluation.measure import evaluate
from setwise.records.files import dump_record
from setwise.records.measured import RunMetrics
from setwise.records.run import RunFolder
from tests.calibration.made_up import attempts


def scored_run(path: Path, problems: int = 80, per_problem: int = 2) -> Path:
    """A run folder as `setwise eval` leaves it, of made-up attempts."""
    path.mkdir()
    made, folder = attempts(problems, per_problem, seed=40), RunFolder(path)
    folder.scores.write_text("".join(dump_record(each.to_record()) for each in made), encoding="utf-8")
    numbers = RunMetrics(
        task="made-up",
        model="made-up",
        method="rlcr-multi",
        k=3,
        confidence="written",
        regime="exclusive",
        metrics=evaluate(made, resamples=0),
        analyses={"budget": {}},
    )
    numbers.write(folder.metrics)
    return path


def test_a_profile_is_written_and_what_it_is_worth_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    run, out = scored_run(tmp_path / "run"), tmp_path / "profiles" / "profile.json"
    assert setwise(["calibrate", str(run), "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("80 problems, on folds the maps were not learnt from (answers: ")
    for name in ("answers, Brier ", "answers, ECE ", "answers, AUROC ", "sets, Brier ", "sets, AUROC "):
        assert name in shown
    profile = Profile.read(out)
    assert profile.about["model"] == "made-up"
    assert f"smallest alpha that can be promised: {profile.best_alpha:.2f}" in shown
    assert "0.05  out of reach" in shown
    assert "smallest alpha by completions joined: 1: " in shown
    assert shown.endswith(f"profile: {out}\n")


def test_completions_are_joined_where_that_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    run, out = scored_run(tmp_path / "run", problems=160), tmp_path / "profile.json"
    assert setwise(["calibrate", str(run), "--out", str(out), "--samples", "2"]) == 0
    assert Profile.read(out).samples == 2
    capsys.readouterr()


def test_bad_input_is_one_line_and_leaves_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    run, out = scored_run(tmp_path / "run", problems=20), tmp_path / "profile.json"
    for words, said in (
        ([str(run)], f"{run}: a profile needs at least 60 labelled problems, got 20; evaluate on more"),
        ([str(run), "--samples", "0"], "--samples: must be a whole number of at least 1, got 0"),
        ([str(tmp_path / "none")], f"{tmp_path / 'none'}: a run folder holds metrics.json and scores.jsonl"),
    ):
        assert setwise(["calibrate", *words, "--out", str(out)]) == 2
        assert capsys.readouterr().err.startswith(f"setwise: {said}")
    assert setwise(["calibrate", str(run), "--out", str(tmp_path)]) == 2
    assert "the profile is a file, and this is a folder" in capsys.readouterr().err
    assert not out.exists()
