"""`setwise export`, without the engines: what is written, and what is refused."""

import json
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


@pytest.mark.parametrize("engine", ["slime", "verifiers"])
def test_what_files_without_a_model_cannot_carry_is_said_aloud(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = f"set in {engine} yourself: "
    model = {**RECIPE["model"], "revision": "v2"}
    export(monkeypatch, engine, write_recipe(tmp_path, CLINIC, model=model), tmp_path / "out")
    both = 'model.revision "v2", model.chat_template_options {"enable_thinking": true}'
    assert f"note: the files name no model, so {said}{both}\n" in capsys.readouterr().err
    export(monkeypatch, engine, write_recipe(tmp_path, CLINIC, model={"path": "nobody/tiny-1m"}), tmp_path / "out")
    assert said not in capsys.readouterr().err


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
