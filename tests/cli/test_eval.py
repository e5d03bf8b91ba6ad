"""`setwise eval` as a user runs it."""

import argparse
import json
import signal
import subprocess
import sys
import time

import pytest

from setwise.cli import eval as command
from setwise.errors import InputError, ModelError
from setwise.models import open_model
from setwise.records.sample_file import SampleFile
from setwise.tasks import load_task
from tests.evaluation.made_up import multi_text, single_text, write_script
from tests.models.faulty_server import faulty_server

IN_FLIGHT = 4


def setwise_eval(*words: object) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args([str(word) for word in words]))


@pytest.fixture
def golds():
    return {p.id: p.golds[0].text for p in load_task("clinic", split="test", limit=6) if p.golds}


@pytest.fixture
def script(tmp_path, golds):
    replies = {problem: [multi_text([gold, "y", "z"], [0.6, 0.2, 0.1])] for problem, gold in golds.items()}
    return write_script(tmp_path / "replies.jsonl", replies)


def test_a_run_writes_its_four_files_and_says_where(tmp_path, script, capsys):
    out = tmp_path / "run"
    words = ("--task", "clinic", "--limit", 6, "--model", f"scripted:{script}", "--out", out, "--resamples", 50)
    assert setwise_eval(*words) == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "config.json",
        "metrics.json",
        "samples.jsonl",
        "scores.jsonl",
    ]
    shown = capsys.readouterr().out
    assert "pass_at_k" in shown
    assert str(out / "metrics.json") in shown
    metrics = json.loads((out / "metrics.json").read_text())
    assert metrics["metrics"]["pass_at_k"]["value"] == 1
    assert metrics["method"] == "rlcr-multi"
    assert metrics["regime"] == "exclusive"


@pytest.fixture
def own_data(tmp_path):
    """A folder of one's own with two splits, and a script that answers both."""
    folder = tmp_path / "lands"
    folder.mkdir()
    for split in ("train", "test"):
        (folder / f"{split}.jsonl").write_text(json.dumps({"id": split, "question": "?", "golds": ["x"]}) + "\n")
    replies = {split: [multi_text(["x", "y", "z"], [0.6, 0.2, 0.1])] for split in ("train", "test")}
    return folder, write_script(tmp_path / "replies.jsonl", replies)


@pytest.mark.parametrize(
    ("words", "split", "said"),
    [
        ((), "test", "note: asking split test\n"),
        (("--split", "train"), "train", "note: asking split train\n"),
    ],
)
def test_the_split_is_said_and_recorded_and_is_test_where_there_is_one(tmp_path, own_data, words, split, said, capsys):
    folder, script = own_data
    asked = ("--task", "jsonl", "--path", folder, "--model", f"scripted:{script}", "--resamples", 0)
    assert setwise_eval(*asked, *words, "--out", tmp_path / "run") == 0
    assert said in capsys.readouterr().err
    task = json.loads((tmp_path / "run" / "config.json").read_text())["task"]
    assert (task["split"], task["name"], task["kind"], task["path"]) == (split, "lands", "jsonl", str(folder))
    assert task["source"]
    assert json.loads((tmp_path / "run" / "samples.jsonl").read_text())["problem"]["id"] == split


def test_a_folder_without_a_test_split_says_what_is_asked_instead(tmp_path, own_data, capsys):
    folder, script = own_data
    (folder / "test.jsonl").unlink()
    asked = ("--task", "jsonl", "--path", folder, "--model", f"scripted:{script}", "--resamples", 0)
    assert setwise_eval(*asked, "--out", tmp_path / "run") == 0
    assert f"note: asking split train: {folder} has no test split, only train; --split" in capsys.readouterr().err


def test_a_run_of_a_file_goes_on_where_it_was_called_by_its_kind_and_the_file_lay_elsewhere(tmp_path, own_data):
    folder, script = own_data
    words = ("--task", "jsonl", "--model", f"scripted:{script}", "--resamples", 0, "--out", tmp_path / "run")
    setwise_eval(*words, "--path", folder)
    config = tmp_path / "run" / "config.json"
    old = json.loads(config.read_text())
    for name in ("kind", "path", "source"):
        del old["task"][name]
    old["task"]["name"] = "jsonl"
    config.write_text(json.dumps(old))
    assert setwise_eval(*words, "--path", folder.rename(tmp_path / "moved")) == 0


def test_rescoring_needs_neither_task_nor_model(tmp_path, script, capsys):
    out = tmp_path / "run"
    setwise_eval("--task", "clinic", "--limit", 6, "--model", f"scripted:{script}", "--out", out, "--resamples", 50)
    script.unlink()
    (out / "metrics.json").unlink()
    assert setwise_eval("--out", out, "--rescore", "--matcher", "fuzzy:60", "--resamples", 50) == 0
    assert json.loads((out / "metrics.json").read_text())["matcher"].startswith("fuzzy")


