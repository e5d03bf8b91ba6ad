"""A model card: what a model was taught, its metrics with intervals, how to ask it, and its limits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from setwise.records.manifest import Lesson, Manifest
from setwise.records.measured import RunMetrics
from setwise.records.training_log import Alarm
from setwise.reports.inputs import ProfileCurves
from setwise.reports.markdown import escape
from setwise.reports.model_card_results import indexed, results
from setwise.reports.model_card_use import how_to_ask, promises

WRITTEN_BY = "<!-- Written by setwise publish"
TOLD_OPTIONS = {
    "task.name": "task",
    "task.split": "split",
    "task.limit": "problems drawn from it",
    "task.seed": "seed of the draw",
    "optimisation.credit": "credit",
    "optimisation.steps": "steps",
    "optimisation.learning_rate": "learning rate",
    "generation.prompts_per_step": "prompts per step",
    "generation.group_size": "completions per prompt",
    "generation.temperature": "temperature",
    "model.lora.rank": "LoRA rank",
}
"""The options of a recipe that a card shows. Paths are left out, since they belong to somebody's machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """Everything on record about a model."""

    name: str
    """Its name for downloads: `OWNER/NAME`, or the name of its folder."""
    manifest: Manifest
    base_model: str
    """Empty if it has no public name."""
    recipe: Mapping[str, Any] = field(default_factory=dict)
    alarms: Sequence[Alarm] = ()
    runs: Mapping[str, RunMetrics] = field(default_factory=dict)
    """Evaluations of this model, by name."""
    splits: Mapping[str, str] = field(default_factory=dict)
    """The split that each run asked, if on record."""
    profile: ProfileCurves | None = None
    license: str = ""
    setwise: str = ""

    @property
    def lesson(self) -> Lesson:
        """The last lesson it was taught."""
        return self.manifest.taught[-1]


def to_card(facts: ModelFacts) -> str:
    """The whole card, with the header that hubs read."""
    parts = [
        f"{_header(facts)}\n{WRITTEN_BY} {facts.setwise}; the same command writes it anew. -->",
        f"# {escape(facts.name.rpartition('/')[2])}",
        _summary(facts),
        "## Results",
        *results(facts.runs, facts.splits),
        how_to_ask(facts.name, facts.manifest, facts.lesson, has_profile=facts.profile is not None),
        *([] if facts.profile is None else ["## Calibrated confidences", *promises(facts.profile)]),
        "## Training",
        _training(facts),
        "## Limits",
        "\n".join(f"- {limit}" for limit in _limits(facts)),
    ]
    return "\n\n".join(parts) + "\n"


def _header(facts: ModelFacts) -> str:
    """YAML, written with a library so that no name can break out of it."""
    import yaml

    objective = facts.lesson.objective
    told: dict[str, Any] = {"library_name": "transformers", "pipeline_tag": "text-generation"}
    if facts.license:
        told["license"] = facts.license
    if facts.base_model:
        told["base_model"] = facts.base_model
    told["tags"] = ["setwise", "answer-sets", "calibration", objective.name]
    if facts.runs:
        entries = [indexed(run, facts.splits.get(name, "")) for name, run in facts.runs.items()]
        told["model-index"] = [{"name": facts.name.rpartition("/")[2], "results": entries}]
    return f"---\n{yaml.safe_dump(told, sort_keys=False, allow_unicode=True)}---"


def _summary(facts: ModelFacts) -> str:
    objective, task = facts.lesson.objective, facts.manifest.task.get("name", "")
    answers = f"sets of {objective.k} answers" if objective.multi else "one answer"
    confidences = ", each with a confidence" if objective.confidences else ""
    base = f"`{facts.base_model}`" if facts.base_model else "A language model"
    on = f" on {escape(task)}" if task else ""
    regime = "at most one of which can be right" if objective.regime == "exclusive" else "several of which can be right"
    several = f" Its questions have answers {regime}." if objective.multi else ""
    return f"{base} trained with {objective.name.upper()}{on}. It replies with {answers}{confidences}.{several}"


def _training(facts: ModelFacts) -> str:
    objective = facts.lesson.objective
    rows = [("objective", objective.name), ("answers per set", str(objective.k)), ("regime", str(objective.regime))]
    rows.append(("reward", ", ".join(f"{name} {weight:g}" for name, weight in objective.preset.weights.items())))
    for path, words in TOLD_OPTIONS.items():
        value: Any = facts.recipe
        for part in path.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if value is not None:
            rows.append((words, str(value)))
    if "step" in facts.manifest.notes and "steps" not in dict(rows):
        rows.append(("steps", str(facts.manifest.notes["step"])))
    if facts.manifest.task.get("fingerprint"):
        rows.append(("fingerprint of the data", str(facts.manifest.task["fingerprint"])))
    rows.append(("setwise", facts.manifest.setwise or facts.setwise))
    lines = ["| | |", "| --- | --- |", *(f"| {escape(name)} | {escape(value)} |" for name, value in rows)]
    return "\n".join(lines)


def _limits(facts: ModelFacts) -> list[str]:
    limits = [
        "The numbers hold for these problems, this prompt and this way of sampling. Intervals cover the choice of "
        "problems, not another training run.",
    ]
    if facts.lesson.objective.confidences:
        limits.append("Confidences were trained on one kind of question; on another kind they may mean little.")
    else:
        limits.append("The model was not trained to state confidences.")
    if facts.profile is not None:
        limits.append(
            "The profile keeps its promise for new questions like those it was learnt from, and for no others."
        )
    limits += [f"While training, step {alarm.step}: {escape(alarm.message)}." for alarm in facts.alarms]
    return [*limits, "Answers can be wrong. Do not act on one of them where that would do harm."]
