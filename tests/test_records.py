"""What is written is what is read."""

from dataclasses import replace
from pathlib import Path

import pytest

from setwise import Gold, Objective, Problem
from setwise.objectives import PRESETS
from setwise.records import (
    dump_record,
    objective_from_record,
    objective_to_record,
    parse_record,
    problem_from_record,
    problem_to_record,
    replacing,
)


@pytest.mark.parametrize(
    "problem",
    [
        Problem("1", "?", ["Gout", Gold("MI", ("heart attack",))], meta={"age": 61}),
        Problem("2", "write f", tests=["assert f() == 1"], setup="x = 1", reference="def f(): return 1"),
    ],
)
def test_a_problem_survives_the_round_trip(problem: Problem):
    record = parse_record(dump_record(problem_to_record(problem)), "here")
    assert problem_from_record(record) == problem
    assert problem_from_record(record).meta == problem.meta


@pytest.mark.parametrize(
    "objective",
    [
        Objective("rlcr-multi", k=5, regime="exclusive", sum_to_one="always", think_opened=True),
        Objective("rlcr-single", analysis=False, preset="released"),
        Objective("rlvr-multi", preset=replace(PRESETS["paper"], name="mine", format_weight=0.5)),
    ],
)
def test_an_objective_survives_the_round_trip(objective: Objective):
    record = parse_record(dump_record(objective_to_record(objective)), "here")
    del record["schema"]
    assert objective_from_record(record) == objective


def test_a_file_takes_its_name_only_when_it_is_whole(tmp_path: Path):
    target = tmp_path / "deep" / "file.jsonl"

    def fail_half_way() -> None:
        with replacing(target) as stream:
            stream.write("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert list(target.parent.iterdir()) == []
    with replacing(target) as stream:
        stream.write("whole")
    assert target.read_text() == "whole"
