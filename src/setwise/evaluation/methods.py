"""A method is data: which model is meant, which prompt it gets, and how its completions become a set of K answers."""

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal

from setwise.errors import InputError
from setwise.evaluation.attempts import Construction
from setwise.objectives import PAPER_K, Objective, Regime

Confidence = Literal["none", "written", "prompt", "continue"]
"""Where confidences come from: nowhere; the model was trained to write them; it was not, and the prompt asks all the
same; it was not, and the tag is forced behind each of its own answers."""

CONFIDENCES: tuple[Confidence, ...] = ("none", "written", "prompt", "continue")
VOTES = 10

VERBALISED_SAMPLING_PROMPT = """\
Think of everything that could be a right answer to the question, and of how probable each one is. Do not give only the
answer you like best: draw {K} different answers from that whole distribution, the unlikely ones included, and state
for each the probability that it is right.

First reason inside the think tags. Then write the {K} answers with their probabilities. {SUM_RULE}Write exactly this,
and nothing outside of the tags:

{FORMAT}
"""


@dataclass(frozen=True, slots=True)
class Method:
    """A model x a prompt x a way to make a set."""

    name: str
    objective: str
    """The format the completions are read in, and (but for `continue`) the prompt."""
    trained_as: str = "base"
    """The objective the model was trained with, or `base`; what the row of a table means, not what is checked."""
    construction: Construction = Construction.WRITTEN
    confidence: Confidence = "none"
    k: int = PAPER_K
    samples: int = 1
    """Completions per problem."""
    prompt: str | None = None
    analysis: bool = True
    """Whether rlcr-single is asked for an `<analysis>`."""

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
        """The same method with confidences asked for as `prompt` or `continue`."""
        if confidence not in ("prompt", "continue") or self.construction is Construction.VOTED:
            raise InputError("confidences are asked for by prompt or continue, and not of a vote", value=confidence)
        objective = self.objective.replace("rlvr", "rlcr")
        return replace(self, name=f"{self.name}+{confidence}", objective=objective, confidence=confidence)

    def asked_objective(self, regime: Regime, *, think_opened: bool = False) -> Objective:
        """What the prompt asks for."""
        name = self.objective.replace("rlcr", "rlvr") if self.confidence == "continue" else self.objective
        return self._objective(name, regime, think_opened)

    def read_objective(self, regime: Regime, *, think_opened: bool = False) -> Objective:
        """The format the finished completions are in."""
        return self._objective(self.objective, regime, think_opened)

    def _objective(self, name: str, regime: Regime, think_opened: bool) -> Objective:
        k = self.k if name.endswith("-multi") else None
        analysis = self.analysis and self.confidence != "continue"
        return Objective(name, k, regime=regime, analysis=analysis, think_opened=think_opened)


def _of_the_paper(kind: str) -> list[Method]:
    """The four rows of one block of the paper's tables."""
    single, multi = f"{kind}-single", f"{kind}-multi"
    confidence: Confidence = "written" if kind == "rlcr" else "none"
    asked: Confidence = "prompt" if kind == "rlcr" else "none"
    return [
        Method(single, single, single, Construction.SAMPLED, confidence, samples=PAPER_K),
        Method(f"{single}-prompted-multi", multi, single, confidence=confidence),
        Method(f"{kind}-zero-shot", multi, confidence=asked),
        Method(multi, multi, multi, confidence=confidence),
    ]


_SINGLE, _MULTI = _of_the_paper("rlvr")[0], _of_the_paper("rlvr")[3]

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        *_of_the_paper("rlvr"),
        *_of_the_paper("rlcr"),
        *(each.asking(how) for each in (_SINGLE, _MULTI) for how in ("prompt", "continue")),
        Method("base-rlvr-single", "rlvr-single", construction=Construction.SAMPLED, samples=PAPER_K),
        Method("base-rlcr-single", "rlcr-single", "base", Construction.SAMPLED, "prompt", samples=PAPER_K),
        Method("verbalised-sampling", "rlcr-multi", confidence="prompt", prompt=VERBALISED_SAMPLING_PROMPT),
        Method("self-consistency", "rlvr-single", "base", Construction.VOTED, samples=VOTES),
    )
}


def named_method(name: str) -> Method:
    """A preset by its name.

    >>> named_method("rlvr-single").samples, named_method("rlcr-multi").sized(k=5).k
    (3, 5)
    """
    if name not in METHODS:
        close = get_close_matches(name, METHODS, n=1)
        remedy = f"did you mean {close[0]}?" if close else ""
        raise InputError(f"a method is one of {', '.join(METHODS)}", value=name, remedy=remedy)
    return METHODS[name]
