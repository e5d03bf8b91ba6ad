"""The results of a run, problem by problem."""

import builtins
from pathlib import Path
from typing import Any

import pytest

from setwise.errors import InputError, MissingDependency
from setwise.evaluation.frame import problem_frame
from setwise.evaluation.generation import Inquiry
from setwise.evaluation.methods import named_method
from setwise.records.run import RunFolder
from tests.evaluation.made_up import MadeUpTask, multi_text, script, whole_run


def test_one_row_a_problem_with_the_mean_of_every_metric(tmp_path: Path):
    pytest.importorskip("pandas", reason="pandas is not installed: pip install 'setwise[pandas]'")
    right = multi_text(["gold 0a", "x", "gold 0b"], [0.9, 0.1, 0.6])
    wrong = multi_text(["x", "y", "z"], [0.1, 0.1, 0.1])
    replies = {"p0": [right, wrong], "p1": [wrong, "no tags"]}
    inquiry = Inquiry(MadeUpTask(2), named_method("rlcr-multi").sized(samples=2))
    whole_run(RunFolder(tmp_path), inquiry, script(replies), resamples=0)
    frame = problem_frame(tmp_path)
    assert list(frame.index) == ["p0", "p1"]
    assert frame["question"].tolist() == ["Question 0?", "Question 1?"]
    assert frame["solved"].tolist() == [True, False]
    assert frame["attempts"].tolist() == [2, 2]
    assert frame["coverage"].tolist() == pytest.approx([1 / 3, 0])
    assert frame["strictly_valid"].tolist() == [1, 0.5]
    assert frame["set/count_gap"].tolist() == pytest.approx([(-0.4 + 0.3) / 2, 0.3]), "sets that state confidences"
    assert "uniqueness/canonical" not in frame, "they are no programs"


def test_a_run_that_is_not_scored_has_no_rows(tmp_path: Path):
    pytest.importorskip("pandas", reason="pandas is not installed: pip install 'setwise[pandas]'")
    with pytest.raises(InputError, match=r"a run folder holds metrics\.json and scores\.jsonl"):
        problem_frame(tmp_path)


def test_without_pandas_it_is_said_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    imported = builtins.__import__

    def without_pandas(name: str, *rest: Any, **options: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return imported(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(MissingDependency, match=r"pip install 'setwise\[pandas\]'"):
        problem_frame(tmp_path)
