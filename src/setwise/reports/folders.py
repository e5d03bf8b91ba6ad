"""What reports read of run folders by themselves: training logs, and the best possible values."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from setwise.errors import InputError, MissingDependency
from setwise.objectives import Objective
from setwise.records import parse_record
from setwise.reports.catalogue import BAYES_NAMES
from setwise.reports.inputs import TrainingRun

LOG, ALARMS, BAYES = "log.jsonl", "alarms.jsonl", "bayes.json"


def read_training(folder: Path, name: str) -> TrainingRun | None:
    """The training log of a run folder; None where there is none."""
    if not (folder / LOG).is_file():
        return None
    objective = _objective(folder)
    steps = [_numbers(record) for record in _whole_records(folder / LOG) if "step" in record]
    alarms = list(_whole_records(folder / ALARMS)) if (folder / ALARMS).is_file() else []
    return TrainingRun(name, objective.name, objective.k, steps, alarms)


def read_best_possible(folder: Path, k: int) -> dict[str, float]:
    """`bayes.json`: `{"k": 3, "values": {"coverage": {"mean": 0.9}, "pass@1": 0.6, ...}}`, by metric."""
    path = folder / BAYES
    if not path.is_file():
        return {}
    record = _read_json(path)
    values = record.get("values")
    if not isinstance(values, dict):
        raise InputError('"values" must map names to numbers', place=path, value=values)
    if record.get("k", k) != k:
        raise InputError(f'"k" must be the k of the run, {k}', place=path, value=record["k"])
    names = {**BAYES_NAMES, f"pass@{k}": "pass_at_k"}
    return {names[name]: _mean(value, path) for name, value in values.items() if name in names}


def _mean(value: Any, path: Path) -> float:
    mean = value.get("mean") if isinstance(value, dict) else value
    if isinstance(mean, bool) or not isinstance(mean, int | float):
        raise InputError('a value must be a number or {"mean": number}', place=path, value=value)
    return float(mean)


def _whole_records(path: Path) -> Iterator[dict[str, Any]]:
    """Every record; a half line at the end, which a killed run leaves, counts for nothing."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.endswith(b"\n"):
                yield parse_record(line, f"{path}:{number}")


def _numbers(record: Mapping[str, Any]) -> dict[str, float]:
    return {
        name: float(value)
        for name, value in record.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and name != "schema"
    }


def _objective(folder: Path) -> Objective:
    """What the run was trained for, from the manifest beside its weights or from its recipe."""
    manifests = [folder / "model" / "setwise.json", *sorted(folder.glob("checkpoints/*/setwise.json"))]
    for path in manifests:
        if path.is_file():
            taught = _read_json(path).get("taught") or [{}]
            return _built(taught[-1].get("objective"), path)
    return _built(_recipe(folder / "config.yaml").get("objective"), folder / "config.yaml")


def _built(record: Any, place: Path) -> Objective:
    if not isinstance(record, dict) or "name" not in record:
        raise InputError("the objective of the training run is not recorded", place=place, value=record)
    return Objective(record["name"], record.get("k"))


def _recipe(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise InputError(
            f"a folder with {LOG} needs config.yaml or a finished model, which say what was trained", place=path.parent
        )
    try:
        import yaml
    except ImportError:
        raise MissingDependency("a report on an unfinished training run", package="pyyaml", extra="train") from None
    try:
        recipe = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"the file must be readable YAML ({reason})", place=path) from None
    return recipe if isinstance(recipe, dict) else {}


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"the file must be readable JSON ({error})", place=path) from None
    if not isinstance(value, dict):
        raise InputError("the file must hold a JSON object", place=path, value=value)
    return value
