"""The command with which verl 0.9 trains a recipe, and the remaining differences."""

import json
import shlex
from dataclasses import dataclass
from math import ceil, gcd
from pathlib import Path
from typing import Any

from setwise.adapters.export.data import Exported
from setwise.errors import InputError
from setwise.jobs import TrainingJob

LOSSES = {
    "bnpo": "token-mean",
    "dapo": "token-mean",
    "grpo": "seq-mean-token-mean",
    "dr_grpo": "seq-mean-token-sum-norm",
}
NOT_BNPO = (
    "verl has no BNPO: its token-mean divides by the tokens of the whole mini-batch over all GPUs (DAPO), where BNPO "
    "divides by those of each micro-batch. The gradients differ in how long and short completions weigh."
)
FEWEST_CHARACTERS_PER_TOKEN = 2
"""Fewer than text has, to leave ample room for prompts. verl stops at a prompt that does not fit."""
PROMPT_STEP = 256
MOST_ROWS = 4
"""verl runs a prompt with each of its completions and holds their logits, so it gets few rows at a time, whatever
`optimisation.micro_batch` is. Its losses do not depend on that."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The machines that verl runs on."""

    nodes: int = 1
    gpus_per_node: int = 8


def check_verl(job: TrainingJob) -> None:
    """Refuse what verl cannot do, before anything is written."""
    generation, schedule = job.generation, job.optimisation.schedule
    if job.model.revision is not None and not Path(job.model.location).is_dir():
        raise InputError(
            "verl loads a model of the hub as it is now",
            place="model.revision",
            value=job.model.revision,
            remedy="download that revision, and set model.path to its folder",
        )
    if schedule not in ("constant", "cosine"):
        raise InputError("verl knows the schedules constant and cosine", place="optimisation.schedule", value=schedule)
    if decay := job.optimisation.decay_fraction:
        raise InputError(
            "verl keeps a constant rate to the end",
            place="optimisation.decay_fraction",
            value=decay,
            remedy="set it to 0, or optimisation.schedule to cosine",
        )
    if generation.prompts_per_step % generation.updates_per_generation:
        raise InputError(
            "verl counts mini-batches in prompts, so generation.updates_per_generation must divide prompts_per_step",
            value=generation.updates_per_generation,
        )


def verl_notes(job: TrainingJob) -> list[str]:
    """What the command cannot express in verl's options."""
    notes = [NOT_BNPO] if job.optimisation.loss == "bnpo" else []
    if job.warm_start is not None:
        notes.append("verl has no warm start: train the format first with `setwise train`, or leave it out")
    if job.optimisation.entropy_decay:
        notes.append("verl keeps the entropy bonus constant; entropy_decay is not carried over")
    return notes


def verl_flags(job: TrainingJob, exported: Exported, cluster: Cluster) -> dict[str, object]:
    """verl's options with the recipe's values. Its steps are batches of completions, ours are updates."""
    generation, optimisation = job.generation, job.optimisation
    folder = exported.folder.resolve()
    rollouts = job.steps // generation.updates_per_generation
    between_checkpoints = ceil(job.run.save_every / generation.updates_per_generation)
    return {
        "data.train_files": folder / "train.parquet",
        "data.val_files": folder / "val.parquet",
        "data.train_batch_size": generation.prompts_per_step,
        "data.max_prompt_length": _room_for_prompts(exported.longest_prompt),
        "data.max_response_length": generation.max_completion_tokens,
        "data.seed": job.run.seed,
        "data.truncation": "error",
        **_template_flags(job),
        "reward.custom_reward_function.path": folder / "reward.py",
        "reward.custom_reward_function.name": "compute_score",
        "algorithm.adv_estimator": "grpo",
        "algorithm.norm_adv_by_std_in_grpo": optimisation.divide_by_std,
        "algorithm.use_kl_in_reward": False,
        **_model_flags(job),
        **_actor_flags(job),
        "actor_rollout_ref.rollout.name": "vllm",
        "actor_rollout_ref.rollout.n": generation.group_size,
        "actor_rollout_ref.rollout.temperature": generation.temperature,
        "actor_rollout_ref.rollout.top_p": generation.top_p,
        "actor_rollout_ref.rollout.top_k": generation.top_k or -1,
        "actor_rollout_ref.rollout.tensor_model_parallel_size": generation.vllm_tensor_parallel,
        "actor_rollout_ref.rollout.gpu_memory_utilization": generation.vllm_memory_share,
        "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu": _rows(job),
        "trainer.total_epochs": _epochs(rollouts, exported.rows, generation.prompts_per_step),
        "trainer.total_training_steps": rollouts,
        "trainer.save_freq": between_checkpoints,
        "trainer.val_before_train": False,
        "trainer.test_freq": between_checkpoints,
        "trainer.project_name": "setwise",
        "trainer.experiment_name": job.folder.name,
        "trainer.logger": '["console"]',
        "trainer.nnodes": cluster.nodes,
        "trainer.n_gpus_per_node": cluster.gpus_per_node,
    }


