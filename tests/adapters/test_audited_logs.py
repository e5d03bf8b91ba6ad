"""What the real Inspect writes, an audit reads, in both of its formats."""

from pathlib import Path
from typing import Any

import pytest

from setwise.tasks import load_task
from setwise.workflows.audit import audit_runs

inspect_ai = pytest.importorskip("inspect_ai", reason="inspect_ai is not installed here; `make test-inspect` runs this")

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
    pytest.mark.usefixtures("leftovers_collected"),
]


def said(number: int) -> str:
    tags = "".join(
        f"<answer{place}>{name}</answer{place}><confidence{place}>0.2</confidence{place}>"
        for place, name in enumerate(("arvine or belor", "cressa", "dulmin"), start=1)
    )
    return f"<think>thought number {number}</think>{tags}"


@pytest.mark.parametrize("form", ["eval", "json"])
def test_a_log_of_inspect_is_audited(form: str, tmp_path: Path):
    from setwise.adapters.inspect_ai import inspect_task
    from tests.adapters.test_inspect_ai import evaluated, output

    task = inspect_task("clinic", "rlcr-multi", split="test", limit=12)
    outputs: list[Any] = [output(said(number)) for number in range(12)]
    evaluated(task, outputs, tmp_path, log_format=form)
    [log] = tmp_path.glob(f"*.{form}")
    [record] = audit_runs([log])
    assert record.completions == len(list(load_task("clinic", split="test", limit=12)))
    found = record.finding("hedged_answers")
    assert found is not None
    assert found.count == 12
