"""`setwise export`, without the engines: what is written, and what is refused."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from setwise import Objective, score
from setwise.adapters.credit_rule import CreditRule
from setwise.adapters.engines import ENGINES, engine_named
from setwise.adapters.grade import grade
from setwise.adapters.ground_truth import read_ground_truth
from setwise.objectives import RewardPreset, SetValue
from tests.adapters.cases import Case, completions_for, every_task
from tests.adapters.recipes import RECIPE, export, write_recipe

CLINIC = Case("clinic", {"limit": 5})
GROUND_TRUTH = {
    "verl": lambda row: row["reward_model"]["ground_truth"],
    "skyrl": lambda row: row["reward_spec"]["ground_truth"],
    "openrlhf": lambda row: row["ground_truth"],
    "slime": lambda row: row["label"],
    "nemo-rl": lambda row: row["output"],
    "open-instruct": lambda row: row["ground_truth"],
}


def rows_of(out: Path, name: str) -> list[dict[str, Any]]:
    lines = out / f"{name}.jsonl"
    if lines.exists():
        return [json.loads(line) for line in lines.read_text().splitlines()]
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'setwise[data]'")
    return parquet.read_table(out / f"{name}.parquet").to_pylist()


def test_every_engine_has_a_row_that_is_checked_here() -> None:
    assert set(GROUND_TRUTH) == set(ENGINES)


@pytest.mark.parametrize("engine", ENGINES)
def test_each_engine_gets_rows_that_grade_like_the_task(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert export(monkeypatch, engine, write_recipe(tmp_path, CLINIC), out) == 0
    problems, rows = list(CLINIC.load()), rows_of(out, "train")
    assert len(rows) == len(problems)
    for problem, row in zip(problems, rows, strict=True):
        grading = read_ground_truth(GROUND_TRUTH[engine](row))
        assert problem.question.text in json.dumps(row)
        text = completions_for(problem, grading.objective)[0]
        ours = score(text, problem, Objective("rlcr-multi", 3, regime="exclusive"))
        assert score(text, grading.problem, grading.objective, matcher=grading.matcher) == ours


def test_validation_comes_from_another_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(monkeypatch, "slime", write_recipe(tmp_path, CLINIC), tmp_path / "out")
    ids = [row["metadata"]["id"] for row in rows_of(tmp_path / "out", "val")]
    assert len(ids) == 256
    assert all(name.startswith("clinic-validation-") for name in ids)


def test_a_task_without_splits_validates_on_its_own_head(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = next(case for case in every_task(tmp_path) if case.name == "jsonl")
    generation = {**RECIPE["generation"], "prompts_per_step": 1}
    recipe = write_recipe(tmp_path, own, generation=generation)
    export(monkeypatch, "slime", recipe, tmp_path / "out")
    assert rows_of(tmp_path / "out", "val") == rows_of(tmp_path / "out", "train")


def launch_words(out: Path) -> list[str]:
    return shlex.split((out / "launch.sh").read_text(), comments=True)


def words_for_verl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, optimisation: Any, **sections: Any) -> list[str]:
    """The launch file of a recipe with these settings."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'setwise[data]'")
    recipe = write_recipe(tmp_path, CLINIC, optimisation={**RECIPE["optimisation"], **optimisation}, **sections)
    export(monkeypatch, "verl", recipe, tmp_path / "out")
    return launch_words(tmp_path / "out")


def test_verl_is_told_what_the_recipe_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'setwise[data]'")
    out = tmp_path / "out"
    export(monkeypatch, "verl", write_recipe(tmp_path, CLINIC), out, "--nodes", 2, "--gpus", 4)
    words = launch_words(out)
    for flag in (
        "algorithm.norm_adv_by_std_in_grpo=False",
        "actor_rollout_ref.actor.loss_agg_mode=token-mean",
        "actor_rollout_ref.rollout.n=4",
        "actor_rollout_ref.rollout.temperature=0.7",
        "data.train_batch_size=2",
        "+data.apply_chat_template_kwargs.enable_thinking=True",
        "trainer.total_training_steps=2",
        "trainer.nnodes=2",
        "trainer.n_gpus_per_node=4",
    ):
        assert flag in words
    assert "verl has no BNPO" in capsys.readouterr().err
    assert "verl has no BNPO" in (out / "launch.sh").read_text()


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


def test_a_reward_file_names_the_function_its_engine_looks_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(monkeypatch, "openrlhf", write_recipe(tmp_path, CLINIC), tmp_path / "out")
    loaded: dict[str, Any] = {}
    exec((tmp_path / "out" / "reward.py").read_text(), loaded)
    assert callable(loaded["reward_func"])


def test_nemo_rl_gets_the_system_prompt_as_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(monkeypatch, "nemo-rl", write_recipe(tmp_path, CLINIC), tmp_path / "out")
    assert "<answer3>" in (tmp_path / "out" / "system_prompt.txt").read_text()


