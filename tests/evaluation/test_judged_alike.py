"""Runs are compared only if the same matcher judged them."""

import json
import shlex
from pathlib import Path

import pytest

from setwise.cli import main
from setwise.errors import InputError
from setwise.evaluation.compare import compare
from setwise.evaluation.generation import Inquiry
from setwise.evaluation.methods import named_method
from setwise.evaluation.score_run import score_run
from setwise.matching import Matcher, exact, named
from setwise.records.files import read_json, write_json
from setwise.records.run import RunFolder
from setwise.reports.comparison_text import render
from setwise.version import __version__
from setwise.workflows.report import read_report
from tests.evaluation.made_up import MadeUpTask, multi_text, script, whole_run


def run(path: Path, matcher: Matcher | None = None) -> Path:
    texts = {f"p{i}": [multi_text([f"gold {i}a", f"golden {i}b", "x"], [0.8, 0.5, 0.1])] for i in range(4)}
    whole_run(RunFolder(path), Inquiry(MadeUpTask(), named_method("rlcr-multi")), script(texts), resamples=20)
    if matcher is not None:
        score_run(RunFolder(path), matcher, resamples=20)
    return path


def without(path: Path, *names: str) -> Path:
    record = read_json(path / "metrics.json")
    write_json(path / "metrics.json", {name: value for name, value in record.items() if name not in names})
    return path


def test_what_judged_a_run_stands_in_its_config_and_its_metrics(tmp_path):
    path = run(tmp_path / "run")
    assert read_json(path / "config.json")["matcher"] == read_json(path / "metrics.json")["matcher"] == "exact"
    score_run(RunFolder(path), named("fuzzy:70"), resamples=20)
    assert read_json(path / "config.json")["matcher"] == read_json(path / "metrics.json")["matcher"] == "fuzzy:70"
    assert read_json(path / "metrics.json")["setwise"] == __version__


def test_runs_judged_differently_are_refused_until_the_command_in_the_message_is_run(tmp_path, capsys):
    first, second = run(tmp_path / "first", named("fuzzy:70")), run(tmp_path / "the second")
    with pytest.raises(InputError) as refused:
        compare([first, second], resamples=20)
    message = str(refused.value)
    assert message.startswith("only runs that were judged alike can be compared")
    assert "(first by fuzzy:70, the second by exact)" in message
    command = message.rpartition("; ")[2]
    assert command == f"setwise eval --out '{second}' --rescore --matcher fuzzy:70"
    with pytest.raises(InputError) as also:
        read_report([first, second], resamples=20)
    assert str(also.value) == message
    assert main(shlex.split(command)[1:]) == 0
    capsys.readouterr()
    comparison = compare([first, second], resamples=20)
    assert comparison.differences[0].value.value == 0
    assert [each.matcher for each in comparison.runs] == ["fuzzy:70", "fuzzy:70"]


def test_every_run_that_differs_gets_its_command(tmp_path):
    runs = [run(tmp_path / "a"), run(tmp_path / "b", named("fuzzy:70")), run(tmp_path / "c", named("fuzzy:80"))]
    with pytest.raises(InputError) as refused:
        compare(runs, resamples=20)
    commands = [f"setwise eval --out {path} --rescore --matcher exact" for path in runs[1:]]
    assert str(refused.value).endswith("; " + " && ".join(commands))


class Unnamed:
    """A matcher that a program made for itself: no other process could be asked for it."""

    name = "mine"

    def __getattr__(self, name: str):
        return getattr(exact, name) if name != "spec" else None


def test_a_matcher_without_a_spec_is_not_named_in_a_command(tmp_path):
    mine, other = run(tmp_path / "mine", Unnamed()), run(tmp_path / "other")  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match=rf"mine by mine.*; setwise eval --out {mine} --rescore --matcher exact"):
        compare([mine, other], resamples=20)
    write_json(other / "metrics.json", {**read_json(other / "metrics.json"), "matcher": "yours"})
    with pytest.raises(InputError, match=r"mine by mine, other by yours.*; score them again with one --matcher"):
        compare([mine, other], resamples=20)


def test_the_default_threshold_is_the_same_written_out(tmp_path):
    first, second = run(tmp_path / "first", named("fuzzy")), run(tmp_path / "second")
    write_json(second / "metrics.json", {**read_json(second / "metrics.json"), "matcher": "fuzzy"})
    assert compare([first, second], resamples=20).problems == 4


def test_a_judge_is_its_model(tmp_path):
    first, second = run(tmp_path / "first"), run(tmp_path / "second")
    for path, judge in ((first, "judge:openai:a@http://x"), (second, "judge:openai:b")):
        write_json(path / "metrics.json", {**read_json(path / "metrics.json"), "matcher": judge})
    with pytest.raises(InputError, match=r"--rescore --matcher judge --judge openai:a@http://x$"):
        compare([first, second], resamples=20)


def test_a_run_without_a_matcher_on_record_is_compared_and_that_is_said(tmp_path):
    first, second = without(run(tmp_path / "first"), "matcher", "setwise"), run(tmp_path / "second", named("fuzzy:70"))
    told = render(compare([first, second], resamples=20), "markdown")
    assert told.startswith("### made-up, 4 problems, judged by fuzzy:70")
    assert "first: which matcher judged it is not on record" in told
    assert "different versions" not in told


def test_other_versions_of_setwise_are_compared_and_that_is_said(tmp_path):
    first, second = run(tmp_path / "first"), run(tmp_path / "second")
    write_json(second / "metrics.json", {**read_json(second / "metrics.json"), "setwise": "0.0.1"})
    told = render(compare([first, second], resamples=20), "markdown")
    assert f"Judged by different versions of setwise (first by {__version__}, second by 0.0.1)" in told


def test_the_matcher_stands_in_the_comparison_and_in_the_report(tmp_path):
    runs = [run(tmp_path / name, named("fuzzy:70")) for name in ("first", "second")]
    comparison = compare(runs, resamples=20)
    assert render(comparison, "markdown").startswith("### made-up, 4 problems, judged by fuzzy:70\n")
    assert {each["matcher"] for each in json.loads(render(comparison, "json"))["runs"]} == {"fuzzy:70"}
    assert main(["report", *map(str, runs), "--out", str(tmp_path / "out"), "--no-pdf", "--resamples", "20"]) == 0
    assert "\n\nJudged by fuzzy:70.\n\n" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<td>fuzzy:70</td>" in page
