"""How a model is asked: as it was trained, by the manifest next to its weights, or as the user chooses."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from setwise.errors import InputError
from setwise.home import at_home
from setwise.matching import Matcher, exact, named
from setwise.models import KINDS, Message, Sampling, folder_of, is_served
from setwise.models.model_path import MARKS_OF_A_MODEL, nearest_folder
from setwise.objectives import Objective, Regime
from setwise.prompting import lesson
from setwise.records.manifest import Lesson, Manifest, manifest_in, manifest_of, model_folders

DEFAULT_OBJECTIVE = "rlcr-multi"
DRAWN = ("temperature", "top_p", "max_tokens")
"""What may be chosen about the sampling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Everything that determines what a model is asked, and how its completion is read."""

    objective: Objective
    system_prompt: str
    instruction: str = ""
    """The task's sentence about the kind of answer wanted; it comes before the question."""
    sampling: Sampling = field(default_factory=Sampling)
    template_options: Mapping[str, Any] | None = None
    matcher: Matcher = exact
    """Decides which answers of several samples are the same."""

    def messages(self, question: str) -> list[Message]:
        """As in `prompting.messages`, but with the prompt already filled in, since a server does this a thousand
        times."""
        asked = f"{self.instruction}\n\n{question}" if self.instruction else question
        return [{"role": "system", "content": self.system_prompt}, {"role": "user", "content": asked}]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What a user may choose about the asking. The manifest decides the rest."""

    objective: str | None = None
    k: int | None = None
    regime: Regime | str | None = None
    instruction: str | None = None
    prompt: str | None = None
    """The user's own system prompt, with its marks."""
    taught_as: str | Path | None = None
    """Ask as this run or model was trained, for a served model that has no manifest."""
    think_opened: bool = False
    matcher: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None

    @property
    def sampling(self) -> Sampling:
        given = {name: getattr(self, name) for name in DRAWN}
        return Sampling(**{name: value for name, value in given.items() if value is not None})


def how_to_ask(spec: str, choices: Choices, regime: Regime = Regime.INCLUSIVE) -> Asking:
    """How to ask a model: by its manifest if there is one, except where `choices` differ. `regime` is for a model of
    which neither says it."""
    manifest = _manifest(spec, choices.taught_as)
    taught = _lesson(manifest, choices)
    if taught is not None and choices.prompt is None and _same_set(taught.objective, choices):
        objective, prompt = taught.objective, taught.system_prompt
    else:
        said = choices.regime or manifest.task.get("regime") or regime
        base = taught.objective if taught else Objective(choices.objective or DEFAULT_OBJECTIVE, regime=said)
        objective = _changed(base, choices)
        own = choices.prompt if choices.prompt is not None else (taught.prompt if taught else None)
        prompt = lesson(objective, own).system_prompt
    # A model in this process reads the template options from its own manifest.
    told = choices.taught_as is not None or is_served(spec)
    return Asking(
        objective=objective,
        system_prompt=prompt,
        instruction=manifest.instruction if choices.instruction is None else choices.instruction,
        sampling=choices.sampling,
        template_options=dict(manifest.chat_template_options) if told and manifest.chat_template_options else None,
        matcher=named(choices.matcher or manifest.task.get("matcher") or "exact"),
    )


def spec_of_folder(model: str) -> str:
    """A spec for `open_model`: specs are returned unchanged, a folder becomes the model in it.

    A training run has its model in `model`; an unfinished one has its last complete checkpoint.
    """
    if model.partition(":")[0] in KINDS:
        return model
    place = Path(at_home(model))
    if not place.is_dir():
        kinds = ", ".join(f"{each}:..." for each in KINDS)
        raise InputError(
            f"a model is a run folder, a model folder or one of {kinds}", value=model, remedy=nearest_folder(model)
        )
    for folder in model_folders(place):
        if _holds_weights(folder):
            return f"hf:{folder}"
    rule = "no model lies in this folder"
    raise InputError(rule, place=model, remedy="name a run folder of setwise train, or the model folder in it")


def _holds_weights(folder: Path) -> bool:
    """A run of `setwise eval` has a config.json too, but no tokenizer."""
    return any((folder / mark).is_file() for mark in MARKS_OF_A_MODEL) and not (folder / "samples.jsonl").exists()


def _manifest(spec: str, taught_as: str | Path | None) -> Manifest:
    if taught_as is not None:
        return manifest_in(taught_as)
    folder = folder_of(spec)
    return manifest_of(folder) if folder else Manifest()


def _lesson(manifest: Manifest, choices: Choices) -> Lesson | None:
    """The lesson asked for, else the richest one that was taught."""
    if choices.objective is not None:
        return manifest.lesson(choices.objective)
    return max(manifest.taught, key=_richness, default=None)


def _richness(taught: Lesson) -> tuple[bool, bool]:
    return (taught.objective.multi, taught.objective.confidences)


def _same_set(taught: Objective, choices: Choices) -> bool:
    asked = _changed(taught, choices)
    return (asked.k, asked.regime) == (taught.k, taught.regime)


def _changed(objective: Objective, choices: Choices) -> Objective:
    changes: dict[str, Any] = {}
    if choices.k is not None:
        changes["k"] = choices.k
    if choices.regime is not None:
        changes["regime"] = choices.regime
    if choices.think_opened:
        changes["think_opened"] = True
    return replace(objective, **changes) if changes else objective
