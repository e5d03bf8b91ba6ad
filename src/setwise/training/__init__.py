"""Reinforcement learning with set-valued rewards: TRL's GRPO trainer, configured.

run/              a job from its checks to its model: folder, arguments, data, reward, trainer, cost estimate
rollout/          where completions come from: engines and their settings
shared_prompt/    computes each prompt once for all of its completions
warm_start/       a supervised stage that teaches the format
watch/            what is logged, what looks wrong, how it is shown

`train(job)` does all of it. A run folder has the resolved recipe, the log, the checkpoints and, at the end, the model.
The `setwise.json` next to its weights records how the model was trained to answer.
"""

from setwise.training.run.checks import check_installed, check_job
from setwise.training.run.cost import Cost, cost_of
from setwise.training.run.engine import TrainingOutcome, train
from setwise.training.run.precision import require_precision
from setwise.training.run.start import shared_start
from setwise.training.warm_start.word_model import small_model

__all__ = [
    "Cost",
    "TrainingOutcome",
    "check_installed",
    "check_job",
    "cost_of",
    "require_precision",
    "shared_start",
    "small_model",
    "train",
]
