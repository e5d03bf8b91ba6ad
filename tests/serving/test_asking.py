"""A model is asked as it was taught; options say otherwise, or say it where nothing is known."""

import os
from pathlib import Path

import pytest

from setwise.errors import InputError
from setwise.objectives import Objective, Regime
from setwise.prompting import lesson, messages
from setwise.questions import Question
from setwise.records.manifest import Manifest
from setwise.serving.asking import Choices, how_to_ask, spec_of_folder

TAUGHT = Objective("rlcr-multi", 4, regime=Regime.EXCLUSIVE, think_opened=True)


def run_folder(path: Path, *objectives: Objective, prompt: str | None = None, **fields: object) -> Path:
    model = path / "model"
    model.mkdir(parents=True)
    (model / "config.json").write_text("{}")
    taught = tuple(lesson(each, prompt) for each in objectives or (TAUGHT,))
    Manifest(
        taught=taught, instruction="Name a disease.", task={"name": "clinic", "regime": "exclusive", **fields}
    ).write(model)
    return path


def test_the_prompt_k_and_instruction_come_from_the_manifest(tmp_path: Path):
    spec = spec_of_folder(str(run_folder(tmp_path / "run")))
    asking = how_to_ask(spec, Choices())
    assert spec == f"hf:{tmp_path / 'run' / 'model'}"
    assert asking.objective == TAUGHT
    assert asking.messages("A toe?") == messages(Question("A toe?"), TAUGHT, instruction="Name a disease.")


def test_another_k_fills_in_the_trained_prompt_anew(tmp_path: Path):
    folder = run_folder(tmp_path, prompt="Give {K} answers as {FORMAT}")
    asking = how_to_ask(spec_of_folder(str(folder)), Choices(k=2))
    assert asking.objective.k == 2
    assert asking.system_prompt.startswith("Give 2 answers as ")
    assert "<answer3>" not in asking.system_prompt


def test_of_several_lessons_the_richest_is_asked_unless_one_is_named(tmp_path: Path):
    folder = run_folder(tmp_path, *(Objective(name) for name in ("rlcr-single", "rlcr-multi", "rlvr-multi")))
    spec = spec_of_folder(str(folder))
    assert how_to_ask(spec, Choices()).objective.name == "rlcr-multi"
    assert how_to_ask(spec, Choices(objective="rlcr-single")).objective.name == "rlcr-single"


def test_a_served_model_can_be_asked_as_a_folder_was_taught(tmp_path: Path):
    asking = how_to_ask("openai:x@http://localhost:1/v1", Choices(taught_as=run_folder(tmp_path)))
    assert asking.objective == TAUGHT


def test_a_model_without_a_manifest_is_asked_as_the_options_say():
    asked = Choices(objective="rlvr-multi", k=5, regime="exclusive", instruction="Be kind.", temperature=0.0)
    asking = how_to_ask("openai:x@http://localhost:1/v1", asked)
    assert (asking.objective.name, asking.objective.k, asking.objective.regime) == ("rlvr-multi", 5, "exclusive")
    assert asking.messages("Who?")[1]["content"] == "Be kind.\n\nWho?"
    assert asking.sampling.temperature == 0
    assert how_to_ask("hf:x/y", Choices(prompt="Say {K} things.")).system_prompt == "Say 3 things."


def test_the_matcher_is_the_manifest_s_unless_named(tmp_path: Path):
    spec = spec_of_folder(str(run_folder(tmp_path, matcher="fuzzy:80")))
    assert how_to_ask(spec, Choices()).matcher.name == "fuzzy"
    assert how_to_ask(spec, Choices(matcher="exact")).matcher.name == "exact"


def test_an_unfinished_run_is_asked_by_its_last_complete_checkpoint(tmp_path: Path):
    """Whenever its files were written, as by a copy; what a killed training left half-written has no manifest."""
    steps = {step: tmp_path / "checkpoints" / f"checkpoint-{step}" for step in (100, 20, 120)}
    for folder in (*steps.values(), tmp_path / "model"):
        folder.mkdir(parents=True)
        (folder / "config.json").write_text("{}")
    for number, step in enumerate((100, 20)):
        Manifest().write(steps[step])
        os.utime(steps[step], (number, number))
    assert spec_of_folder(str(tmp_path)) == f"hf:{steps[100]}"


def test_a_run_without_a_complete_checkpoint_has_no_model(tmp_path: Path):
    checkpoint = tmp_path / "checkpoints" / "checkpoint-40"
    checkpoint.mkdir(parents=True)
    (checkpoint / "config.json").write_text("{}")
    with pytest.raises(InputError, match="no model lies in this folder"):
        spec_of_folder(str(tmp_path))


def test_a_folder_without_a_model_is_one_line(tmp_path: Path):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "samples.jsonl").write_text("")
    with pytest.raises(InputError, match="no model lies in this folder"):
        spec_of_folder(str(tmp_path))
    with pytest.raises(InputError, match="a model is a run folder"):
        spec_of_folder(str(tmp_path / "nothing"))
