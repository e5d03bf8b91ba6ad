"""`setwise audit` says what it found, keeps it beside the run, and plants what is asked for."""

from pathlib import Path

import pytest

from setwise.cli import main
from setwise.records.audit import AuditRecord
from setwise.workflows.honest_clinic import write_honest_run


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_honest_run(tmp_path_factory.mktemp("runs") / "honest", problems=80, samples=1).path


@pytest.fixture(scope="module")
def planted(honest: Path) -> Path:
    out = honest.parent / "planted"
    assert main(["audit", str(honest), "--plant", "hedge_or=0.3", "--out", str(out)]) == 0
    return out


def test_strict_makes_a_finding_an_exit_status(honest: Path, planted: Path):
    assert main(["audit", str(planted), "--strict", "--no-write"]) == 1
    assert main(["audit", str(honest), "--strict", "--no-write"]) == 0
    assert not (planted / "audit.json").exists()


def test_runs_are_audited_and_the_findings_kept(honest: Path, planted: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["audit", str(honest), str(planted)]) == 0
    told = capsys.readouterr().out
    assert "nothing found" in told
    assert "hedged_answers" in told
    assert "Several answers in one" in told
    [found] = AuditRecord.read(planted / "audit.json").alarms
    assert found.name == "hedged_answers"
    assert AuditRecord.read(honest / "audit.json").findings == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "name a run folder"),
        (["RUN", "--plant", "hedge_or", "--out", "x"], "KIND=RATE"),
        (["RUN", "--plant", "hedge_or=0.1"], "written to --out"),
        (["RUN", "--plant", "hegde_or=0.1", "--out", "x"], "did you mean hedge_or"),
        (["RUN", "--plant", "hedge_or=2", "--out", "x"], "between 0 and 1"),
        (["RUN", "--only", "one_sett"], "did you mean one_set"),
    ],
)
def test_bad_input_is_one_clear_line(honest: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]):
    assert main(["audit", *(str(honest) if each == "RUN" else each for each in arguments)]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_the_list_names_findings_and_cheats(capsys: pytest.CaptureFixture[str]):
    assert main(["audit", "--list"]) == 0
    told = capsys.readouterr().out
    assert "one_set" in told
    assert "hedge_or" in told
