"""What a planted cheat is: a function of one completion's parts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from setwise.errors import InputError
from setwise.plugins import suggestion
from setwise.questions import Problem


@dataclass(frozen=True, slots=True)
class Parts:
    """The contents of a completion, without its tags."""

    thinking: str
    answers: tuple[str, ...]
    confidences: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """What a cheat may look at: the problem, every possible answer, and random numbers."""

    problem: Problem
    names: Sequence[str]
    random: Random
    """Different for every completion."""
    fixed: Random
    """The same for every completion of the run."""


Rewrite = Callable[[Parts, Scene], Parts]


@dataclass(frozen=True, slots=True)
class Cheat:
    """One way around the reward."""

    kind: str
    finding: str
    """What an audit should call it."""
    rewrite: Rewrite
    for_code: bool = False
    needs_confidences: bool = False

    @property
    def summary(self) -> str:
        return " ".join((self.rewrite.__doc__ or "").split())


CHEATS: dict[str, Cheat] = {}


def cheat(
    kind: str, finding: str, *, for_code: bool = False, needs_confidences: bool = False
) -> Callable[[Rewrite], Rewrite]:
    """Register a rewrite as a cheat. Its docstring is the summary."""

    def named(rewrite: Rewrite) -> Rewrite:
        CHEATS[kind] = Cheat(kind, finding, rewrite, for_code, needs_confidences)
        return rewrite

    return named


def find_cheat(kind: str) -> Cheat:
    if kind not in CHEATS:
        raise InputError(f"a cheat is one of {', '.join(CHEATS)}", value=kind, remedy=suggestion(kind, CHEATS))
    return CHEATS[kind]


def plant(parts: Parts, kind: str, rate: float, scene: Scene) -> Parts:
    """The completion unchanged or, with probability `rate`, with the cheat in it."""
    own = find_cheat(kind)
    return own.rewrite(parts, scene) if scene.random.random() < rate else parts


def with_answers(parts: Parts, answers: Sequence[str]) -> Parts:
    return replace(parts, answers=tuple(answers))
