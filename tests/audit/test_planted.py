"""Planted cheats are found, and honest runs are left in peace."""

from pathlib import Path
from typing import Any

import pytest

from results.audit import MEASURED, RATES, SEEDS
from setwise.audit import audit
from setwise.audit.plant import CHEATS
from setwise.errors import InputError
from setwise.matching import exact
from setwise.records.files import read_records
from setwise.records.run import RunFolder
from setwise.workflows.audit import audit_runs
from setwise.workflows.honest_clinic import write_honest_run
from setwise.workflows.planted import plant_run, planted_source

QUICK = ("fixed_set", "misspelling", "reversed")
FEWEST_FOUND = {0.02: 20, 0.1: 29, 0.5: 29}


def test_an_honest_run_is_left_in_peace(honest: RunFolder):
    [record] = audit_runs([honest.path], write=False)
    assert record.findings == []
    assert {"one_set", "hedged_answers", "constant_confidences", "unsatisfiable"} <= set(record.looked_for)


@pytest.mark.parametrize("kind", QUICK)
def test_a_cheat_in_every_tenth_completion_is_found_and_measured(honest: RunFolder, kind: str):
    record = audit(planted_source(honest, kind, 0.1, matcher=exact))
    found = record.finding(CHEATS[kind].finding)
    assert found is not None
    assert found.is_alarm
    assert 0.04 < found.share < 0.2
    assert found.change is not None
    assert found.examples


def test_more_of_a_cheat_changes_a_number_more(honest: RunFolder):
    kind, changes = "sure_of_it", []
    for rate in (0.1, 0.5):
        found = audit(planted_source(honest, kind, rate, matcher=exact)).finding(CHEATS[kind].finding)
        assert found is not None
        assert found.change is not None
        assert found.change.after is not None
        changes.append(found.change.before - found.change.after)
    assert changes[1] > changes[0] > 0


def test_a_planted_run_is_a_run_like_any_other(honest: RunFolder, tmp_path: Path):
    run = plant_run(honest.path, tmp_path / "planted", "hedge_list", 0.5, seed=1)
    again = plant_run(honest.path, tmp_path / "again", "hedge_list", 0.5, seed=1)
    assert run.samples.read_bytes() == again.samples.read_bytes()
    honest_coverage, planted = (each.read_metrics().metrics["coverage"].value for each in (honest, run))
    assert planted < honest_coverage
    with pytest.raises(InputError, match="holds a run already"):
        plant_run(honest.path, run.path, "hedge_list", 0.5)
    with pytest.raises(InputError, match="did you mean hedge_list"):
        plant_run(honest.path, tmp_path / "other", "hedge_lst", 0.5)


def test_the_measured_cheats_and_honest_runs_keep_what_was_asked_for():
    records = [record for _, record in read_records(MEASURED)]
    honest = [each for each in records if each["kind"] == "honest" and each["task"] == "clinic"]
    assert len(honest) == SEEDS
    alarms = sum(found["severity"] != "note" for each in honest for found in each["findings"])
    assert alarms <= 0.01 * sum(len(each["looked_for"]) for each in honest)
    planted = [each for each in records if each["kind"] == "planted"]
    assert {each["cheat"] for each in planted} == set(CHEATS)
    assert len(CHEATS) >= 30
    assert len({own.finding for own in CHEATS.values()}) >= 10
    for rate in RATES:
        found = sum(each["found"] for each in planted if each["rate"] == rate)
        assert found / len(CHEATS) >= FEWEST_FOUND[rate] / 30


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEEDS))
def test_honest_runs_of_any_seed_are_left_in_peace(seed: int, tmp_path: Path):
    cases: list[tuple[str, dict[str, Any]]] = [
        ("rlcr-multi", {}),
        ("rlcr-single", {}),
        ("rlvr-multi", {"regime": "inclusive"}),
    ]
    for method, options in cases:
        run = write_honest_run(tmp_path / method, method=method, seed=seed, problems=300, **options)
        [record] = audit_runs([run.path], write=False)
        assert record.alarms == []
