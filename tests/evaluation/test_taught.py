"""A trained model is asked as it was taught to answer."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from setwise import InputError, Objective, Regime
from setwise.evaluation.methods import named_method
from setwise.evaluation.taught import as_taught, taught_k
from setwise.models.local_text import rendered
from setwise.models.protocol import Request, Sampling
from setwise.prompting import system_prompt
from setwise.tasks import load_task
from setwise.training.manifest import Lesson, manifest
from setwise.training.settings import ModelSettings


def taught(objective: Objective, prompt: str | None = None) -> dict[str, Any]:
    model = ModelSettings(path="base", chat_template_options={"enable_thinking": True})
    return json.loads(json.dumps(manifest("trained", load_task("clinic"), [Lesson(objective, prompt)], model)))


def test_the_prompt_of_training_is_used_word_for_word():
    objective = Objective("rlcr-multi", k=3, regime="exclusive", think_opened=True)
    method, opened = as_taught(named_method("rlcr-multi"), taught(objective, "Give {K}: {FORMAT}"), Regime.EXCLUSIVE)
    assert method.prompt == system_prompt(objective, "Give {K}: {FORMAT}")
    assert opened


def test_with_another_k_the_prompt_of_training_is_filled_in_anew():
    manifest = taught(Objective("rlvr-multi", k=5), "Give {K}: {FORMAT}")
    assert taught_k(named_method("rlvr-multi"), manifest) == 5
    method, _ = as_taught(named_method("rlvr-multi").sized(2), manifest, Regime.INCLUSIVE)
    assert system_prompt(method.asked_objective(Regime.INCLUSIVE), method.prompt).startswith("Give 2: <think>")


def test_a_format_that_was_never_taught_gets_the_methods_own_prompt():
    manifest = taught(Objective("rlvr-single"), "One answer: {FORMAT}")
    method = named_method("rlvr-single-prompted-multi")
    assert as_taught(method, manifest, Regime.INCLUSIVE) == (method, False)
    assert as_taught(method, {}, Regime.INCLUSIVE) == (method, False)
    assert taught_k(method, manifest) is None


def test_a_prompt_that_the_user_gave_stays():
    method = replace(named_method("rlvr-multi"), prompt="mine {FORMAT}")
    assert as_taught(method, taught(Objective("rlvr-multi"), "theirs"), Regime.INCLUSIVE)[0].prompt == "mine {FORMAT}"


def test_a_model_taught_without_analysis_is_not_asked_for_one():
    manifest = taught(Objective("rlcr-single", analysis=False, regime="exclusive"))
    method, _ = as_taught(named_method("rlcr-single"), manifest, Regime.EXCLUSIVE)
    assert method.asked_objective(Regime.EXCLUSIVE).tags == ("answer", "confidence")


class Tokenizer:
    chat_template = "any"

    def apply_chat_template(self, messages: list[dict[str, str]], **options: Any) -> str:
        return f"{messages[0]['content']} {options.get('enable_thinking')}"


def test_template_options_of_training_are_used_again(tmp_path: Path):
    request = Request("1", 0, [{"role": "user", "content": "Who?"}], Sampling(), 0)
    assert rendered(request, Tokenizer(), str(tmp_path)) == "Who? None"
    trained = tmp_path / "trained"
    trained.mkdir()
    (trained / "setwise.json").write_text(json.dumps(taught(Objective("rlvr-single"))))
    assert rendered(request, Tokenizer(), str(trained)) == "Who? True"


def test_a_damaged_record_is_named(tmp_path: Path):
    (tmp_path / "setwise.json").write_text("{")
    with pytest.raises(InputError, match=r"setwise\.json: the file must be JSON"):
        rendered(Request("1", 0, [], Sampling(), 0), Tokenizer(), str(tmp_path))
