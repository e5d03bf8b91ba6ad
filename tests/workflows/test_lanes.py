"""The scripts of recipes/small with a stand-in for the command: what they start, and that nothing outlives them."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.stand_ins import standing_in

SCRIPTS = Path(__file__).parents[2] / "recipes" / "small"
STAND_IN = """#!/usr/bin/env bash
echo "$*" >> "$SAID"
trap 'echo stopped >> "$SAID"; exit 130' TERM
for _ in $(seq 600); do sleep 0.1; done
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**standing_in({"setwise": STAND_IN}, tmp_path / "bin"), "SAID": str(tmp_path / "said"), "LANES": "2"}


@pytest.mark.parametrize("script", ["table.sh", "k-sweep.sh", "seeds.sh"])
def test_a_stopped_script_stops_its_runs_and_waits_for_them(
    script: str, environment: dict[str, str], tmp_path: Path
) -> None:
    said = tmp_path / "said"
    started = subprocess.Popen([SCRIPTS / script, "ddxplus", "data", tmp_path / "out", "model"], env=environment)
    until = time.monotonic() + 30
    while not (said.exists() and len(said.read_text().splitlines()) == 2):
        assert time.monotonic() < until
        time.sleep(0.1)
    assert all(line.startswith("train ") for line in said.read_text().splitlines())
    started.send_signal(signal.SIGTERM)
    assert started.wait(timeout=30) == 130
    assert said.read_text().splitlines()[2:] == ["stopped", "stopped"]
    logs = [log.read_text(encoding="utf-8") for log in (tmp_path / "out" / "logs").iterdir()]
    assert sorted(log.splitlines()[0].removeprefix("+ setwise ") for log in logs) == sorted(
        said.read_text().splitlines()[:2]
    )


@pytest.mark.parametrize(
    ("script", "wanted"), [("seeds.sh", {"RECIPES": "rlvr-single rlvr-none"}), ("k-sweep.sh", {"RECIPE": "rlvr-none"})]
)
def test_a_recipe_that_is_not_there_is_told_before_anything_runs(
    script: str, wanted: dict[str, str], environment: dict[str, str], tmp_path: Path
) -> None:
    asked = {**environment, **wanted}
    command = [SCRIPTS / script, "ddxplus", "data", tmp_path / "out", "model"]
    done = subprocess.run(command, env=asked, capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.rstrip().endswith("ddxplus/rlvr-none.yaml")
    assert not (tmp_path / "said").exists()
