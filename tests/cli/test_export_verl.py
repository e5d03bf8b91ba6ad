"""`setwise export verl`, without verl: what its launch file says, and what is refused."""

import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.byte_tokenizer import byte_tokenizer
from tests.adapters.cases import Case
from tests.adapters.recipes import RECIPE, export, write_recipe

pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'setwise[data]'")

CLINIC = Case("clinic", {"limit": 5})


def launch_words(out: Path) -> list[str]:
    return shlex.split((out / "launch.sh").read_text(), comments=True)


def words_for_verl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, optimisation: Any, **sections: Any) -> list[str]:
    """The launch file of a recipe with these settings."""
    recipe = write_recipe(tmp_path, CLINIC, optimisation={**RECIPE["optimisation"], **optimisation}, **sections)
    export(monkeypatch, "verl", recipe, tmp_path / "out")
    return launch_words(tmp_path / "out")


def test_verl_is_told_what_the_recipe_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    export(monkeypatch, "verl", write_recipe(tmp_path, CLINIC), out, "--nodes", 2, "--gpus", 4)
    words = launch_words(out)
    for flag in (
        "algorithm.norm_adv_by_std_in_grpo=False",
        "actor_rollout_ref.actor.loss_agg_mode=token-mean",
        "actor_rollout_ref.rollout.n=4",
        "actor_rollout_ref.rollout.temperature=0.7",
        "data.train_batch_size=2",
        "+data.apply_chat_template_kwargs.enable_thinking=true",
        "trainer.total_training_steps=2",
        "trainer.nnodes=2",
        "trainer.n_gpus_per_node=4",
    ):
        assert flag in words
    assert "verl has no BNPO" in capsys.readouterr().err
    assert "verl has no BNPO" in (out / "launch.sh").read_text()


def test_a_model_in_the_home_folder_is_found_and_named_by_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed: pip install 'setwise[hf]'")
    byte_tokenizer().save_pretrained(tmp_path / "tiny")
    (tmp_path / "tiny" / "config.json").write_text('{"model_type": "llama"}')
    monkeypatch.setenv("HOME", str(tmp_path))
    recipe = write_recipe(tmp_path, CLINIC, model={"path": "~/tiny"}, objective={"name": "rlcr-multi"})
    assert export(monkeypatch, "verl", recipe, tmp_path / "out") == 0
    assert f"actor_rollout_ref.model.path={tmp_path}/tiny" in launch_words(tmp_path / "out")
    assert "think_opened" not in capsys.readouterr().err


def test_options_of_the_chat_template_reach_verl_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"effort": "very low", "tools": None, "style": {"names": ["a", "b"], "short": True}}
    recipe = write_recipe(tmp_path, CLINIC, model={**RECIPE["model"], "chat_template_options": options})
    export(monkeypatch, "verl", recipe, tmp_path / "out")
    told = [word for word in launch_words(tmp_path / "out") if word.startswith("+data.apply_chat_template_kwargs.")]
    assert {word.rpartition("kwargs.")[2] for word in told} == {
        'effort="very low"',
        "tools=null",
        'style={names: ["a", "b"], short: true}',
    }


@pytest.mark.parametrize(("loss", "mode"), [("dapo", "token-mean"), ("grpo", "seq-mean-token-mean")])
def test_a_loss_that_verl_has_is_named_without_a_warning(
    loss: str, mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = words_for_verl(tmp_path, monkeypatch, {"loss": loss})
    assert f"actor_rollout_ref.actor.loss_agg_mode={mode}" in words
    assert "BNPO" not in capsys.readouterr().err


@pytest.mark.parametrize(("steps", "epochs"), [(2, 1), (3, 2), (40, 20)])
def test_verl_gets_as_many_epochs_as_its_steps_take(
    steps: int, epochs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five problems fill two steps of two, and verl leaves out the fifth."""
    words = words_for_verl(tmp_path, monkeypatch, {"steps": steps})
    assert f"trainer.total_training_steps={steps}" in words
    assert f"trainer.total_epochs={epochs}" in words


@pytest.mark.parametrize(("updates", "steps", "saved"), [(1, 8, 4), (2, 4, 2)])
def test_verl_counts_batches_of_completions_where_a_recipe_counts_updates(
    updates: int, steps: int, saved: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generation = {**RECIPE["generation"], "updates_per_generation": updates}
    words = words_for_verl(
        tmp_path, monkeypatch, {"steps": 8}, generation=generation, run={**RECIPE["run"], "save_every": 4}
    )
    assert f"trainer.total_training_steps={steps}" in words
    assert {f"trainer.save_freq={saved}", f"trainer.test_freq={saved}"} <= set(words)


@pytest.mark.parametrize(("micro_batch", "rows"), [(8, 4), (2, 2)])
def test_verl_gets_few_rows_at_a_time(
    micro_batch: int, rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = words_for_verl(tmp_path, monkeypatch, {"micro_batch": micro_batch})
    assert f"actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu={rows}" in words


@pytest.mark.parametrize(
    ("sections", "complaint"),
    [
        ({"optimisation": {"schedule": "linear"}}, "verl knows the schedules constant and cosine"),
        (
            {"model": {**RECIPE["model"], "revision": "v2"}},
            "model.revision: verl loads a model of the hub as it is now",
        ),
        ({"optimisation": {"decay_fraction": 0.25}}, "decay_fraction: verl keeps a constant rate to the end, got 0.25"),
        (
            {"generation": {"prompts_per_step": 3, "group_size": 4, "updates_per_generation": 2}},
            "updates_per_generation must divide prompts_per_step",
        ),
    ],
)
def test_what_verl_cannot_do_is_one_line(
    sections: dict[str, Any],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    recipe = write_recipe(tmp_path, CLINIC, **sections)
    assert export(monkeypatch, "verl", recipe, tmp_path / "out") == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
