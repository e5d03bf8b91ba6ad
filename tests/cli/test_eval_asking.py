"""`setwise eval`: a model is asked as it was taught, and what cannot come to anything is said."""

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from setwise.cli import eval as command
from setwise.errors import InputError
from setwise.objectives import Objective
from setwise.prompting import lesson
from setwise.records.manifest import Manifest, manifest_of
from setwise.settings import ModelSettings
from setwise.tasks import load_task
from setwise.training.run.manifest import manifest_of_training
from tests.evaluation.made_up import multi_text, write_script
from tests.models.faulty_server import faulty_server
from tests.models.tiny_model import save_tiny_model

PROMPT = "My own words, {K} of them: {FORMAT}"
ASKED = ("--task", "clinic", "--limit", "2", "--resamples", "0")


def setwise_eval(*words: object) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args([str(word) for word in words]))


def teach(folder: Path, name: str = "rlcr-multi") -> str:
    """A manifest as training writes it; the system prompt it was taught with."""
    folder.mkdir(parents=True)
    task = load_task("clinic")
    objective = Objective(name, 2 if name.endswith("multi") else None, regime=task.regime)
    taught = lesson(objective, PROMPT)
    model = ModelSettings(path="base", chat_template_options={"enable_thinking": True})
    manifest_of_training("trained", task, [taught], model).write(folder)
    return taught.system_prompt


def asked_of_a_server(out: Path, *words: object, name: str = "served") -> list[Any]:
    with faulty_server() as server:
        setwise_eval(*ASKED, "--model", f"openai:{name}@{server.url}", "--out", out, *words)
        return server.bodies


@pytest.mark.parametrize("inside", ["", "model", "checkpoints/checkpoint-20", "warm-start"])
def test_a_served_model_is_asked_as_the_folder_of_its_training_says(tmp_path: Path, inside: str):
    prompt = teach(tmp_path / "taught" / inside)
    without, told = (
        asked_of_a_server(tmp_path / str(len(words)), *words) for words in ((), ("--as", tmp_path / "taught"))
    )
    assert {body["messages"][0]["content"] for body in told} == {prompt}
    assert {json.dumps(body["chat_template_kwargs"]) for body in told} == {'{"enable_thinking": true}'}
    assert all(body["messages"][0]["content"] != prompt and "chat_template_kwargs" not in body for body in without)
    config = json.loads((tmp_path / "2" / "config.json").read_text())
    assert (config["method"]["k"], config["sampling"]["chat_template"]) == (2, {"enable_thinking": True})


def test_a_model_served_under_the_name_of_its_folder_needs_no_word_about_it(tmp_path: Path):
    prompt = teach(tmp_path / "model")
    bodies = asked_of_a_server(tmp_path / "run", name=str(tmp_path / "model"))
    assert {body["messages"][0]["content"] for body in bodies} == {prompt}


def test_the_options_of_another_folder_win_over_those_of_the_model(tmp_path: Path):
    teach(tmp_path / "taught")
    from setwise.models.local_text import rendered
    from setwise.models.protocol import Request

    class Tokenizer:
        chat_template = "there"

        def apply_chat_template(self, chat: Any, **options: Any) -> str:
            return str(options.get("enable_thinking"))

    folder = str(tmp_path / "taught")
    assert manifest_of(folder).chat_template_options
    assert rendered(Request([]), Tokenizer(), folder) == "True"
    assert rendered(Request([], template_options={"enable_thinking": 7}), Tokenizer(), folder) == "7"


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ("taugth", r"--as .*taugth: there is no such folder; did you mean .*taught\?"),
        ("empty", r"empty: no setwise.json in this folder records how a model was trained; name a run folder"),
    ],
)
def test_a_folder_that_says_nothing_of_a_model_is_refused(tmp_path: Path, folder: str, said: str):
    teach(tmp_path / "taught")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=said):
        asked_of_a_server(tmp_path / "run", "--as", tmp_path / folder)


def test_a_method_for_a_model_that_was_taught_otherwise_is_warned_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    teach(tmp_path / "single", "rlvr-single")
    told = ("--as", tmp_path / "single")
    asked_of_a_server(tmp_path / "a", *told)
    said = "the model was taught rlvr-single, and rlcr-multi is for one that was taught rlcr-multi"
    assert said in capsys.readouterr().err
    asked_of_a_server(tmp_path / "b", *told, "--method", "rlvr-single-prompted-multi")
    assert "was taught" not in capsys.readouterr().err


@pytest.mark.parametrize("readable", [0, 1])
def test_a_run_without_a_readable_completion_is_warned_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], readable: int
):
    ids = [problem.id for problem in load_task("clinic", split="test", limit=2)]
    texts = [multi_text(["a", "b", "c"], [0.3, 0.2, 0.1])] * readable + ["It is the flu."] * 2
    script = write_script(tmp_path / "r.jsonl", {name: [text] for name, text in zip(ids, texts, strict=False)})
    warning = "not one of 2 completions can be read (missing_think 2), so every score is that of none"
    for words in (("--model", f"scripted:{script}", *ASKED), ("--rescore", "--resamples", "0")):
        assert setwise_eval("--out", tmp_path / "run", *words) == 0
        said = capsys.readouterr().err
        assert (warning in said) is (readable == 0)
        assert ("--as FOLDER" in said) is (readable == 0)


def test_a_matcher_that_cannot_judge_the_problems_is_refused_before_anything_is_asked(tmp_path: Path):
    with faulty_server() as server:
        words = ("--model", f"openai:m@{server.url}", "--matcher", "code", "--out", tmp_path / "run")
        with pytest.raises(InputError, match="the code matcher needs tests, and this problem has golds instead; use"):
            setwise_eval(*ASKED, *words)
        assert server.bodies == []
    assert not (tmp_path / "run").exists()


def test_a_timeout_is_for_servers_the_judges_included(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    given: list[tuple[str, float | None]] = []
    opened = command.open_model
    monkeypatch.setattr(
        command,
        "open_model",
        lambda spec, **options: given.append((spec, options["timeout_seconds"])) or opened(spec, **options),
    )
    with faulty_server() as server:
        judge = f"openai:judge@{server.url}"
        asked = (*ASKED, "--model", f"openai:m@{server.url}", "--matcher", "judge", "--judge", judge)
        with pytest.raises(Exception, match="the judge must reply"):
            setwise_eval(*asked, "--timeout", "9", "--out", tmp_path / "run")
    assert sorted(spec.partition("@")[0] for spec, _ in given) == ["openai:judge", "openai:m"]
    assert {seconds for _, seconds in given} == {9.0}
    with pytest.raises(InputError, match=r"--timeout is for openai: models, got 9"):
        setwise_eval(*ASKED, "--model", "hf:some/model", "--timeout", "9", "--out", tmp_path / "run")


def test_a_run_folder_is_asked_by_its_model_as_in_ask_and_serve(tmp_path: Path):
    model = save_tiny_model(tmp_path / "run" / "model")
    Manifest().write(model)
    words = (*ASKED, "--limit", 1, "--max-tokens", 4, "--method", "rlvr-multi", "--out")
    for given in (tmp_path / "run", f"hf:{model}"):
        setwise_eval(*words, tmp_path / "eval", "--model", given)
    assert json.loads((tmp_path / "eval" / "config.json").read_text())["model"] == f"hf:{model}"
