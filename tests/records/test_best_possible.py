"""The best possible values of a task whose truth is known, on disk."""

import json
from pathlib import Path

import pytest

from setwise.errors import InputError
from setwise.metrics import METRICS
from setwise.objectives import Regime
from setwise.records.best_possible import BestPossible, BestValue
from setwise.tasks import load_task
from setwise.workflows.clinic_bayes import bayes_best


@pytest.mark.parametrize(("pass_at_k", "top1_brier"), [("pass_at_k", "top1/brier"), ("pass@3", "brier_top1")])
def test_best_possible_values_are_read_by_metric(tmp_path: Path, pass_at_k: str, top1_brier: str):
    values = {"coverage": {"mean": 0.4, "standard_error": 0.0}, pass_at_k: 0.9, top1_brier: {"mean": 0.2}}
    (tmp_path / "bayes.json").write_text(json.dumps({"k": 3, "values": values}), encoding="utf-8")
    best = BestPossible.read(tmp_path, 3)
    assert best is not None
    assert best.values == {"coverage": BestValue(0.4), "pass_at_k": BestValue(0.9), "top1/brier": BestValue(0.2)}
    assert BestPossible.read(tmp_path / "nowhere", 3) is None


def test_best_possible_values_are_read_as_they_were_written(tmp_path: Path):
    values = {"pass_at_k": BestValue(0.9), "top1/brier": BestValue(0.2, 0.01), "set/ece": BestValue(0.0)}
    best = BestPossible(Regime.EXCLUSIVE, 4, "5000 sampled patients", values)
    assert best.write(tmp_path) == tmp_path / "bayes.json"
    assert BestPossible.read(tmp_path, 4) == best


def test_the_clinics_best_values_all_find_their_metric(tmp_path: Path):
    world = load_task("clinic", limit=1).world
    assert world is not None
    best = bayes_best(world, 3)
    best.write(tmp_path)
    assert BestPossible.read(tmp_path, 3) == best
    assert best.values.keys() <= set(METRICS.names())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "must hold a JSON object"),
        ("{", "the file must be JSON ("),
        ('{"values": 3}', '"values" must map names to numbers, got 3'),
        ('{"k": 5, "values": {}}', '"k" must be the k of the run, 3, got 5'),
        ('{"values": {"coverage": "high"}}', 'a value must be a number or {"mean": number}, got "high"'),
    ],
)
def test_a_broken_file_of_best_values_is_refused_with_its_place(tmp_path: Path, text: str, complaint: str):
    (tmp_path / "bayes.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        BestPossible.read(tmp_path, 3)
    assert complaint in str(error.value)
    assert str(tmp_path / "bayes.json") in str(error.value)