def test_an_unset_think_opened_is_said_aloud(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = write_recipe(tmp_path, CLINIC, objective={"name": "rlvr-multi"})
    export(monkeypatch, "slime", recipe, tmp_path / "out")
    assert "objective.think_opened is not set" in capsys.readouterr().err


PAID_PER_ANSWER = {"optimisation": {**RECIPE["optimisation"], "credit": "answer", "later_gain": 0.5}}


@pytest.mark.parametrize("engine", ENGINES)
def test_one_line_says_that_an_engine_pays_whole_completions(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if engine_named(engine).format == "parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'setwise[data]'")
    assert export(monkeypatch, engine, write_recipe(tmp_path, CLINIC, **PAID_PER_ANSWER), tmp_path / "out") == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "optimisation.credit is answer" in line]
    assert len(lines) == 1
    if engine == "skyrl":
        assert "with setwise.adapters.skyrl_entry" in lines[0]
    else:
        assert f"{engine} takes one number for a completion, so its credit stays per completion" in lines[0]
        assert "setwise train, verifiers, skyrl" in lines[0]


@pytest.mark.parametrize("engine", ["slime", "verifiers"])
def test_the_papers_credit_needs_no_word(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    export(monkeypatch, engine, write_recipe(tmp_path, CLINIC), tmp_path / "out")
    assert "credit" not in capsys.readouterr().err
    assert "later_gain" not in "".join(path.read_text() for path in (tmp_path / "out").iterdir())


def test_what_is_special_to_confidences_is_not_lost_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    special = {"confidence_gradient": "expected", "confidence_entropy_bonus": 0.02, "calibration_warmup": 0.3}
    optimisation = {**PAID_PER_ANSWER["optimisation"], **special}
    export(monkeypatch, "slime", write_recipe(tmp_path, CLINIC, optimisation=optimisation), tmp_path / "out")
    told = capsys.readouterr().err
    assert "slime learns from the numbers that it samples" in told
    assert "slime has no entropy bonus for confidences" in told
    assert "slime has no warm-up for the calibration term" in told


def test_a_credit_for_one_answer_is_refused_for_a_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = write_recipe(tmp_path, CLINIC, optimisation={**RECIPE["optimisation"], "credit": "bae"})
    assert export(monkeypatch, "slime", recipe, tmp_path / "out") == 2
    assert "credit bae is for one answer with a confidence" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_rows_say_how_their_answers_are_paid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(monkeypatch, "slime", write_recipe(tmp_path, CLINIC, **PAID_PER_ANSWER), tmp_path / "out")
    for split in ("train", "val"):
        said = [read_ground_truth(row["label"]).credit for row in rows_of(tmp_path / "out", split)]
        assert set(said) == {CreditRule("answer", 0.5)}


@pytest.mark.parametrize("value", ["any", "vpo"])
@pytest.mark.parametrize("name", ["jsonl", "mbpp"])
def test_rows_carry_the_value_of_a_set(
    value: SetValue, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three golds, of which vpo pays H(m) / 3; and programs, whose tests it counts."""
    own = next(case for case in every_task(tmp_path) if case.name == name)
    generation = {**RECIPE["generation"], "prompts_per_step": 1}
    recipe = write_recipe(tmp_path, own, generation=generation, reward={"set_value": value})
    split = ["--val-split", "train"] if name == "mbpp" else []
    assert export(monkeypatch, "slime", recipe, tmp_path / "out", *split) == 0
    task = own.load()
    objective = Objective("rlcr-multi", 3, regime=task.regime, preset=RewardPreset(f"paper-{value}", set_value=value))
    for problem, row in zip(task, rows_of(tmp_path / "out", "train"), strict=True):
        texts = completions_for(problem, objective)
        ours = [score(text, problem, objective, matcher=task.matcher) for text in texts]
        assert [grade(text, row["label"]).terms for text in texts] == [each.terms for each in ours]
        paid = {"any": 1.0, "vpo": 1.0 if name == "mbpp" else (1 + 1 / 2 + 1 / 3) / 3}
        assert ours[0].terms["correctness"] == pytest.approx(paid[value])


def test_an_exported_taskset_is_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(monkeypatch, "verifiers", write_recipe(tmp_path, CLINIC), tmp_path / "out")
    source = (tmp_path / "out" / "setwise_tiny_clinic.py").read_text()
    compile(source, "setwise_tiny_clinic.py", "exec")
    assert "limit: int | None = 5" in source
    assert 'name = "setwise-tiny-clinic"' in (tmp_path / "out" / "pyproject.toml").read_text()


@pytest.mark.parametrize(
    ("sections", "complaint"),
    [
        ({"optimisation": {"schedule": "linear"}}, "verl knows the schedules constant and cosine"),
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
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'setwise[data]'")
    recipe = write_recipe(tmp_path, CLINIC, **sections)
    assert export(monkeypatch, "verl", recipe, tmp_path / "out") == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
