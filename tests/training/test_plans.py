"""What is worked out before anything is loaded: batches, order, arguments, transcripts, folders."""

import errno
import io
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from setwise.answers import AnswerSet
from setwise.errors import InputError, MachineryError
from setwise.objectives import OBJECTIVES, Objective, Regime
from setwise.parsing import parse
from setwise.problems import Problem
from setwise.rewards import sums_above_one
from setwise.training import GenerationSettings, LoraSettings, OptimisationSettings, TrainingJob, estimate
from setwise.training.alarms import Alarm
from setwise.training.arguments import engine_arguments
from setwise.training.dataset import epoch_order
from setwise.training.estimates import memory_gb, model_shape, update_tokens
from setwise.training.explained import disk_errors_explained, memory_errors_explained
from setwise.training.job import accumulation_steps, check_job
from setwise.training.policy import opens_thinking
from setwise.training.run_folder import RunFolder, differences, write_manifest
from setwise.training.transcripts import Writer
from setwise.training.view import PlainView, open_view
from tests.training.tiny_clinic import make_job, make_task

NAMES = ["Gout", "Flu", "Angina", "Croup", "Ebola"]


def paper_job() -> TrainingJob:
    job = make_job(Path("Qwen/Qwen3-8B"), Path("runs/x"))
    model = replace(job.model, dtype="bfloat16", gradient_checkpointing=True)
    generation, optimisation = GenerationSettings(), OptimisationSettings(steps=10)
    return replace(job, generation=generation, optimisation=optimisation, model=model)


