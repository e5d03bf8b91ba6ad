"""Reinforcement with set-valued rewards: TRL's GRPO trainer, configured.

run/              a job from its checks to its model: folder, arguments, data, reward, trainer, what it will cost
rollout/          where completions come from: engines and their settings
shared_prompt/    each prompt runs once for all of its completions
warm_start/       a supervised stage that teaches the format
watch/            what is logged, what looks wrong, how it is shown

`train(job)` is the whole of it. A run folder holds the resolved recipe, the log, the checkpoints and, in the end, the
model with a `setwise.json` beside its weights that says how it was taught to answer.
"""

from setwise.training.run.checks import check_installed, check_job
from setwise.training.run.cost import Cost, cost_of
from setwise.training.run.engine import TrainingOutcome, train
from setwise.training.run.precision import require_precision

__all__ = ["Cost", "TrainingOutcome", "check_installed", "check_job", "cost_of", "require_precision", "train"]