def test_other_settings_for_the_same_folder_are_refused_in_one_line(tmp_path, script):
    out = tmp_path / "run"
    words = ("--task", "clinic", "--model", f"scripted:{script}", "--out", out, "--resamples", 0)
    setwise_eval(*words, "--limit", 6)
    with pytest.raises(InputError, match=r"task\.limit was 6, is 5"):
        setwise_eval(*words, "--limit", 5)


def test_a_script_of_the_same_name_that_says_something_else_is_another_model(tmp_path, script):
    words = ("--task", "clinic", "--limit", 6, "--model", f"scripted:{script}", "--out", tmp_path / "run")
    setwise_eval(*words, "--resamples", 0)
    script.write_text(script.read_text().replace("0.6", "0.9"))
    with pytest.raises(InputError, match=r"model was \"scripted:replies\.jsonl#"):
        setwise_eval(*words)


def test_missing_replies_are_an_error_that_says_how_to_go_on(tmp_path, golds):
    replies = {problem: [single_text(gold)] * 3 for problem, gold in list(golds.items())[:4]}
    script = write_script(tmp_path / "replies.jsonl", replies)
    words = ("--task", "clinic", "--limit", 6, "--method", "rlvr-single", "--out", tmp_path / "run")
    with pytest.raises(ModelError, match=r"6 requests got no answer .* 12 completions were added; the same command"):
        setwise_eval(*words, "--model", f"scripted:{script}")
    assert setwise_eval("--out", tmp_path / "run", "--rescore", "--resamples", 0) == 0


def test_a_prompt_of_ones_own_and_asking_for_confidences(tmp_path, golds):
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Give {K} answers.\n{FORMAT}")
    script = write_script(tmp_path / "r.jsonl", {p: [multi_text([g, "y"], [0.5, 0.1])] for p, g in golds.items()})
    words = ("--task", "clinic", "--limit", 6, "--model", f"scripted:{script}", "--resamples", 0)
    setwise_eval(
        *words,
        "--method",
        "rlvr-multi",
        "--confidence",
        "prompt",
        "--k",
        2,
        "--prompt",
        prompt,
        "--out",
        tmp_path / "o",
    )
    config = json.loads((tmp_path / "o" / "config.json").read_text())
    assert config["method"]["prompt"].startswith("Give {K}")
    assert config["method"]["confidence"] == "prompt"
    assert config["objective"]["name"] == "rlcr-multi"


def test_several_methods_share_one_model_and_have_a_folder_each(tmp_path, golds, monkeypatch):
    script = write_script(tmp_path / "r.jsonl", {p: [single_text(g)] * 7 for p, g in golds.items()})
    opened = []
    monkeypatch.setattr(command, "open_model", lambda spec, **options: opened.append(spec) or open_model(spec))
    words = ("--out", tmp_path / "o", "--resamples", 0)
    asked = ("--task", "clinic", "--limit", 6, "--k", 2, "--model", f"scripted:{script}")
    assert setwise_eval(*words, *asked, "--method", "rlvr-single:6", "base-rlvr-single") == 0
    assert len(opened) == 1
    lines = {path.name: len((path / "samples.jsonl").read_text().splitlines()) for path in (tmp_path / "o").iterdir()}
    assert lines == {"rlvr-single": 6 * 6, "base-rlvr-single": 6 * 2}
    (tmp_path / "o" / "rlvr-single" / "metrics.json").unlink()
    assert setwise_eval(*words, "--method", "rlvr-single", "base-rlvr-single", "--rescore") == 0
    assert (tmp_path / "o" / "rlvr-single" / "metrics.json").is_file()
    with pytest.raises(InputError, match=r'its subfolders do, got \["base-rlvr-single", "rlvr-single"\]; give one of'):
        setwise_eval(*words, "--rescore")


