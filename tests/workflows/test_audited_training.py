"""The completions of a training become curves, and what grows in them a finding."""

from pathlib import Path

import pytest

from setwise.objectives import Objective
from setwise.records.manifest import Lesson, Manifest
from setwise.workflows.audit import audit_runs

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

STEPS, PROMPTS, SAMPLES = 10, 8, 4
NAMES = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot"]


def write_step(folder: Path, step: int) -> None:
    """More and more completions hedge, and thoughts grow shorter."""
    rows = []
    for prompt in range(PROMPTS):
        for sample in range(SAMPLES):
            gold, other, third = (NAMES[(prompt + place) % 6] for place in range(3))
            hedged = prompt * SAMPLES + sample < 3 * step
            first = f"{gold} or {other}" if hedged else gold
            thought = f"prompt {prompt} of {step} fits {gold} " + "and so on " * (20 - 2 * step)
            text = f"<think>{thought}</think><answer1>{first}</answer1><answer2>{third}</answer2>"
            labels = "wrong | wrong" if hedged else "right | wrong"
            row = {"step": step, "prompt": f"chart {prompt}", "completion": text}
            rows.append({**row, "answers": f"{first} | {third}", "labels": labels})
    (folder / "checkpoints" / "completions").mkdir(parents=True, exist_ok=True)
    table = pyarrow.Table.from_pylist(rows)
    parquet.write_table(table, folder / "checkpoints" / "completions" / f"completions_{step:05d}.parquet")


def test_the_signs_of_a_training_are_curves(tmp_path: Path):
    objective = Objective("rlvr-multi", 2)
    (tmp_path / "model").mkdir()
    Manifest(taught=(Lesson(objective, "Answer."),)).write(tmp_path / "model")
    for step in range(STEPS):
        write_step(tmp_path, step)
    [record] = audit_runs([tmp_path])
    hedged = [share for _, share in record.curves["hedged_answers"]]
    assert [step for step, _ in record.curves["hedged_answers"]] == list(range(STEPS))
    assert hedged == sorted(hedged)
    assert hedged[0] == 0.0
    assert hedged[-1] > 0.8
    assert {"hedged_answers", "length_drift"} <= {each.name for each in record.alarms}
    assert (tmp_path / "audit.json").is_file()
