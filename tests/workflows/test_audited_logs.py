"""Logs of other engines are read without their packages, and audited like a run."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from setwise.adapters.ground_truth import write_ground_truth
from setwise.errors import InputError
from setwise.matching import exact
from setwise.objectives import Objective, Regime
from setwise.questions import Problem
from setwise.records.audit import AuditRecord
from setwise.workflows.audit import audit_runs

NAMES = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot"]
OBJECTIVE = Objective("rlvr-multi", 2, regime=Regime.EXCLUSIVE)


def completions() -> list[tuple[Problem, str]]:
    """Two of every ten put two answers into one."""
    made = []
    for number in range(60):
        gold, other, third = (NAMES[(number + step) % 6] for step in range(3))
        problem = Problem(f"p{number}", f"chart {number}", [gold])
        first = f"{gold} or {other}" if number % 10 < 2 else gold
        text = f"<think>chart {number} fits {gold}</think><answer1>{first}</answer1><answer2>{third}</answer2>"
        made.append((problem, text))
    return made


def inspect_samples() -> list[dict[str, Any]]:
    return [
        {
            "id": problem.id,
            "epoch": 1,
            "input": [{"role": "system", "content": "Answer."}, {"role": "user", "content": problem.question.text}],
            "target": write_ground_truth(problem, OBJECTIVE, exact),
            "output": {"choices": [{"message": {"content": text}, "stop_reason": "stop"}], "usage": None},
            "scores": {},
        }
        for problem, text in completions()
    ]


def trace(problem: Problem, text: str) -> dict[str, Any]:
    data = {
        "id": problem.id,
        "prompt": problem.question.text,
        "ground_truth": write_ground_truth(problem, OBJECTIVE, exact),
    }
    thought, _, rest = text.removeprefix("<think>").partition("</think>")
    said = {"role": "assistant", "content": rest, "reasoning_content": thought}
    return {"task": {"data": data}, "traces": [{"task": {"data": data}, "nodes": [{"message": said}], "calls": []}]}


def is_as_expected(record: AuditRecord) -> None:
    assert (record.completions, record.problems) == (60, 60)
    [found] = record.alarms
    assert found.name == "hedged_answers"
    assert found.count == 12


def test_an_inspect_log_is_audited_as_json_and_as_an_archive(tmp_path: Path):
    (tmp_path / "log.json").write_text(json.dumps({"version": 2, "samples": inspect_samples()}))
    with zipfile.ZipFile(tmp_path / "log.eval", "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr("header.json", "{}")
        for sample in inspect_samples():
            log.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
    for name in ("log.json", "log.eval"):
        [record] = audit_runs([tmp_path / name])
        is_as_expected(record)


def test_traces_of_verifiers_are_audited_with_their_thinking_put_back(tmp_path: Path):
    lines = [json.dumps(trace(problem, text)) for problem, text in completions()]
    (tmp_path / "traces.jsonl").write_text("\n".join(lines) + "\n")
    [record] = audit_runs([tmp_path], write=False)
    is_as_expected(record)
    assert record.finding("empty_thinking") is None


def test_a_log_of_others_is_judged_as_it_was(tmp_path: Path):
    samples = [
        {
            "id": number,
            "input": f"question {number}",
            "target": NAMES[number % 6],
            "output": {"choices": [{"message": {"content": "all of the above"}}]},
            "scores": {"match": {"value": "C" if number % 3 else "I"}},
        }
        for number in range(60)
    ]
    (tmp_path / "log.json").write_text(json.dumps({"samples": samples}))
    [record] = audit_runs([tmp_path / "log.json"])
    found = record.finding("lenient_matcher")
    assert found is not None
    assert found.change is not None
    assert found.change.before == pytest.approx(40 / 60)
    assert found.change.after == pytest.approx(0.0)


def test_what_is_no_log_is_one_clear_line(tmp_path: Path):
    (tmp_path / "log.eval").write_text("nothing")
    with pytest.raises(InputError, match="log cannot be read"):
        audit_runs([tmp_path / "log.eval"])
    with pytest.raises(InputError, match="an audit reads a run folder"):
        audit_runs([tmp_path / "absent"])
