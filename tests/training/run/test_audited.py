"""What a real training logs, an audit can read."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from setwise.training import train
from setwise.training.watch.view import PlainView
from setwise.workflows.audit import audit_runs
from tests.training.tiny_clinic import make_job


@pytest.mark.slow
def test_the_completions_of_a_training_become_curves(start: Path, tmp_path: Path):
    job = make_job(start, tmp_path / "run", "rlcr-multi")
    train(replace(job, run=replace(job.run, log_completions=True)), PlainView(StringIO(), float("inf")))
    [record] = audit_runs([tmp_path / "run"])
    assert record.completions == 6 * 64
    assert [step for step, _ in record.curves["one_set"]] == list(range(1, 7))
    assert {"constant_confidences", "thought_words", "valid"} <= record.curves.keys()
    assert (tmp_path / "run" / "audit.json").is_file()
