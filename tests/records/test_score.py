"""Scores as records."""

import pytest

from setwise import Malformed, Match, Objective, Problem, Score, score
from setwise.answers import Reason, Rule
from setwise.records.files import dump_record, parse_record
from tests.completions import completion

SURE_SETS = Objective("rlcr-multi", k=2, regime="exclusive")
PROBLEM = Problem("1", "?", ["Gout"])


@pytest.mark.parametrize(
    "given",
    [
        score(completion(SURE_SETS, ["Gout", "Croup"], [0.7, 0.2]), PROBLEM, SURE_SETS),
        score(completion(SURE_SETS, ["Gout", "Croup"], [0.7, 0.9]), PROBLEM, SURE_SETS),
        score(completion(SURE_SETS, ["Gout", "gout"], [0.7, 0.2]), PROBLEM, SURE_SETS),
        score(completion(SURE_SETS, ["Gout", "Croup"], ["70%", 0.2]), PROBLEM, SURE_SETS, strict=False),
        score("nothing", PROBLEM, SURE_SETS),
        Score(reward=None, answers=["Gout"], confidences=[0.5], error="SandboxError: on fire"),
    ],
    ids=["valid", "sum", "duplicates", "repaired", "malformed", "error"],
)
def test_a_score_survives_the_round_trip(given: Score):
    again = Score.from_record(parse_record(dump_record(given.to_record()), "here"))
    assert again == given
    assert (again.verdict, again.strictly_valid) == (given.verdict, given.strictly_valid)


def test_a_score_of_version_1_is_read():
    """Its terms were fields of their own, and the rule it violated was called broken."""
    record = {
        "reward": 0.98,
        "format": 0.0,
        "correctness": 1.0,
        "calibration": -0.02,
        "answers": ["Gout", "Croup"],
        "labels": [True, False],
        "confidences": [0.9, 0.2],
        "matches": [{"correct": True, "gold": 0, "evidence": "Gout"}, {"correct": False, "gold": None, "evidence": ""}],
        "distinct": 2,
        "malformed": None,
        "repairs": [],
        "broken": "sum_above_one",
        "error": None,
    }
    assert Score.from_record(record) == Score(
        reward=0.98,
        terms={"format": 0.0, "correctness": 1.0, "calibration": -0.02},
        answers=["Gout", "Croup"],
        labels=[True, False],
        confidences=[0.9, 0.2],
        matches=[Match(True, 0, "Gout"), Match(False)],
        distinct=2,
        violated=Rule.SUM_ABOVE_ONE,
    )
    cut = {**record, "broken": "format", "malformed": {"reason": "truncated", "detail": "</think>"}}
    assert Score.from_record(cut).malformed == Malformed(Reason.TRUNCATED, "</think>")
    assert Score.from_record(cut).verdict == "truncated"
