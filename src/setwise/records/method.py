"""A method as data: which model is meant, which prompt it gets, and how its completions become a set of K answers."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

from setwise.errors import InputError
from setwise.objectives import PAPER_K, Objective, Regime, is_multi, objective_name
from setwise.records.attempt import Construction
from setwise.records.files import Record

Confidence = Literal["none", "written", "prompt", "continue"]
"""Where confidences come from: nowhere (`none`); the model was trained to write them (`written`); it was not, and the
prompt asks for them (`prompt`); it was not, and the tag is appended to each of its answers (`continue`)."""

CONFIDENCES: tuple[Confidence, ...] = ("none", "written", "prompt", "continue")


@dataclass(frozen=True, slots=True)
class Method:
    """A model x a prompt x a way to make a set."""

    name: str
    multi: bool
    """Whether a completion contains the whole set, rather than one answer."""
    trained_as: str = "base"
    """The objective the model was trained with, or `base`. It labels the row of a table and is not checked."""
    construction: Construction = Construction.WRITTEN
    confidence: Confidence = "none"
    k: int = PAPER_K
    samples: int = 1
    """Completions per problem."""
    prompt: str | None = None
    analysis: bool = True
    """Whether rlcr-single asks for an `<analysis>`."""

    def __post_init__(self) -> None:
        if self.confidence not in CONFIDENCES:
            raise InputError(f"confidence is one of {', '.join(CONFIDENCES)}", value=self.confidence)
        for name in ("k", "samples"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError(f"{name} must be a whole number >= 1", value=value, place=f"method {self.name}")
        if self.construction is Construction.SAMPLED and self.samples % self.k:
            raise InputError(
                f"the samples of {self.name} form sets of k = {self.k}, so their number must be a multiple of it",
                value=self.samples,
            )

    def sized(self, k: int | None = None, samples: int | None = None) -> "Method":
        """The same method with another K or another number of completions per problem."""
        size = self.k if k is None else k
        if samples is None:
            samples = size if self.construction is Construction.SAMPLED else self.samples
        return replace(self, k=size, samples=samples)

    def asking(self, confidence: Confidence) -> "Method":
        """The same method with confidences asked for by `prompt` or `continue`."""
        if confidence not in ("prompt", "continue") or self.construction is Construction.VOTED:
            raise InputError("confidences are asked for by prompt or continue, and not of a vote", value=confidence)
        return replace(self, name=f"{self.name}+{confidence}", confidence=confidence)

    def read_objective(self, regime: Regime, *, think_opened: bool = False) -> Objective:
        """The format of the finished completions."""
        return Objective(
            objective_name(multi=self.multi, confidences=self.confidence != "none"),
            self.k if self.multi else None,
            regime=regime,
            analysis=self.analysis and self.confidence != "continue",
            think_opened=think_opened,
        )

    def asked_objective(self, regime: Regime, *, think_opened: bool = False) -> Objective:
        """What the prompt asks for."""
        read = self.read_objective(regime, think_opened=think_opened)
        return read.without_confidences() if self.confidence == "continue" else read

    def to_record(self) -> Record:
        return {**asdict(self), "construction": str(self.construction)}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Method":
        """A method as `to_record` wrote it. Version 1 had the name of the objective instead of `multi`."""
        known = {each.name: record[each.name] for each in fields(cls) if each.name in record}
        if "objective" in record:
            known["multi"] = is_multi(record["objective"])
        return cls(**{**known, "construction": Construction(record["construction"])})
