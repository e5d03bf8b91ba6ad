"""The embedded task: patients of a made-up clinic whose truth is known, so a model can be compared with the best
possible.

Patient i of a (world, seed, split) is a pure function of those four, and there is no limit to their number.
`world_seed` makes the clinic and `seed` draws the patients, so training and test patients of any seed share one clinic.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from setwise.errors import InputError
from setwise.objectives import Regime
from setwise.questions import Problem
from setwise.tasks.clinic_world import CONDITION_NAMES, FINDING_NAMES, World, make_world, stable_uniforms
from setwise.tasks.task import Task, TaskKind, TaskRequest

SPLITS = ("train", "validation", "test")
DEFAULT_SIZE = 1000
MOST_INCLUSIVE_FINDINGS = 14
INSTRUCTIONS = {
    Regime.EXCLUSIVE: "Answer with the one condition the patient has.",
    Regime.INCLUSIVE: "Answer with conditions that belong in the patient's differential diagnosis.",
}


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the clinic."""

    regime: str = "exclusive"
    """`exclusive`: the one true condition. `inclusive`: the differential of a doctor who sees the full chart."""
    conditions: int = 10
    findings: int = 10
    seen: float = 0.5
    """Probability that a finding is shown."""
    threshold: float = 0.05
    """Posterior at which a condition belongs to the differential (inclusive)."""
    world_seed: int = 0
    list_answers: bool = False
    """List all conditions in the instruction."""

    def __post_init__(self) -> None:
        most_findings = MOST_INCLUSIVE_FINDINGS if self.regime == Regime.INCLUSIVE else len(FINDING_NAMES)
        if self.regime not in list(Regime):
            raise InputError(f"regime must be one of {', '.join(Regime)}", value=self.regime)
        if not 2 <= self.conditions <= len(CONDITION_NAMES):
            raise InputError(f"conditions must be 2 to {len(CONDITION_NAMES)}", value=self.conditions)
        if not 1 <= self.findings <= most_findings:
            raise InputError(f"findings must be 1 to {most_findings} ({self.regime})", value=self.findings)
        for name in ("seen", "threshold"):
            if not 0 < getattr(self, name) <= 1:
                raise InputError(f"{name} must lie in (0, 1]", value=getattr(self, name))
        if self.world_seed < 0:
            raise InputError("world_seed must be at least 0", value=self.world_seed)

    def world(self) -> World:
        return make_world(
            self.world_seed,
            conditions=self.conditions,
            findings=self.findings,
            seen=self.seen,
            regime=Regime(self.regime),
            threshold=self.threshold,
        )


def open_task(request: TaskRequest[Options]) -> Task:
    if request.path is not None:
        raise InputError("the clinic makes its own patients and takes no path", value=request.path)
    world, split = request.options.world(), request.split or SPLITS[0]
    listed = f" Choose from: {', '.join(world.conditions)}." if request.options.list_answers else ""
    return Task(
        name=request.task,
        regime=world.regime,
        instruction=INSTRUCTIONS[world.regime] + listed,
        read=partial(_problems, world, split, request),
        answer_names=world.conditions,
        world=world,
        source="clinic",
    )


def patient(world: World, split: str, seed: int, index: int) -> Problem:
    """Problem `index` of an endless stream. Train and test are different streams."""
    uniforms = stable_uniforms(world.numbers_a_patient, "patient", split, seed, index)
    conditions, charts, states = (drawn[0] for drawn in world.draw(uniforms[None, :]))
    condition = world.conditions[int(conditions)]
    if world.regime is Regime.EXCLUSIVE:
        golds = [condition]
    else:
        belongs = world.differential(charts)
        golds = [name for name, is_in in zip(world.conditions, belongs, strict=True) if is_in]
    return Problem(
        id=f"clinic-{split}-{seed}-{index}",
        question=world.question(states),
        golds=golds,
        meta={"condition": condition},
    )


def _problems(world: World, split: str, request: TaskRequest[Options]) -> Iterator[Problem]:
    for index in range(request.limit or DEFAULT_SIZE):
        yield patient(world, split, request.seed or 0, index)


CLINIC = TaskKind(
    "patients of a made-up clinic whose exact posterior is known; needs no files", open_task, SPLITS, Options
)
