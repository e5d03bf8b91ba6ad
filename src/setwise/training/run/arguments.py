"""Translates our settings into TRL's `GRPOConfig`. The paper's recipe needs only stock options."""

from typing import Any

from setwise.jobs import TrainingJob, accumulation_steps
from setwise.training.rollout.engines import backend_arguments
from setwise.training.run.folder import TrainingFolder
from setwise.training.watch.trackers import PROJECT

_SCHEDULES = {"constant": "constant_with_warmup", "linear": "linear", "cosine": "cosine"}


def engine_arguments(job: TrainingJob, processes: int) -> dict[str, Any]:
    """Keyword arguments for `GRPOConfig`."""
    generation, optimisation, run = job.generation, job.optimisation, job.run
    accumulation = accumulation_steps(generation, optimisation, processes)
    return {
        "output_dir": str(TrainingFolder(job.folder).checkpoints),
        "max_steps": job.steps,
        "per_device_train_batch_size": optimisation.micro_batch,
        "gradient_accumulation_steps": accumulation,
        "steps_per_generation": accumulation * generation.updates_per_generation,
        "num_generations": generation.group_size,
        "temperature": generation.temperature,
        "top_p": generation.top_p,
        "top_k": generation.top_k,
        "max_completion_length": generation.max_completion_tokens,
        "chat_template_kwargs": dict(job.model.chat_template_options),
        "shuffle_dataset": False,
        "remove_unused_columns": False,
        "log_completions": run.log_completions,
        "num_completions_to_print": 0,
        **backend_arguments(generation),
        **_update_arguments(job),
        **_upkeep_arguments(job),
    }


def _update_arguments(job: TrainingJob) -> dict[str, Any]:
    optimisation = job.optimisation
    return {
        "learning_rate": optimisation.learning_rate,
        **_schedule(job),
        "weight_decay": optimisation.weight_decay,
        "max_grad_norm": optimisation.max_grad_norm,
        "loss_type": optimisation.loss,
        "scale_rewards": "group" if optimisation.divide_by_std else "none",
        "beta": optimisation.kl_weight,
        "epsilon": optimisation.clip,
        "entropy_coef": optimisation.entropy_bonus,
        "bf16": job.model.dtype == "bfloat16",
        "fp16": job.model.dtype == "float16",
        "gradient_checkpointing": job.model.gradient_checkpointing,
    }


def _schedule(job: TrainingJob) -> dict[str, Any]:
    optimisation = job.optimisation
    # A whole number of steps, and exactly 0 for 0: TRL reads a value below 1 as a fraction.
    rises = round(optimisation.warmup_fraction * job.steps)
    falls = min(round(optimisation.decay_fraction * job.steps), job.steps - rises)
    if not falls:
        return {"warmup_steps": rises, "lr_scheduler_type": _SCHEDULES[optimisation.schedule]}
    shape = {"num_decay_steps": falls, "decay_type": "linear"}
    return {"warmup_steps": rises, "lr_scheduler_type": "warmup_stable_decay", "lr_scheduler_kwargs": shape}


def _upkeep_arguments(job: TrainingJob) -> dict[str, Any]:
    run = job.run
    return {
        "seed": run.seed,
        "logging_steps": run.log_every,
        "save_strategy": "steps",
        "save_steps": run.save_every,
        "save_total_limit": run.keep_checkpoints,
        "report_to": run.tracker,
        "project": PROJECT,
        "run_name": job.folder.name,
        "disable_tqdm": True,
        "dataloader_pin_memory": False,
    }
