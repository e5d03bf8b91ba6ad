"""The whole trainer on a tiny model: it learns, it survives, and what it leaves behind can be evaluated."""

import json
import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from setwise.errors import InputError
from setwise.jobs import TrainingJob
from setwise.models import Completion, Request, Sampling, open_model
from setwise.objectives import OBJECTIVES
from setwise.prompting import messages
from setwise.records.holding import held
from setwise.records.manifest import Manifest
from setwise.records.training_log import Alarm
from setwise.scoring import score
from setwise.settings import LoraSettings, WarmStartSettings
from setwise.training import TrainingOutcome, train
from setwise.training.run.folder import TrainingFolder
from tests.training.tiny_clinic import THINKING, make_job, model_settings


class Watcher:
    """A view that remembers, and that can make trouble at a given step."""

    def __init__(self, trouble: Mapping[int, Callable[[], None]] | None = None) -> None:
        self.notes: list[str] = []
        self.rewards: list[float] = []
        self.metrics: list[Mapping[str, float]] = []
        self.trouble = trouble or {}

    def note(self, text: str) -> None:
        self.notes.append(text)

    def step(self, step: int, steps: int, metrics: Mapping[str, float]) -> None:
        self.rewards.append(metrics["reward"])
        self.metrics.append(metrics)
        if step in self.trouble:
            self.trouble[step]()

    def alarm(self, alarm: Alarm) -> None: ...


class Killed(Exception):
    """Stands in for kill -9: nothing after it runs."""


def kill() -> None:
    raise Killed


def run(job: TrainingJob, watcher: Watcher | None = None) -> TrainingOutcome:
    return train(job, watcher or Watcher())


def weights(folder: Path | None) -> dict[str, Any]:
    from safetensors.torch import load_file

    assert folder is not None
    return load_file(folder / "model.safetensors")


def assert_same(first: Mapping[str, Any], second: Mapping[str, Any]) -> None:
    assert first.keys() == second.keys()
    for name, tensor in first.items():
        assert tensor.equal(second[name]), name


ONE_QUICKLY = [name if name == "rlcr-multi" else pytest.param(name, marks=pytest.mark.slow) for name in OBJECTIVES]


@pytest.mark.parametrize("name", ONE_QUICKLY)
def test_each_objective_learns(name: str, start: Path, tmp_path: Path):
    watcher = Watcher()
    job = make_job(start, tmp_path / "run", name)
    job = replace(
        job,
        optimisation=replace(
            job.optimisation, steps=60 if name.endswith("single") else 30, micro_batch=128, learning_rate=2e-3
        ),
        generation=replace(job.generation, prompts_per_step=16),
        run=replace(job.run, save_every=100),
    )
    run(job, watcher)
    first, last = watcher.rewards[:10], watcher.rewards[-10:]
    noise = (stdev(first) ** 2 / 10 + stdev(last) ** 2 / 10) ** 0.5
    assert fmean(last) - fmean(first) > 4 * noise, (fmean(first), fmean(last), noise)


def test_a_run_that_was_stopped_and_killed_ends_like_one_that_was_not(start: Path, tmp_path: Path):
    plain = run(make_job(start, tmp_path / "plain"))
    job = make_job(start, tmp_path / "tried")
    stopped = run(job, Watcher({2: lambda: os.kill(os.getpid(), signal.SIGTERM)}))
    assert (stopped.model, stopped.step) == (None, 3)
    with pytest.raises(Killed):
        run(job, Watcher({6: kill}))
    # Killed at step 6 before anything of it was saved; checkpoint 4 is the last complete one.
    latest = TrainingFolder(job.folder).latest_checkpoint()
    assert latest is not None
    assert latest.name == "checkpoint-4"
    finished = run(job)
    assert_same(weights(plain.model), weights(finished.model))
    logged = [json.loads(line)["step"] for line in (job.folder / "log.jsonl").read_text().splitlines()]
    assert logged == [1, 2, 3, 4, 5, 6]
    assert run(job).was_finished


def test_two_trainings_do_not_share_a_folder(start: Path, tmp_path: Path):
    job = make_job(start, tmp_path / "run")
    with held(job.folder), pytest.raises(InputError, match=f"^{job.folder}: another process is writing here"):
        run(job)
    assert not any(job.folder.iterdir())


def test_several_updates_on_one_generation_resume_at_its_end(start: Path, tmp_path: Path):
    def job(folder: str) -> TrainingJob:
        made = make_job(start, tmp_path / folder)
        return replace(made, generation=replace(made.generation, updates_per_generation=2))

    plain = run(job("plain"))
    stopped = run(job("tried"), Watcher({3: lambda: os.kill(os.getpid(), signal.SIGTERM)}))
    assert stopped.step == 4
    assert_same(weights(plain.model), weights(run(job("tried")).model))


def test_a_finished_model_says_how_it_was_taught_and_answers_that_way(start: Path, tmp_path: Path):
    job = make_job(start, tmp_path / "run", "rlcr-multi")
    model = run(job).model
    assert model is not None
    manifest = Manifest.read(model)
    assert manifest is not None
    [taught] = manifest.taught
    assert taught.objective == job.objective
    assert manifest.task["fingerprint"] == job.task.fingerprint
    assert answers_validly(model, job, taught.prompt)


