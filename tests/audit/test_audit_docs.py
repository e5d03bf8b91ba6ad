"""docs/how-to/audit.md lists every finding, and prints what the command prints."""

import re
from pathlib import Path

import pytest

from setwise.audit import FINDINGS
from setwise.cli import main
from setwise.workflows.honest_clinic import write_honest_run
from tests.docs.pages import read_blocks

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "audit.md"


def test_every_finding_is_listed_and_no_other():
    table = PAGE.read_text(encoding="utf-8").split("| finding | in short |")[1].split("\n\n")[0]
    listed = [name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert sorted(listed) == sorted(FINDINGS.names())


def test_the_planted_hedges_are_found_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    write_honest_run("runs/honest", seed=0)
    assert main(["audit", "runs/honest", "--plant", "hedge_or=0.1", "--out", "runs/planted"]) == 0
    capsys.readouterr()
    assert main(["audit", "runs/planted", "--only", "hedged_answers"]) == 0
    (shown,) = (block.text for block in read_blocks(PAGE) if block.language == "text")
    assert shown in capsys.readouterr().out
