"""docs/how-to/evaluate.md and docs/reference/metrics.md: what they list is what there is."""

import re
from dataclasses import fields
from pathlib import Path

from setwise.evaluation.measure import evaluate
from setwise.evaluation.methods import METHODS
from setwise.records.attempt import Attempt
from tests.evaluation.made_up import attempts

PAGES = Path(__file__).parents[2] / "docs"
DOCS = (PAGES / "how-to/evaluate.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```$", "", DOCS, flags=re.MULTILINE | re.DOTALL))


def test_every_method_and_every_field_of_a_record_is_listed():
    assert set(METHODS) <= set(NAMED)
    assert {each.name for each in fields(Attempt)} <= set(NAMED)


def test_every_metric_is_listed():
    listed = re.findall(
        r"^\| `([^`]+)` \|", (PAGES / "reference/metrics.md").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert set(evaluate(attempts(3, 2), resamples=0).estimates) <= set(listed)
