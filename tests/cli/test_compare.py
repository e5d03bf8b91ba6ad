"""`setwise compare` as a user runs it."""

import argparse
import json

import pytest

from setwise.cli import compare as command
from setwise.evaluation.generation import Inquiry
from setwise.evaluation.methods import named_method
from setwise.records.run import RunFolder
from tests.evaluation.made_up import MadeUpTask, multi_text, script, whole_run


def setwise_compare(*words: object) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args([str(word) for word in words]))


@pytest.fixture
def runs(tmp_path):
    for name, answer in (("good", "gold {}b"), ("bad", "y")):
        inquiry = Inquiry(MadeUpTask(), named_method("rlcr-multi"))
        texts = {f"p{i}": [multi_text([f"gold {i}a", answer.format(i), "x"], [0.8, 0.4, 0.1])] for i in range(4)}
        whole_run(RunFolder(tmp_path / name), inquiry, script(texts), resamples=0)
    return tmp_path / "good", tmp_path / "bad"


def test_the_table_is_printed(runs, capsys):
    assert setwise_compare(*runs, "--resamples", 50) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("### made-up, 4 problems")
    assert "| coverage | good | bad | -0.333 [-0.735, 0.470] | 0.125 | 1.000 | no |" in shown
    assert "| uniqueness | good | bad | +0.000 [no spread] | 1.000 |" in shown


def test_the_table_can_go_to_a_file(runs, tmp_path, capsys):
    out = tmp_path / "table.json"
    assert setwise_compare(*runs, "--resamples", 50, "--format", "json", "--out", out) == 0
    assert {each["metric"] for each in json.loads(out.read_text())["differences"]} >= {"coverage", "set/ece"}
    assert capsys.readouterr().out == f"comparison: {out}\n"
