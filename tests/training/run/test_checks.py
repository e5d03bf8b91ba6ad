from dataclasses import replace
from typing import Any

from setwise.training.run.checks import check_job
from tests.training.tiny_clinic import paper_job


def test_a_micro_batch_that_cuts_through_groups_is_said_aloud():
    def said(**optimisation: Any) -> list[str]:
        job = paper_job()
        return [
            warning
            for warning in check_job(replace(job, optimisation=replace(job.optimisation, **optimisation)))
            if "cuts through groups" in warning
        ]

    [warning] = said(micro_batch=8)
    assert "a multiple of 32 runs each once" in warning
    assert not said(micro_batch=64)
    assert not said(micro_batch=8, shared_prompt=False)
