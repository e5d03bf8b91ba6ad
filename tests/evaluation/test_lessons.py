"""A trained model is asked as it was taught to answer."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from setwise import InputError, Objective, Regime
from setwise.contract import tags_of
from setwise.evaluation.lessons import as_taught, taught_k
from setwise.evaluation.methods import named_method
from setwise.models.local_text import rendered
from setwise.models.protocol import Request
from setwise.prompting import lesson, system_prompt
from setwise.records.manifest import Manifest
from setwise.settings import ModelSettings
from setwise.tasks import load_task
from setwise.training.run.manifest import manifest_of_training


def taught(folder: Path, objective: Objective, prompt: str | None = None) -> Manifest:
    """What training leaves beside a model, read back."""
    model = ModelSettings(path="base", chat_template_options={"enable_thinking": True})
    manifest_of_training("trained", load_task("clinic"), [lesson(objective, prompt)], model).write(folder)
    manifest = Manifest.read(folder)
    assert manifest is not None
    return manifest


def test_the_prompt_of_training_is_used_word_for_word(tmp_path: Path):
    objective = Objective("rlcr-multi", k=3, regime="exclusive", think_opened=True)
    manifest = taught(tmp_path, objective, "Give {K}: {FORMAT}")
    method, opened = as_taught(named_method("rlcr-multi"), manifest, Regime.EXCLUSIVE)
    assert method.prompt == system_prompt(objective, "Give {K}: {FORMAT}")
    assert opened


def test_braces_that_are_text_in_the_prompt_of_training_stay_text(tmp_path: Path):
    objective = Objective("rlvr-multi", k=3, regime="exclusive")
    manifest = taught(tmp_path, objective, "Not {{K}} but {K}, and {{answer}}: {FORMAT}")
    method, _ = as_taught(named_method("rlvr-multi"), manifest, Regime.EXCLUSIVE)
    asked = system_prompt(method.asked_objective(Regime.EXCLUSIVE), method.prompt)
    assert asked.startswith("Not {K} but 3, and {answer}: <think>")
    assert asked == manifest.taught[0].system_prompt


def test_with_another_k_the_prompt_of_training_is_filled_in_anew(tmp_path: Path):
    manifest = taught(tmp_path, Objective("rlvr-multi", k=5), "Give {K}: {FORMAT}")
    assert taught_k(named_method("rlvr-multi"), manifest, Regime.INCLUSIVE) == 5
    method, _ = as_taught(named_method("rlvr-multi").sized(2), manifest, Regime.INCLUSIVE)
    assert system_prompt(method.asked_objective(Regime.INCLUSIVE), method.prompt).startswith("Give 2: <think>")


def test_a_format_that_was_never_taught_gets_the_methods_own_prompt(tmp_path: Path):
    manifest = taught(tmp_path, Objective("rlvr-single"), "One answer: {FORMAT}")
    method = named_method("rlvr-single-prompted-multi")
    assert as_taught(method, manifest, Regime.INCLUSIVE) == (method, False)
    assert as_taught(method, Manifest(), Regime.INCLUSIVE) == (method, False)
    assert taught_k(method, manifest, Regime.INCLUSIVE) is None


def test_a_prompt_that_the_user_gave_stays(tmp_path: Path):
    method = replace(named_method("rlvr-multi"), prompt="mine {FORMAT}")
    manifest = taught(tmp_path, Objective("rlvr-multi"), "theirs")
    assert as_taught(method, manifest, Regime.INCLUSIVE)[0].prompt == "mine {FORMAT}"


def test_a_model_taught_without_analysis_is_not_asked_for_one(tmp_path: Path):
    manifest = taught(tmp_path, Objective("rlcr-single", analysis=False, regime="exclusive"))
    method, _ = as_taught(named_method("rlcr-single"), manifest, Regime.EXCLUSIVE)
    assert [tag.name for tag in tags_of(method.asked_objective(Regime.EXCLUSIVE).format)] == ["answer", "confidence"]


class Tokenizer:
    chat_template = "any"

    def apply_chat_template(self, messages: list[dict[str, str]], **options: Any) -> str:
        return f"{messages[0]['content']} {options.get('enable_thinking')}"


def test_template_options_of_training_are_used_again(tmp_path: Path):
    request = Request([{"role": "user", "content": "Who?"}])
    assert rendered(request, Tokenizer(), str(tmp_path)) == "Who? None"
    trained = tmp_path / "trained"
    trained.mkdir()
    taught(trained, Objective("rlvr-single"))
    assert rendered(request, Tokenizer(), str(trained)) == "Who? True"


def test_a_damaged_record_is_named(tmp_path: Path):
    (tmp_path / "setwise.json").write_text("{")
    with pytest.raises(InputError, match=r"setwise\.json: the file must be JSON"):
        rendered(Request([]), Tokenizer(), str(tmp_path))
