"""Every attack fails, at every tier this machine can make, as root and as an ordinary user."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .attacks import ATTACKS, FAMILIES
from .attacks.false_pass import FALSE_PASS
from .conftest import IS_ROOT, start_as

pytestmark = pytest.mark.slow

USERS = ("root", "nobody") if IS_ROOT else ("self",)
SETTINGS = [(user, tier) for user in USERS for tier in "ABC"]
if IS_ROOT and shutil.which("capsh"):
    SETTINGS.append(("root-without-admin", "A"))
BLOCKED = ("failed", "error", "timeout", "crashed", "protocol_error")
DRIVER = str(Path(__file__).parent / "attack_driver.py")


@pytest.fixture(scope="module")
def reports() -> Iterator[dict[tuple[str, str], Any]]:
    """All settings at once: most attacks wait for their CPU time to be up, and that does not depend on company."""
    running = {setting: start_as(setting[0], [DRIVER, setting[1]]) for setting in SETTINGS}
    try:
        yield {setting: _report(process) for setting, process in running.items()}
    finally:
        for process in running.values():
            process.kill()
            process.wait()


def _report(process: subprocess.Popen[str]) -> Any:
    out, err = process.communicate(timeout=500)
    assert process.returncode == 0, err
    return json.loads(out)


@pytest.fixture(params=SETTINGS, ids=lambda setting: "-".join(setting))
def report(request: pytest.FixtureRequest, reports: dict[tuple[str, str], Any]) -> Any:
    found = reports[request.param]
    if "impossible" in found:
        pytest.skip(found["impossible"])
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_no_attack_is_judged_right_or_escapes_its_verdict(report: Any, family: str):
    outcomes = {name: report["outcomes"][f"{family}/{name}"] for name in FAMILIES[family]}
    fine = {name: ("unsupported_test",) if attack.refused else BLOCKED for name, attack in FAMILIES[family].items()}
    assert {name: seen for name, seen in outcomes.items() if seen[0] not in fine[name]} == {}


@pytest.mark.parametrize("family", FAMILIES)
def test_after_each_attack_the_next_honest_program_is_judged_right(report: Any, family: str):
    outcomes = {name: report["outcomes"][f"{family}/{name}"] for name in FAMILIES[family]}
    assert {name: seen for name, seen in outcomes.items() if seen[2] != "passed"} == {}


def test_nothing_on_the_machine_was_touched(report: Any):
    assert report["harm"] == []


def test_the_suite_is_as_large_as_promised():
    assert len(ATTACKS) >= 150
    assert all(len(attacks) >= 10 for attacks in FAMILIES.values())


@pytest.mark.parametrize("name", [name for name in FALSE_PASS if "equal to all" in name or "SystemExit" in name])
def test_the_attacks_beat_a_grader_that_runs_the_tests_in_process(name: str):
    attack = FALSE_PASS[name]
    script = "\n".join([attack.program, *attack.tests])
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60).returncode == 0


def test_without_cap_sys_admin_the_namespaces_are_made_in_a_user_namespace(reports: dict[tuple[str, str], Any]):
    for setting in (("root-without-admin", "A"), ("nobody", "A"), ("self", "A")):
        found = reports.get(setting, {"impossible": "not run here"})
        assert "impossible" in found or "in a user namespace" in found["isolation"]