def test_rescoring_as_another_method_is_refused(tmp_path, script):
    out = ("--out", tmp_path / "run", "--resamples", 0)
    setwise_eval("--task", "clinic", "--limit", 6, "--model", f"scripted:{script}", *out)
    with pytest.raises(InputError, match='the folder holds a run of rlcr-multi, got "rlvr-single"'):
        setwise_eval(*out, "--rescore", "--method", "rlvr-single")
    assert setwise_eval(*out, "--rescore", "--method", "rlcr-multi") == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--model", "scripted:x"], "--task is needed"),
        (["--task", "clinic"], "--model is needed"),
        (["--task", "clinic", "--model", "gpt"], "a model is a run folder, a model folder or one of openai:..., hf:"),
        (["--task", "clinic", "--model", "hf:x", "--method", "best"], "a method is one of"),
        (["--task", "clinic", "--model", "hf:x", "--method", "rlvr-multi", "best"], "a method is one of"),
        (["--task", "clinic", "--model", "hf:x", "--method", "rlvr-multi:ten"], "METHOD:SAMPLES"),
        (["--task", "clinic", "--model", "hf:x", "--method", "rlvr-multi", "rlvr-multi:2"], "given once"),
        (["--task", "clinic", "--model", "hf:x", "--matcher", "judge"], "needs --judge"),
        (["--task", "clinic", "--model", "hf:x", "--judge", "hf:y"], "--judge is for --matcher judge"),
        (["--task", "clinic", "--model", "scripted:x", "--method", "rlvr-multi+continue"], "a script cannot continue"),
        (["--task", "clinic", "--model", "hf:x", "--task-option", "x"], "--option: an option is written KEY=VALUE"),
        (["--task", "clinic", "--model", "hf:x", "--task-option", "path=x"], "--option: path is not one of the task's"),
        (["--task", "clinic", "--model", "hf:x", "--option", "name=x"], "--option: name is not one of the task's own"),
        (["--task", "clinic", "--model", "hf:x", "--option", "seed=1"], "seed is not one .*; every task takes it: see"),
        (["--task", "clinic", "--model", "hf:x", "--resamples", "-5"], "resamples must be .* at least 0, got -5"),
        (["--task", "clinic", "--model", "hf:x", "--temperature", "-1"], "temperature must be"),
        (["--rescore"], r"/run: there is no such folder$"),
        (["--rescore", "--method", "rlcr-multi", "--k", "3", "--regime", "exclusive"], "/run: there is no such folder"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing_behind(tmp_path, words, complaint):
    with pytest.raises(InputError, match=complaint):
        setwise_eval(*words, "--out", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_run_that_got_no_answer_leaves_nothing_new_behind(tmp_path, script):
    """Not even the folders that it made; what was there stays, and so does a run that has answers."""
    asked = ("--task", "clinic", "--resamples", 0, "--out", tmp_path / "runs" / "x")
    none = write_script(tmp_path / "none.jsonl", {"another": [multi_text(["x"], [0.5])]})
    for methods in (("rlcr-multi",), ("rlcr-multi", "rlvr-multi")):
        with pytest.raises(ModelError, match="none of 6 requests got an answer"):
            setwise_eval(*asked, "--limit", 6, "--model", f"scripted:{none}", "--method", *methods)
        assert not (tmp_path / "runs").exists()
    (tmp_path / "runs" / "x").mkdir(parents=True)
    (tmp_path / "runs" / "notes").touch()
    (tmp_path / "runs" / "x" / "samples.jsonl").touch()
    with pytest.raises(ModelError):
        setwise_eval(*asked, "--limit", 6, "--model", f"scripted:{none}")
    assert sorted(path.name for path in tmp_path.glob("runs/**/*")) == ["config.json", "notes", "samples.jsonl", "x"]
    with pytest.raises(ModelError, match="6 completions were added; the same command asks for the rest"):
        setwise_eval(*asked, "--limit", 8, "--model", f"scripted:{script}")
    assert len(SampleFile.opened(tmp_path / "runs" / "x" / "samples.jsonl")) == 6


def test_a_program_killed_half_way_loses_only_what_was_in_flight(tmp_path):
    out = tmp_path / "run"
    with faulty_server(delay_seconds=0.05) as server:
        words = ["--task", "clinic", "--limit", "40", "--model", f"openai:tiny@{server.url}", "--out", str(out)]
        words += ["--at-once", str(IN_FLIGHT), "--resamples", "20"]
        program = "import argparse,sys\nfrom setwise.cli import eval as e\np=argparse.ArgumentParser()\n"
        program += "e.add_arguments(p)\nsys.exit(e.run(p.parse_args()))"
        process = subprocess.Popen([sys.executable, "-c", program, *words], stdout=subprocess.DEVNULL)
        samples = out / "samples.jsonl"
        until = time.monotonic() + 30
        while time.monotonic() < until and (not samples.exists() or samples.read_bytes().count(b"\n") < 10):
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        kept = len(SampleFile.opened(samples))
        assert 10 <= kept < 40
        assert setwise_eval(*words) == 0
        assert 40 <= sum(server.tries.values()) <= 40 + IN_FLIGHT
    assert len(SampleFile.opened(samples)) == 40
    assert json.loads((out / "metrics.json").read_text())["counts"]["completions"] == 40
