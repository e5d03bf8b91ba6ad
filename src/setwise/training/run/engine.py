"""Runs a training job, from the starting model to the trained one."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from setwise.credit import CompletionDecoder, NumberTokens, TokenCrediting, credit_named
from setwise.errors import InputError
from setwise.jobs import TrainingJob
from setwise.models.local_text import end_tokens
from setwise.objectives import Objective
from setwise.prompting import lesson
from setwise.records.manifest import is_complete
from setwise.training.rollout.colocated_vllm import rollout_engine
from setwise.training.rollout.engines import loading_engine
from setwise.training.run.arguments import engine_arguments
from setwise.training.run.broken import hush_engine, note_broken
from setwise.training.run.checks import check_installed, check_job
from setwise.training.run.dataset import training_rows
from setwise.training.run.failures import disk_errors_explained, memory_errors_explained
from setwise.training.run.folder import TrainingFolder
from setwise.training.run.launched import held_by_first, processes_and_rank
from setwise.training.run.manifest import manifest_of_training
from setwise.training.run.policy import (
    hide_progress_bars,
    is_sharded,
    load_model,
    load_tokenizer,
    lora_config,
    save_model,
)
from setwise.training.run.reward import SetReward
from setwise.training.run.start import adapted_objective, after_warm_start
from setwise.training.watch.alarms import AlarmBoard
from setwise.training.watch.listeners import (
    CalibrationWarmup,
    EntropyDecay,
    GracefulStop,
    LastStep,
    LogKeeper,
    ManifestWriter,
    StopAtNaN,
    View,
    as_callback,
)
from setwise.training.watch.trackers import tracking
from setwise.training.watch.view import open_view


@dataclass(frozen=True, slots=True)
class TrainingOutcome:
    """How a run ended."""

    model: Path | None
    """The finished model; None if a signal stopped the run."""
    step: int
    steps: int
    was_finished: bool = False
    """Whether nothing was left to do."""


def train(job: TrainingJob, view: View | None = None) -> TrainingOutcome:
    """Run a job until it ends or a signal stops it. Called again with the same job, it resumes from the last
    checkpoint.

    Without a `view`, progress is shown on stderr.
    """
    processes, rank = processes_and_rank()
    if view is None:
        with open_view(quiet=rank != 0) as shown:
            return train(job, shown)
    check_job(job, processes)
    check_installed(job)
    with held_by_first(job.folder, rank):
        return _train_or_resume(job, view, processes, rank)


def _train_or_resume(job: TrainingJob, view: View, processes: int, rank: int) -> TrainingOutcome:
    folder = TrainingFolder(job.folder)
    if rank == 0:
        folder.open(job.described)
    if is_complete(folder.model):
        return TrainingOutcome(folder.model, job.steps, job.steps, was_finished=True)
    checkpoint = folder.latest_checkpoint()
    if rank == 0:
        folder.remove_incomplete()
    _use_threads(job.run.threads)
    hide_progress_bars()
    hush_engine()
    if rank == 0:
        note_broken(job, view)
    with (
        disk_errors_explained(folder),
        memory_errors_explained(job.optimisation.micro_batch, folder),
        tracking(job.run.tracker, folder.path, speaks=rank == 0),
    ):
        return _train(job, view, processes, checkpoint)


def _train(job: TrainingJob, view: View, processes: int, checkpoint: Path | None) -> TrainingOutcome:
    folder = TrainingFolder(job.folder)
    objective = adapted_objective(job)
    job = after_warm_start(job, objective, view, processes)
    board = AlarmBoard.after(folder.log.forget_after(_step_of(checkpoint)), job.steps)
    trainer = build_trainer(job, objective, processes)
    view.note(f"rollouts: {trainer.rollout_path}; update: {trainer.update_path}")
    taught = [lesson(objective, job.prompt)]
    manifest = manifest_of_training(
        "trained", job.task, taught, job.model, rollouts=trainer.rollout_path, update=trainer.update_path
    )
    if job.run.log_completions and trainer.is_world_process_zero():
        # They may outlive every model of the run, and an audit must know what was asked.
        manifest.write(folder.checkpoints)
    with GracefulStop(job.generation.updates_per_generation) as stop:
        writers = LogKeeper(folder.log, view, board), ManifestWriter(folder.checkpoints, manifest)
        for listener in (stop, *writers, StopAtNaN(job.model.path), LastStep()):
            trainer.add_callback(as_callback(listener))
        trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    step = trainer.state.global_step
    if stop.asked and step < job.steps:
        return TrainingOutcome(None, step, job.steps)
    manifest = replace(manifest, notes={**manifest.notes, "step": step})
    save_model(trainer, folder.model, job.model.dtype, manifest)
    return TrainingOutcome(folder.model, step, job.steps)


def build_trainer(job: TrainingJob, objective: Objective, processes: int = 1) -> Any:
    """The trainer, ready to train: model, data, reward and arguments."""
    from transformers import PrinterCallback

    with loading_engine(job.generation.backend):
        from trl.trainer.grpo_config import GRPOConfig

        from setwise.training.run.trainer import SetTrainer

    # The arguments come first: under ZeRO-3 they decide how the weights are laid out while loading.
    arguments = GRPOConfig(**engine_arguments(job, processes))
    tokenizer, model = load_tokenizer(job.model), load_model(job.model)
    decoder = CompletionDecoder(tokenizer, end_tokens(model, tokenizer))
    reward = _reward(job, objective, decoder)
    with rollout_engine(job.generation, processes, job.model.dtype):
        trainer = SetTrainer(
            model=model,
            reward_funcs=reward,
            args=arguments,
            train_dataset=training_rows(job, objective),
            processing_class=tokenizer,
            peft_config=lora_config(job.model.lora),
            shared_prompt=job.optimisation.shared_prompt,
            confidence_entropy_coef=job.optimisation.confidence_entropy_bonus,
            backend=job.generation.backend,
        )
    if trainer.accelerator.num_processes != processes:
        raise InputError(
            f"{processes} processes were started, and each would train alone",
            place="accelerate",
            remedy="on a CPU, set ACCELERATE_USE_CPU=true",
        )
    if job.model.lora and is_sharded(trainer):
        raise InputError(
            "an adapter cannot be merged into weights that are spread over processes (ZeRO-3, FSDP)",
            place="model.lora",
            remedy="launch with recipes/accelerate/ddp.yaml or zero2.yaml; frozen weights need no more",
        )
    trainer.remove_callback(PrinterCallback)
    if job.optimisation.entropy_decay:
        trainer.add_callback(as_callback(EntropyDecay(trainer)))
    if reward.crediting and reward.crediting.numbers:
        _watch_numbers(trainer, reward.crediting.numbers)
    if job.optimisation.calibration_warmup:
        trainer.add_callback(as_callback(CalibrationWarmup(reward, job.optimisation.calibration_warmup)))
    return trainer


def _reward(job: TrainingJob, objective: Objective, decoder: CompletionDecoder) -> SetReward:
    optimisation = job.optimisation
    credit = credit_named(optimisation.credit, objective, optimisation.later_gain, optimisation.confidence_score)
    crediting = None
    if credit is not None:
        expected = optimisation.confidence_gradient == "expected"
        numbers = NumberTokens(decoder.tokens, decoder.tokenizer.get_vocab()) if expected else None
        crediting = TokenCrediting(objective, credit, decoder.tokens, optimisation.divide_by_std, numbers)
    return SetReward(objective, job.task.matcher, decoder, job.generation.group_size, crediting)


def _watch_numbers(trainer: Any, numbers: NumberTokens) -> None:
    place, remedy = "optimisation.confidence_gradient", "set it to sampled"
    if is_sharded(trainer):
        rule = "expected reads the LM head, and its weights are spread over processes (ZeRO-3, FSDP)"
        raise InputError(rule, place=place, remedy=remedy)
    try:
        trainer.watch([*numbers.texts])
    except InputError as error:
        raise InputError(str(error), place=place, remedy=remedy) from None


def _step_of(checkpoint: Path | None) -> int:
    return 0 if checkpoint is None else int(checkpoint.name.rpartition("-")[2])


def _use_threads(threads: int | None) -> None:
    if threads is not None:
        import torch

        torch.set_num_threads(threads)
