"""Reinforcement with set-valued rewards: TRL's GRPO trainer, configured.

`train(job)` is the whole of it; `check_job` refuses what cannot run before anything heavy is loaded, and
`estimate` says what it will cost. A run folder holds the resolved recipe, the log, the checkpoints and, in the
end, the model with a `setwise.json` beside its weights that says how it was taught to answer.
"""

from setwise.training.engine import Outcome, train
from setwise.training.estimates import Estimate, estimate
from setwise.training.job import TrainingJob, check_installed, check_job
from setwise.training.settings import (
    GenerationSettings,
    LoraSettings,
    ModelSettings,
    OptimisationSettings,
    RunSettings,
    WarmStartSettings,
)

__all__ = [
    "Estimate",
    "GenerationSettings",
    "LoraSettings",
    "ModelSettings",
    "OptimisationSettings",
    "Outcome",
    "RunSettings",
    "TrainingJob",
    "WarmStartSettings",
    "check_installed",
    "check_job",
    "estimate",
    "train",
]
