"""Which matcher `setwise eval` judges by, and what it writes down of it."""

import pytest

from setwise.cli import eval as command
from setwise.cli import main
from setwise.records.files import read_json
from tests.evaluation.made_up import multi_text, write_script


@pytest.fixture
def asked(tmp_path):
    """A file of two questions, a script that answers them, and the command up to its options."""
    problems = tmp_path / "colours.jsonl"
    problems.write_text(
        '{"id": "a", "question": "A?", "golds": ["crimson red", "blue"]}\n'
        '{"id": "b", "question": "B?", "golds": ["red"]}\n'
    )
    said = {name: [multi_text(["crimson reds", "x", "y"], [0.5, 0.2, 0.1])] for name in "ab"}
    model = f"scripted:{write_script(tmp_path / 'script.jsonl', said)}"
    return ["eval", "--task", "jsonl", "--path", str(problems), "--model", model, "--out", str(tmp_path / "run")]


def matchers(asked: list[str]) -> list[str]:
    return [read_json(f"{asked[-1]}/{name}.json")["matcher"] for name in ("config", "metrics")]


def test_the_matcher_asked_for_is_on_record_and_stays_when_scored_again(asked):
    assert main([*asked, "--matcher", "fuzzy:85", "--resamples", "0"]) == 0
    assert matchers(asked) == ["fuzzy:85", "fuzzy:85"]
    assert main(["eval", "--out", asked[-1], "--rescore", "--resamples", "0"]) == 0
    assert matchers(asked) == ["fuzzy:85", "fuzzy:85"]
    assert main(["eval", "--out", asked[-1], "--rescore", "--matcher", "exact", "--resamples", "0"]) == 0
    assert matchers(asked) == ["exact", "exact"]


def test_a_judge_is_on_record_with_its_model_and_not_asked_again_unasked(asked, monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(command, "ask_function", lambda model: lambda messages: "NONE")
    own = command.open_model
    monkeypatch.setattr(
        command, "open_model", lambda name, **how: opened.append(name) if name == "hf:judge" else own(name, **how)
    )
    assert main([*asked, "--matcher", "judge", "--judge", "hf:judge", "--resamples", "0"]) == 0
    assert matchers(asked) == ["judge:hf:judge", "judge:hf:judge"]
    capsys.readouterr()
    assert main(["eval", "--out", asked[-1], "--rescore"]) == 2
    complaint = capsys.readouterr().err
    assert "a model judged this run" in complaint
    assert complaint.strip().endswith(f"setwise eval --out {asked[-1]} --rescore --matcher judge --judge hf:judge")
    assert main(["eval", "--out", asked[-1], "--rescore", "--matcher", "judge:hf:judge", "--resamples", "0"]) == 0
    assert matchers(asked) == ["judge:hf:judge", "judge:hf:judge"]
    assert opened == ["hf:judge", "hf:judge"]


def test_completions_stored_without_a_config_get_one_that_says_what_judged_them(asked, tmp_path):
    assert main([*asked, "--resamples", "0"]) == 0
    (tmp_path / "run" / "config.json").unlink()
    again = ["eval", "--out", asked[-1], "--rescore", "--method", "rlcr-multi", "--resamples", "0"]
    assert main([*again, "--matcher", "fuzzy"]) == 0
    assert matchers(asked) == ["fuzzy:90", "fuzzy:90"]


def test_numbers_without_spread_are_printed_with_a_word(asked, capsys):
    assert main([*asked, "--resamples", "50"]) == 0
    shown = capsys.readouterr().out
    assert "[no spread]" in shown
    assert "note: No spread: no resample of the problems gives another value" in shown
