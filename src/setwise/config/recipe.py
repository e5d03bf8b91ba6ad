"""The tree of a recipe. Its leaves are the settings that training functions take, so nothing is said twice."""

from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from setwise.errors import InputError
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
    name: str
    path: str | None = None
    """A file, a folder or `hub:OWNER/NAME`."""
    split: str | None = None
    """The task's training split where not given."""
    limit: int | None = None
    """With a seed, a random sample of this size, the same on every machine; without one, the first rows."""
    seed: int | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    """The task's own, such as `regime: inclusive` for the clinic."""

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
    preset: str = "paper"
    weights: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = Field(default_factory=dict)
    """By the name of a reward term (`format`, `correctness`, `calibration`, or your own as `module:name`); the preset's
    where not given. A weight of 0 leaves a term out of the reward and in the log."""

    set_value: SetValue | None = None
    """What the correctness term pays: `sum` for each right answer, `any` for a set with a right one, `vpo` for what its
    best answer is worth to somebody whose wishes are not known yet (docs/credit.md). The preset's where not given."""

    def build(self) -> RewardPreset | str:
        if self.preset not in PRESETS:
            return self.preset
        preset = PRESETS[self.preset]
        if self.set_value not in (None, preset.set_value):
            preset = replace(preset, name=f"{preset.name}-{self.set_value}", set_value=self.set_value)
        return preset.reweighted(self.weights) if self.weights else preset


class ObjectiveSection(Section):
    name: str
    k: int | None = None
    """Candidates per completion: 1 for single, 3 for multi unless given."""
    analysis: bool = True
    think_opened: bool | None = None
    """Whether the chat template writes `<think>` itself; read off the template where not given."""
    sum_to_one: SumToOne = "exclusive"
    prompt: str | None = None
    """A file that replaces the shipped system prompt, relative to the recipe that names it."""

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
        return None if self.prompt is None else read_prompt_file(self.prompt)


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
