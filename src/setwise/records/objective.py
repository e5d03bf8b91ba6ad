"""An objective as a record. The user's own preset is written out by its fields."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from setwise.errors import InputError
from setwise.objectives import PRESETS, Objective, RewardPreset
from setwise.records.files import Record

_PRESET_FIELDS = frozenset(field.name for field in fields(RewardPreset))
_VERSION_1_WEIGHTS = {
    "format_weight": "format",
    "correctness_weight": "correctness",
    "calibration_weight": "calibration",
}
"""Before version 2, the three weights were fields of a preset."""
_VERSION_1_VALUES = {"count": "sum", "any": "any"}
"""The values of its field `correctness`."""


def objective_to_record(objective: Objective) -> Record:
    """The record that `objective_from_record` reads."""
    preset = objective.preset
    shipped = PRESETS.get(preset.name) == preset
    return {
        "name": objective.name,
        "k": objective.k,
        "regime": str(objective.regime),
        "preset": preset.name if shipped else asdict(preset),
        "analysis": objective.analysis,
        "think_opened": objective.think_opened,
        "sum_to_one": objective.sum_to_one,
    }


def objective_from_record(record: Mapping[str, Any], place: object = "") -> Objective:
    """An objective as `objective_to_record` wrote it."""
    if not isinstance(record, Mapping) or "name" not in record:
        raise InputError("an objective must be a record with its name", place=place, value=record)
    preset = record.get("preset", "paper")
    return Objective(**{**record, "preset": _preset(preset) if isinstance(preset, Mapping) else preset})


def _preset(record: Mapping[str, Any]) -> RewardPreset:
    known: Record = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in record.items()
        if name in _PRESET_FIELDS
    }
    old = {name: record[field] for field, name in _VERSION_1_WEIGHTS.items() if field in record}
    if old:
        known["weights"] = old
    if "correctness" in record:
        known["set_value"] = _VERSION_1_VALUES[record["correctness"]]
    return RewardPreset(**known)