@given(prompts=st.integers(1, 12), group=st.integers(2, 8), processes=st.integers(1, 4), micro=st.integers(1, 16))
def test_micro_batches_fill_the_batch_and_groups_stay_whole(prompts: int, group: int, processes: int, micro: int):
    generation = GenerationSettings(prompts_per_step=prompts, group_size=group)
    try:
        steps = accumulation_steps(generation, OptimisationSettings(micro_batch=micro), processes)
    except InputError:
        assert prompts % processes or (prompts // processes * group) % micro
        return
    assert steps * micro * processes == prompts * group
    assert (steps * micro) % group == 0


def test_every_epoch_uses_every_problem_once_in_an_order_of_its_own():
    order = epoch_order(50, 150, seed=3)
    epochs = [order[start : start + 50] for start in (0, 50, 100)]
    assert all(sorted(epoch) == list(range(50)) for epoch in epochs)
    assert epochs[0] != epochs[1] != epochs[2]
    assert order == epoch_order(50, 400, seed=3)[:150]
    assert order != epoch_order(50, 150, seed=4)


def test_the_papers_recipe_is_stock_flags():
    flags = engine_arguments(paper_job(), processes=8)
    assert (flags["loss_type"], flags["scale_rewards"], flags["beta"]) == ("bnpo", "none", 0)
    assert (flags["lr_scheduler_type"], flags["temperature"], flags["num_generations"]) == (
        "constant_with_warmup",
        0.7,
        32,
    )
    batch = flags["per_device_train_batch_size"] * flags["gradient_accumulation_steps"] * 8
    assert (batch, flags["steps_per_generation"]) == (1536, flags["gradient_accumulation_steps"])


def test_one_word_chooses_where_completions_come_from():
    def flags(backend: Any) -> dict[str, Any]:
        job = paper_job()
        return engine_arguments(replace(job, generation=replace(job.generation, backend=backend)), 8)

    assert flags("transformers")["use_vllm"] is False
    assert flags("vllm")["vllm_mode"] == "colocate"
    assert flags("vllm-server")["vllm_server_base_url"] == "http://localhost:8000"


def memory(job: TrainingJob, **optimisation: Any) -> dict[str, float]:
    shape = model_shape("Qwen/Qwen3-8B")
    assert shape is not None
    return memory_gb(replace(job, optimisation=replace(job.optimisation, **optimisation)), shape, prompt_tokens=200)


def test_an_adapter_needs_less_memory_and_a_bigger_batch_more():
    job = paper_job()
    full, wide = memory(job), memory(job, micro_batch=64)
    thin = memory(replace(job, model=replace(job.model, lora=LoraSettings())))
    assert full["optimizer"] == pytest.approx(64.0)
    assert thin["optimizer"] < full["optimizer"] / 50
    assert thin["LM head"] < full["LM head"]
    assert wide["activations"] == pytest.approx(2 * full["activations"])


def test_the_lm_head_never_holds_all_logits():
    every_logit = 32 * 1536 * 150_000 * 2 / 1e9
    assert memory(paper_job(), micro_batch=32)["LM head"] < every_logit / 2


def test_checkpointing_keeps_less_than_all_layers_and_more_than_their_inputs():
    job = paper_job()
    kept = memory(job)["activations"]
    whole = memory(replace(job, model=replace(job.model, gradient_checkpointing=False)))["activations"]
    inputs = (200 + 32 * 1536) * 41 * 4100 * 4 / 1e9
    assert inputs < kept < whole / 5


def test_a_prompt_counts_once_for_the_completions_that_share_it():
    job = paper_job()

    def tokens(**optimisation: Any) -> int:
        changed = replace(job, optimisation=replace(job.optimisation, **optimisation))
        return update_tokens(changed, completions=1536, prompt_tokens=100) - 1536 * 1536

    assert tokens(micro_batch=32) == tokens(micro_batch=64) == 48 * 100
    assert tokens(micro_batch=4) == 1536 // 4 * 100
    assert tokens(shared_prompt=False) == 1536 * 100


def test_a_micro_batch_that_cuts_through_groups_is_said_aloud():
    def said(**optimisation: Any) -> list[str]:
        job = paper_job()
        return [
            warning
            for warning in check_job(replace(job, optimisation=replace(job.optimisation, **optimisation)))
            if "cuts through groups" in warning
        ]

    [warning] = said(micro_batch=8)
    assert "a multiple of 32 runs each once" in warning
    assert not said(micro_batch=64)
    assert not said(micro_batch=8, shared_prompt=False)


def test_the_size_of_a_model_on_disk_is_counted_as_its_weights_are(start: Path):
    from safetensors.torch import load_file

    counted = sum(
        tensor.numel() for name, tensor in load_file(start / "model.safetensors").items() if "norm" not in name
    )
    shape = model_shape(str(start))
    assert shape is not None
    assert shape.parameters == counted


def test_an_estimate_counts_what_a_step_can_cost():
    figures = estimate(paper_job(), processes=8)
    assert figures.completions_per_step == 1536
    assert figures.tokens_per_step == 48 * figures.prompt_tokens + 1536 * 1536
    held = sum(figures.memory_gb[part] for part in ("weights", "gradients", "optimizer"))
    assert figures.total_memory_gb - figures.sharded_memory_gb == pytest.approx(held * 7 / 8)


def test_a_vllm_that_stays_awake_counts_and_one_that_sleeps_does_not():
    job = paper_job()
    beside = replace(job.generation, backend="vllm", vllm_cache_gb=4.0)
    awake = memory(replace(job, generation=replace(beside, vllm_sleeps=False)))
    asleep = memory(replace(job, generation=replace(beside, vllm_sleeps=True)))
    assert awake["vLLM, awake"] == pytest.approx(4 + 16.0)
    assert "vLLM, awake" not in asleep


@given(
    name=st.sampled_from(OBJECTIVES),
    regime=st.sampled_from(Regime),
    imitation=st.sampled_from([0.0, 0.5, 1.0]),
    opened=st.booleans(),
    seed=st.integers(0, 999),
)
def test_a_transcript_is_strictly_valid_and_within_the_rules(
    name: str, regime: Regime, imitation: float, opened: bool, seed: int
):
    objective = Objective(name, regime=regime, think_opened=opened)
    text = Writer(objective, NAMES, "hm", imitation).write(Problem("1", "?", ["Gout"]), Random(seed))
    parsed = parse(text, objective)
    assert isinstance(parsed, AnswerSet), text
    assert len(set(parsed.answers)) == objective.k
    confidences = [q for q in parsed.confidences if q is not None]
    assert confidences == sorted(confidences, reverse=True)
    if objective.punishes_sums_above_one:
        assert not sums_above_one(confidences)
    if imitation == 1:
        assert parsed.answers[0] == "Gout"


def test_a_format_only_transcript_knows_nothing():
    writer = Writer(Objective("rlvr-single"), NAMES, "hm", imitation=0.0)
    random = Random(0)
    right = sum("Gout" in writer.write(Problem("1", "?", ["Gout"]), random) for _ in range(2000))
    assert 0.15 < right / 2000 < 0.25


def test_a_changed_recipe_is_refused_with_the_difference(tmp_path: Path):
    folder = RunFolder(tmp_path / "run")
    folder.open({"optimisation": {"learning_rate": 1e-6}, "run": {"tracker": "none"}})
    folder.append("log.jsonl", {"step": 1})
    folder.open({"optimisation": {"learning_rate": 1e-6}, "run": {"tracker": "wandb"}})
    with pytest.raises(InputError, match=r"optimisation\.learning_rate was 1e-06 and is 2e-06"):
        folder.open({"optimisation": {"learning_rate": 2e-6}, "run": {"tracker": "none"}})


def test_a_start_that_failed_binds_nobody(tmp_path: Path):
    folder = RunFolder(tmp_path / "run")
    folder.open({"model": {"path": "nope"}})
    folder.checkpoints.mkdir()
    folder.warm_start.mkdir()
    folder.open({"model": {"path": "right"}})
    write_manifest(folder.warm_start, {})
    with pytest.raises(InputError, match=r'model\.path was "right" and is "nope"'):
        folder.open({"model": {"path": "nope"}})


def test_a_folder_of_something_else_is_not_taken_over(tmp_path: Path):
    (tmp_path / "thesis.tex").write_text("precious", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds other files and no config\.yaml"):
        RunFolder(tmp_path).open({})


def test_an_option_that_came_or_went_is_a_difference():
    assert list(differences({"a": {"b": 1}}, {"a": {"c": 2}})) == ["a.b was 1 and is null", "a.c was null and is 2"]


def test_a_checkpoint_cut_off_while_it_was_written_is_not_resumed_from(tmp_path: Path):
    folder = RunFolder(tmp_path)
    for step in (2, 10, 12):
        (folder.checkpoints / f"checkpoint-{step}").mkdir(parents=True)
    for step in (2, 10):
        write_manifest(folder.checkpoints / f"checkpoint-{step}", {})
    assert folder.latest_checkpoint() == folder.checkpoints / "checkpoint-10"
    folder.remove_incomplete()
    assert not (folder.checkpoints / "checkpoint-12").exists()


def test_the_log_of_a_killed_run_is_cut_back_to_its_checkpoint(tmp_path: Path):
    folder = RunFolder(tmp_path)
    for step in (1, 2, 3):
        folder.append("log.jsonl", {"step": step})
    with (tmp_path / "log.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('{"step": 4, "rew')
    assert [record["step"] for record in folder.forget_after(2)] == [1, 2]
    assert [record["step"] for record in folder.forget_after(9)] == [1, 2]


def test_a_full_disk_is_one_line_that_says_what_is_left(tmp_path: Path):
    folder = RunFolder(tmp_path)
    (folder.checkpoints / "checkpoint-4").mkdir(parents=True)
    write_manifest(folder.checkpoints / "checkpoint-4", {})
    with (
        pytest.raises(MachineryError, match="the disk is full; checkpoint-4 is complete"),
        disk_errors_explained(folder),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_gpu_is_one_line_that_says_what_to_lower(tmp_path: Path):
    said = "CUDA out of memory. Tried to allocate 304 MiB. GPU 0 has a total capacity of 139 GiB. Process 7 has more."
    with pytest.raises(MachineryError) as caught, memory_errors_explained(64, RunFolder(tmp_path)):
        raise torch.OutOfMemoryError(said)
    assert "micro_batch 64; no checkpoint was complete yet. Go on with" in str(caught.value)
    assert str(caught.value).endswith(
        "(CUDA out of memory. Tried to allocate 304 MiB. GPU 0 has a total capacity of 139 GiB)"
    )
    assert "\n" not in str(caught.value)


class Templated:
    def __init__(self, ending: str) -> None:
        self.ending = ending

    def apply_chat_template(self, chat: Any, **options: Any) -> str:
        return f"user: ?\nassistant: {self.ending}"


def test_a_template_that_opens_the_thinking_is_recognised():
    assert opens_thinking(Templated("<think>\n"), {})
    assert not opens_thinking(Templated(""), {})


def test_a_template_that_closes_the_thinking_is_refused():
    with pytest.raises(InputError, match="closes the thinking"):
        opens_thinking(Templated("<think>\n\n</think>\n\n"), {"enable_thinking": False})


def test_without_a_terminal_the_view_is_plain_lines():
    out = io.StringIO()
    with open_view(out) as view:
        view.step(1, 10, {"reward": 0.5, "num_tokens": 100})
        view.alarm(Alarm("length_drift", 1, "completions went from 10 to 30 tokens"))
        view.step(10, 10, {"reward": 0.75, "num_tokens": 900})
    first, alarm, last = out.getvalue().splitlines()
    assert first.startswith("step 1/10  reward 0.5")
    assert alarm == "step 1  ALARM length_drift: completions went from 10 to 30 tokens"
    assert last.startswith("step 10/10  reward 0.75")
    assert "tokens/s" in last


def test_on_a_terminal_the_view_is_redrawn_in_place():
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    with open_view(out) as view:
        assert not isinstance(view, PlainView)
        view.alarm(Alarm("duplicate_answers", 2, "40% of sets repeat an answer"))
        view.step(3, 10, {"reward": 0.5, "parse/valid": 0.9})
    assert "reward" in out.getvalue()
    assert "duplicate_answers" in out.getvalue()


def test_a_warm_start_needs_enough_different_answers():
    from setwise.training.transcripts import answer_pool

    task = make_task()
    assert answer_pool(task, [], 4) == list(task.answer_names)
    unnamed = replace(task, answer_names=())
    assert answer_pool(unnamed, [Problem("1", "?", ["a", "b"])], 2) == ["a", "b"]
    with pytest.raises(InputError, match="at least 3 different answers"):
        answer_pool(unnamed, [Problem("1", "?", ["a", "b"])], 3)