def verl_command(flags: dict[str, object], notes: list[str]) -> str:
    """The options as a script, with the notes above them."""
    comments = "".join(f"# {note}\n" for note in notes)
    options = " \\\n".join(f"  {shlex.quote(f'{name}={_spelled(value)}')}" for name, value in flags.items())
    return f'#!/bin/sh\n{comments}exec python3 -m verl.trainer.main_ppo \\\n{options} \\\n  "$@"\n'


def _model_flags(job: TrainingJob) -> dict[str, object]:
    lora = job.model.lora
    flags: dict[str, object] = {
        "actor_rollout_ref.model.path": job.model.location,
        "actor_rollout_ref.model.enable_gradient_checkpointing": job.model.gradient_checkpointing,
        "actor_rollout_ref.model.trust_remote_code": job.model.trust_remote_code,
    }
    if lora is None:
        return flags
    targets = lora.targets if isinstance(lora.targets, str) else json.dumps(lora.targets)
    return flags | {
        "actor_rollout_ref.model.lora_rank": lora.rank,
        "actor_rollout_ref.model.lora_alpha": lora.alpha,
        "actor_rollout_ref.model.target_modules": targets,
    }


def _actor_flags(job: TrainingJob) -> dict[str, object]:
    generation, optimisation = job.generation, job.optimisation
    actor = {
        "strategy": "fsdp2",
        "ppo_mini_batch_size": generation.prompts_per_step // generation.updates_per_generation,
        "ppo_micro_batch_size_per_gpu": _rows(job),
        "loss_agg_mode": LOSSES[optimisation.loss],
        "clip_ratio": optimisation.clip,
        "clip_ratio_low": optimisation.clip,
        "clip_ratio_high": optimisation.clip,
        "use_kl_loss": optimisation.kl_weight > 0,
        "kl_loss_coef": optimisation.kl_weight,
        "entropy_coeff": optimisation.entropy_bonus,
        "optim.lr": optimisation.learning_rate,
        "optim.lr_scheduler_type": optimisation.schedule,
        "optim.lr_warmup_steps_ratio": optimisation.warmup_fraction,
        "optim.weight_decay": optimisation.weight_decay,
        "optim.clip_grad": optimisation.max_grad_norm,
    }
    return {f"actor_rollout_ref.actor.{name}": value for name, value in actor.items()}


def _template_flags(job: TrainingJob) -> dict[str, object]:
    options = job.model.chat_template_options
    return {f"+data.apply_chat_template_kwargs.{name}": _in_hydra(value) for name, value in options.items()}


def _rows(job: TrainingJob) -> int:
    """A divisor of the micro-batch, so that it divides each GPU's share too."""
    return gcd(job.optimisation.micro_batch, MOST_ROWS)


def _epochs(rollouts: int, rows: int, prompts: int) -> int:
    """As many as the steps need. verl ends with its epochs, and leaves out the rows that do not fill a step."""
    return ceil(rollouts / max(1, rows // prompts))


def _room_for_prompts(characters: int) -> int:
    return -(-characters // FEWEST_CHARACTERS_PER_TOKEN // PROMPT_STEP) * PROMPT_STEP


def _in_hydra(value: Any) -> str:
    """Hydra's grammar is JSON, except that keys have no quotes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_in_hydra(own)}" for name, own in value.items()) + "}"
    return json.dumps(value)


def _spelled(value: object) -> str:
    return str(value) if not isinstance(value, bool) else "True" if value else "False"
