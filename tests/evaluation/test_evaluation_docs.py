"""docs/evaluation.md: the example runs as printed, and what it lists is what there is."""

import re
from dataclasses import fields
from pathlib import Path

from setwise.evaluation import Attempt, evaluate
from setwise.evaluation.methods import METHODS
from tests.evaluation.made_up import attempts

DOCS = (Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")


NAMED = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```$", "", DOCS, flags=re.MULTILINE | re.DOTALL))


def test_the_example_runs_as_printed(capsys):
    [example] = re.findall(r"^```python\n(.*?)^```$", DOCS, flags=re.MULTILINE | re.DOTALL)
    exec(example, {})
    assert capsys.readouterr().out.startswith("0.250 [0.000, 0.500] 0.1633")


def test_every_method_and_every_field_of_a_record_is_listed():
    assert set(METHODS) <= set(NAMED)
    assert {each.name for each in fields(Attempt)} <= set(NAMED)


def test_every_metric_is_listed():
    named = {name.removeprefix("FAMILY/") for name in NAMED}
    for name in evaluate(attempts(3, 2), resamples=0).estimates:
        last = name.rpartition("/")[2]
        assert {name, last, f"/{last}"} & named, name
