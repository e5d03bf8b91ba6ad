"""The sections of a recipe. Their leaves are the settings that training functions take, so each option is defined
once."""

from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from setwise.errors import InputError
from setwise.home import at_home
from setwise.jobs import TrainingJob
from setwise.objectives import PRESETS, Objective, Regime, RewardPreset, SetValue, SumToOne
from setwise.prompting import read_prompt_file
from setwise.settings import (
    GenerationSettings,
    ModelSettings,
    OptimisationSettings,
    RunSettings,
    WarmStartSettings,
)
from setwise.tasks import Task, load_task


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class TaskSection(Section):
    """Which problems to train on."""

    name: str
    """A task's name, such as `ddxplus` or `jsonl`, or your own as `module:name`."""
    path: str | None = None
    """The task's data: a file, a folder or `hub:OWNER/NAME`. The `clinic` needs none."""
    split: str | None = None
    """Which split to train on. By default, the task's training split."""
    limit: int | None = None
    """Use this many problems: a random sample if `seed` is given, else the first ones."""
    seed: int | None = None
    """Seed of that sample, which is the same on every machine. Tasks that draw or change problems at random use it
    too."""
    options: dict[str, Any] = Field(default_factory=dict)
    """The task's own options, such as `regime: inclusive` for the clinic."""

    @field_validator("options")
    @classmethod
    def _are_the_tasks_own(cls, options: dict[str, Any]) -> dict[str, Any]:
        for name in options:
            if name in cls.model_fields:
                raise InputError(f"{name} is not one of the task's own", remedy=f"set task.{name}")
        return options

    def load(self) -> Task:
        return load_task(self.name, path=self.path, split=self.split, limit=self.limit, seed=self.seed, **self.options)


class RewardSection(Section):
    """How completions are rewarded."""

    preset: str = "paper"
    """`paper` is the reward as published, `released` that of the authors' code (docs/concepts/rewards.md)."""
    weights: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = Field(default_factory=dict)
    """Weights that replace the preset's, by reward term: `format`, `correctness`, `calibration`, or your own as
    `module:name`. A term with weight 0 is logged but not paid."""

    set_value: SetValue | None = None
    """What the correctness term pays: `sum` counts the right answers; `any` pays 1 if one is right; `vpo` is what the
    best answer is worth to a user whose preferences are not known yet (docs/concepts/credit.md). By default, the preset
    decides."""

    def build(self) -> RewardPreset | str:
        if self.preset not in PRESETS:
            return self.preset
        preset = PRESETS[self.preset]
        if self.set_value not in (None, preset.set_value):
            preset = replace(preset, name=f"{preset.name}-{self.set_value}", set_value=self.set_value)
        return preset.reweighted(self.weights) if self.weights else preset


class ObjectiveSection(Section):
    """What each completion must contain."""

    name: str
    """`rlvr-single`, `rlcr-single`, `rlvr-multi` or `rlcr-multi`."""
    k: int | None = None
    """Answers per completion: 1 for single objectives, by default 3 for multi."""
    analysis: bool = True
    """Whether to ask for an `<analysis>` where the preset has one: in `rlcr-single`, and with `released` also in
    `rlcr-multi`."""
    think_opened: bool | None = None
    """Whether the chat template writes `<think>` itself. By default, setwise reads this from the template."""
    sum_to_one: SumToOne = "exclusive"
    """When the prompt asks for confidences that sum to at most 1: `exclusive` where only one answer can be right,
    `always` as in the paper's prompt."""
    prompt: str | None = None
    """A file that replaces the shipped system prompt. The path is relative to the recipe."""

    def build(self, regime: Regime, preset: RewardPreset | str) -> Objective:
        return Objective(
            self.name,
            self.k,
            regime=regime,
            preset=preset,
            analysis=self.analysis,
            think_opened=bool(self.think_opened),
            sum_to_one=self.sum_to_one,
        )

    def read_prompt(self) -> str | None:
        return None if self.prompt is None else read_prompt_file(at_home(self.prompt))


class Recipe(Section):
    """Everything one training run needs."""

    task: TaskSection
    model: ModelSettings
    objective: ObjectiveSection
    reward: RewardSection = RewardSection()
    warm_start: WarmStartSettings | None = None
    generation: GenerationSettings = GenerationSettings()
    optimisation: OptimisationSettings = OptimisationSettings()
    run: RunSettings

    def to_plain(self) -> dict[str, Any]:
        """The recipe with every default spelled out, as plain data."""
        return self.model_dump(mode="json")

    def job(self) -> TrainingJob:
        """What the recipe describes, with its task opened and its objective checked against it."""
        task = self.task.load()
        return TrainingJob(
            task=task,
            objective=self.objective.build(task.regime, self.reward.build()),
            model=self.model,
            run=self.run,
            generation=self.generation,
            optimisation=self.optimisation,
            warm_start=self.warm_start,
            prompt=self.objective.read_prompt(),
            think_opened=self.objective.think_opened,
            described=self.to_plain(),
        )
