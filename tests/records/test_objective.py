"""Objectives as records."""

import pytest

from setwise import InputError, Objective, RewardPreset
from setwise.objectives import PRESETS
from setwise.records.files import dump_record, parse_record
from setwise.records.objective import objective_from_record, objective_to_record


@pytest.mark.parametrize(
    "objective",
    [
        Objective("rlcr-multi", k=5, regime="exclusive", sum_to_one="always", think_opened=True),
        Objective("rlcr-single", analysis=False, preset="released"),
        Objective("rlvr-multi", preset=RewardPreset("mine", weights={**PRESETS["paper"].weights, "format": 0.5})),
        Objective("rlcr-multi", preset=PRESETS["released"].reweighted({"my_terms:brevity": 0.1})),
    ],
)
def test_an_objective_survives_the_round_trip(objective: Objective):
    record = parse_record(dump_record(objective_to_record(objective)), "here")
    del record["schema"]
    assert objective_from_record(record) == objective


def test_a_preset_of_version_1_is_read():
    """Its weights were fields of their own."""
    preset = {
        "name": "released-reweighted",
        "format_weight": 0.5,
        "correctness_weight": 0.25,
        "calibration_weight": 2.0,
        "correctness": "any",
        "calibration_offset": 1.0,
        "sum_rule": "always",
        "sum_penalty": "all",
        "uniqueness": "lowercase",
        "unique_objectives": ["rlcr-multi"],
        "analysis_objectives": ["rlcr-single", "rlcr-multi"],
    }
    record = {"name": "rlcr-multi", "k": 3, "regime": "inclusive", "preset": preset, "analysis": True}
    weights = {"format": 0.5, "correctness": 0.25, "calibration": 2.0}
    assert objective_from_record(record) == Objective("rlcr-multi", preset=PRESETS["released"].reweighted(weights))


@pytest.mark.parametrize("record", [{}, {"k": 3}, "rlcr-multi", None])
def test_an_objective_without_a_name_is_refused(record):
    with pytest.raises(InputError, match="here: an objective must be a record with its name"):
        objective_from_record(record, "here")
