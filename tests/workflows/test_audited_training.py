"""The completions of a training become curves, and what grows in them a finding."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from setwise.objectives import Objective
from setwise.prompting import lesson
from setwise.records.audit import AuditRecord
from setwise.records.manifest import Lesson, Manifest
from setwise.records.training_log import COMPLETIONS
from setwise.workflows.audit import audit_runs

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

Row = dict[str, Any]

STEPS, PROMPTS, SAMPLES = 10, 8, 4
NAMES = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot"]


def write_step(folder: Path, step: int) -> None:
    """More and more completions hedge, and thoughts grow shorter."""
    rows: list[Row] = []
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
    write_rows(folder, step, rows)


def write_rows(folder: Path, step: int, rows: list[Row]) -> None:
    (folder / COMPLETIONS).mkdir(parents=True, exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(rows), folder / COMPLETIONS / f"completions_{step:05d}.parquet")


def audited(folder: Path, taught: Lesson, matcher: str, answers: Callable[[int], tuple[str, str, str]]) -> AuditRecord:
    """Of a run whose completion N gives two answers and what both are worth: "right | wrong"."""
    rows: list[Row] = []
    for number in range(PROMPTS * SAMPLES):
        *given, labels = answers(number)
        row = {"step": 1, "prompt": f"chart {number // SAMPLES}", "answers": " | ".join(given), "labels": labels}
        stated = taught.objective.confidences
        said = "".join(
            f"<answer{n}>{answer}</answer{n}>" + f"<confidence{n}>0.3{n}</confidence{n}>" * stated
            for n, answer in enumerate(given, start=1)
        )
        rows.append({**row, "completion": f"<think>chart {number} says so</think>{said}"})
    write_rows(folder, 1, rows)
    Manifest(taught=(taught,), task={"matcher": matcher}).write(folder / "checkpoints")
    [record] = audit_runs([folder])
    return record


def found(record: AuditRecord) -> set[str]:
    return {each.name for each in record.findings}


def test_a_training_is_audited_with_its_own_prompt(tmp_path: Path):
    def answers(number: int) -> tuple[str, str, str]:
        return (NAMES[number % 6], "the usual suspect", "right | wrong")

    objective = Objective("rlcr-multi", 2)
    own = lesson(objective, "Give {K} answers, such as <answer1>the usual suspect</answer1> with 0.31 and 0.32.")
    assert {"prompt_confidences", "format_answers"} <= found(audited(tmp_path / "own", own, "exact", answers))
    shipped = audited(tmp_path / "shipped", lesson(objective), "exact", answers)
    assert not {"prompt_confidences", "format_answers"} & found(shipped)


def test_answers_that_its_matcher_takes_for_one_are_no_near_duplicates(tmp_path: Path):
    taught = lesson(Objective("rlvr-multi", 2))

    def answers(number: int) -> tuple[str, str, str]:
        return ("pneumonia", f"pneumonnia{' ' * (number % 2)}", "right | wrong")

    assert "near_duplicates" in found(audited(tmp_path / "exact", taught, "exact", answers))
    assert "near_duplicates" not in found(audited(tmp_path / "fuzzy", taught, "fuzzy:85", answers))


def test_programs_of_a_training_are_compared_as_programs(tmp_path: Path):
    def answers(number: int) -> tuple[str, str, str]:
        return (f"def f(x): return x | {number}", f"def f(y):\n    return y | {number}", "right | right")

    record = audited(tmp_path, lesson(Objective("rlvr-multi", 2)), "code", answers)
    assert "equivalent_programs" in found(record)
    assert not {"near_duplicates", "hedged_answers", "one_set"} & found(record)
    assert record.not_looked_for["special_cases"] == "the tests"


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
