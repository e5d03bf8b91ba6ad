"""Credit in an engine that trains a recipe, with a note if it differs from the recipe's."""

from setwise.adapters.credit_rule import CreditRule
from setwise.credit import credit_named
from setwise.errors import InputError
from setwise.jobs import TrainingJob

PER_TOKEN = {
    "verifiers": "prime-rl pays single answers with setwise.adapters.prime_rl, and whole completions without it",
    "skyrl": "SkyRL pays single answers with setwise.adapters.skyrl_entry, and whole completions without it",
}
"""The engines that take one advantage per token, and what that requires."""


def credit_of(job: TrainingJob) -> CreditRule | None:
    """The credit rule stored in each row; None for the paper's, which every engine has."""
    optimisation = job.optimisation
    try:
        credit = credit_named(
            optimisation.credit, job.objective, optimisation.later_gain, optimisation.confidence_score
        )
    except InputError as error:
        raise error.at("optimisation.credit") from None
    return credit and CreditRule(
        optimisation.credit, optimisation.later_gain, optimisation.divide_by_std, optimisation.confidence_score
    )


def credit_notes(job: TrainingJob, engine: str) -> list[str]:
    """Notes to print about it."""
    optimisation, notes = job.optimisation, []
    if optimisation.credit != "completion":
        elsewhere = f"{engine} takes one number for a completion, so its credit stays per completion; per token: "
        how = PER_TOKEN.get(engine, elsewhere + ", ".join(("setwise train", *PER_TOKEN)))
        notes.append(f"optimisation.credit is {optimisation.credit}: {how} (docs/how-to/engines.md)")
    if optimisation.confidence_gradient != "sampled":
        notes.append(f"{engine} learns from the numbers that it samples; confidence_gradient is not carried over")
    if optimisation.confidence_entropy_bonus:
        notes.append(f"{engine} has no entropy bonus for confidences; confidence_entropy_bonus is not carried over")
    if optimisation.calibration_warmup:
        notes.append(f"{engine} has no warm-up for the calibration term; calibration_warmup is not carried over")
    return notes