def test_lora_ends_in_a_whole_model_that_evaluates(start: Path, tmp_path: Path):
    job = make_job(start, tmp_path / "run", model=model_settings(start, lora=LoraSettings(rank=4)))
    model = run(job).model
    assert model is not None
    assert not (model / "adapter_config.json").exists()
    before, after = weights(start), weights(model)
    assert before.keys() == after.keys()
    assert any(not tensor.equal(after[name]) for name, tensor in before.items())
    assert answers_validly(model, job, job.prompt)


def answers_validly(model: Path, job: TrainingJob, prompt: str | None) -> bool:
    """Whether most answers are in the right format: a model that forgot it would give nearly none."""
    asked = [
        messages(p.question, job.objective, instruction=job.task.instruction, prompt=prompt) for p in job.problems[:128]
    ]
    requests = [Request(chat, Sampling(temperature=1.0, max_tokens=40)) for chat in asked]
    replies = list(open_model(f"hf:{model}", at_once=128).complete(requests))
    texts = [reply.text for _, reply in replies if isinstance(reply, Completion)]
    valid = [score(text, job.problems[0], job.objective).strictly_valid for text in texts]
    return sum(valid) > len(valid) / 2


def test_a_warm_start_is_made_once_and_comes_before_the_first_step(start: Path, tmp_path: Path):
    job = make_job(start, tmp_path / "run", "rlvr-single")
    lesson = WarmStartSettings(steps=40, batch=32, learning_rate=1e-2, thinking=THINKING, imitation=1.0)
    job = replace(job, warm_start=lesson)
    watcher = Watcher({2: kill})
    with pytest.raises(Killed):
        run(job, watcher)
    made = (TrainingFolder(job.folder).warm_start / "setwise.json").stat().st_mtime_ns
    run(job)
    assert (TrainingFolder(job.folder).warm_start / "setwise.json").stat().st_mtime_ns == made
    # Golds of this clinic are what the findings make likely: imitation knows more than one in four.
    assert watcher.metrics[0]["pass_at_1"] > 0.35


def test_every_completion_is_written_down_with_its_answers_and_labels(start: Path, tmp_path: Path):
    import pandas

    job = make_job(start, tmp_path / "run", "rlcr-multi")
    short = replace(job.optimisation, steps=1)
    run(replace(job, optimisation=short, run=replace(job.run, log_completions=True)))
    [file] = (job.folder / "checkpoints" / "completions").glob("*.parquet")
    table = pandas.read_parquet(file)
    assert len(table) == job.generation.completions_per_step
    assert {"answers", "labels", "confidences", "verdict", "setwise"} <= set(table.columns)
    assert list(file.parent.iterdir()) == [file], "a reader of the whole folder expects Parquet alone"
    beside = Manifest.read(job.folder / "checkpoints")
    assert beside is not None
    [taught] = beside.taught
    assert (taught.objective, taught.system_prompt) == (job.objective, table["prompt"][0][0]["content"])
    assert beside.task["matcher"] == "exact"


@pytest.mark.parametrize(("shared", "path"), [(True, "shared prompt"), (False, "stock (switched off)")])
def test_a_run_says_which_update_it_took(shared: bool, path: str, start: Path, tmp_path: Path):
    job = make_job(start, tmp_path / "run")
    assert job.optimisation.shared_prompt
    watcher = Watcher()
    model = run(replace(job, optimisation=replace(job.optimisation, steps=1, shared_prompt=shared)), watcher).model
    assert model is not None
    manifest = Manifest.read(model)
    assert manifest is not None
    assert manifest.notes["update"].startswith(path)
    assert f"rollouts: shared prompt; update: {manifest.notes['update']}" in watcher.notes
    [logged] = [json.loads(line) for line in (job.folder / "log.jsonl").read_text().splitlines()]
    assert logged["update/shared_prompt"] == shared
    assert logged["update/token_share"] < 0.5 if shared else logged["update/token_share"] == 1


def test_a_tracker_gets_the_reward_terms_in_the_run_folder(start: Path, tmp_path: Path):
    pytest.importorskip("tensorboard")
    job = make_job(start, tmp_path / "run")
    run(replace(job, optimisation=replace(job.optimisation, steps=1), run=replace(job.run, tracker="tensorboard")))
    [events] = (tmp_path / "run" / "tensorboard").glob("events.out.tfevents*")
    assert b"reward/correctness" in events.read_bytes()
    assert "TENSORBOARD_LOGGING_DIR" not in os.environ


def test_wandb_without_a_login_is_refused_before_anything_is_loaded(
    start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    wandb = pytest.importorskip("wandb")
    for name in ("WANDB_MODE", "WANDB_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    job = make_job(start, tmp_path / "run")
    with pytest.raises(InputError, match="WANDB_MODE=offline needs no login"):
        run(replace(job, run=replace(job.run, tracker="wandb")))
    assert not (job.folder / "log.jsonl").exists()
    # It reads its variables once per process.
    wandb.teardown()


def test_a_wandb_run_is_written_into_the_run_folder_and_ends_with_it(
    start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    wandb = pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    job = make_job(start, tmp_path / "run")
    run(replace(job, optimisation=replace(job.optimisation, steps=1), run=replace(job.run, tracker="wandb")))
    [written] = (tmp_path / "run" / "wandb").glob("offline-run-*/*.wandb")
    assert b"reward/correctness" in written.read_bytes()
    assert wandb.run is None
