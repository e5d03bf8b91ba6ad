"""A profile: how one model's stated confidences relate to the truth, and what they can promise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite
from pathlib import Path
from typing import Any

import numpy as np

from setwise.calibration.decision import Decision
from setwise.calibration.drift import Drift, Seen
from setwise.calibration.held_out import HeldOut
from setwise.calibration.rule import PromiseRule, heights
from setwise.calibration.scale import ChanceScale
from setwise.errors import InputError
from setwise.objectives import Regime
from setwise.records.files import Record, read_json, write_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What `setwise calibrate` writes. The confidences passed to it are those of one set, most confident first."""

    about: Mapping[str, Any] = field(default_factory=dict)
    """Where it comes from: the model, method and task of the run."""
    regime: Regime
    """Whether several answers can be right."""
    k: int
    """Number of ranks it covers. Answers beyond the last are neither kept nor counted."""
    samples: int = 1
    """Completions merged into each set it was learned from."""
    problems: int
    """Number of problems it was learned from."""
    scale: ChanceScale
    """Learned from every problem, for the confidences that are shown."""
    deciding: ChanceScale
    """Learned from the first half of the problems, for decisions; the second half then makes them exact."""
    rule: PromiseRule
    """Which answers to keep at each alpha."""
    seen: Seen
    """The confidences of its run, to detect drift."""
    held_out: HeldOut
    """What calibration changes on problems it was not learned from."""
    answered: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """For each alpha of the rule, on the second half: the share answered, the mean size, and the share that was
    right."""
    best_by_samples: Mapping[int, float | None] = field(default_factory=dict)
    """For each number of merged completions, the smallest alpha that can be promised; empty if the run has too
    few."""

    @property
    def sampling(self) -> Mapping[str, Any]:
        """How the completions of its run were sampled, as far as known."""
        return self.about.get("sampling") or {}

    def calibrated(self, stated: Sequence[float]) -> list[float]:
        """The probability that each answer is right, in the order given."""
        ranked, order = _ranked(stated)
        chances = self.scale.answer_chances(np.array([ranked]))[0].tolist() if ranked else []
        back = sorted(range(len(order)), key=lambda rank: order[rank])
        return [chances[rank] for rank in back]

    def set_confidence(self, stated: Sequence[float]) -> float:
        """The probability that at least one of the answers is right."""
        return float(self.scale.prefix_chances(*self._padded(stated))[0, -1]) if len(stated) else 0.0

    def reach(self, stated: Sequence[float], key: str = "") -> list[float]:
        """For each prefix, the smallest alpha at which it suffices; non-increasing, and `inf` if it never does.

        `key` is the question. Its text breaks ties, always in the same way.
        """
        if not len(stated):
            return []
        high = heights(self.deciding.prefix_chances(*self._padded(stated)), [key])[0]
        return self.rule.reach(high.tolist(), len(stated))

    def decide(self, stated: Sequence[float], alpha: float, key: str = "") -> Decision:
        """The shortest prefix that keeps the promise at this alpha; none if even the full set does not."""
        _require_alpha(alpha)
        if not len(stated):
            return Decision(0, abstained=True, reason="there are no answers", alpha=alpha)
        if not self.reachable(alpha):
            return Decision(
                0, abstained=True, reason=f"this model cannot promise {_percent(1 - alpha)}{self._best()}", alpha=alpha
            )
        enough = [alpha >= least - 1e-9 for least in self.reach(stated, key)]
        if not any(enough):
            chance = _percent(float(self.deciding.prefix_chances(*self._padded(stated))[0, -1]))
            everything = "the answer does" if len(stated) == 1 else f"even all {len(stated)} answers do"
            reason = f"{everything} not reach {_percent(1 - alpha)}, but about {chance}"
            return Decision(0, abstained=True, reason=reason, alpha=alpha)
        kept = enough.index(True) + 1
        which = "the first answer is" if kept == 1 else f"the first {kept} answers are"
        reason = f"{which} enough for {_percent(1 - alpha)}"
        return Decision(kept, abstained=False, reason=reason, alpha=alpha)

    def reachable(self, alpha: float) -> bool:
        """Whether this model can promise 1 - alpha at all, even if only by abstaining on most questions."""
        _require_alpha(alpha)
        return self.rule.is_reachable(alpha)

    @property
    def best_alpha(self) -> float:
        """The smallest alpha that can be promised; `inf` if there is none."""
        return self.rule.best_alpha

    def _best(self) -> str:
        return (
            "" if self.best_alpha == inf else f", at best {_percent(1 - self.best_alpha)} (alpha = {self.best_alpha:g})"
        )

    def samples_needed(self, alpha: float) -> int | None:
        """How many completions to merge until 1 - alpha can be promised; None if the run's completions are not
        enough.

        If the run has one completion per problem, this is unknown, which is an error.
        """
        _require_alpha(alpha)
        if not self.best_by_samples:
            remedy = "evaluate with several, such as --samples 10, and calibrate that run"
            raise InputError("the profile comes from a run with one completion of each problem", remedy=remedy)
        enough = (
            samples for samples, best in self.best_by_samples.items() if best is not None and best <= alpha + 1e-9
        )
        return min(enough, default=None)

    def drift(self, stated_sets: Sequence[Sequence[float]]) -> Drift:
        """Whether the confidences of new sets differ from those the profile was learned from."""
        return self.seen.drift(Seen.of([[_confidence(q) for q in stated] for stated in stated_sets], self.regime))

    def _padded(self, stated: Sequence[float]) -> tuple[Any, Any]:
        """One row with a place for each rank, and which places are taken."""
        row = np.zeros((1, self.k))
        ranked = _ranked(stated)[0][: self.k]
        row[0, : len(ranked)] = ranked
        return row, np.arange(self.k)[None] < len(ranked)

    def write(self, path: str | Path) -> None:
        write_json(path, self.to_record())

    @classmethod
    def read(cls, path: str | Path) -> "Profile":
        record = read_json(path)
        try:
            return cls.from_record(record)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            rule = f"the file lacks what setwise calibrate writes ({type(error).__name__}: {error})"
            raise InputError(rule, place=path) from None

    def to_record(self) -> Record:
        return {
            "kind": KIND,
            "about": dict(self.about),
            "regime": str(self.regime),
            "k": self.k,
            "samples": self.samples,
            "problems": self.problems,
            "best_alpha": self.best_alpha if isfinite(self.best_alpha) else None,
            "best_by_samples": {str(samples): best for samples, best in self.best_by_samples.items()},
            "scale": self.scale.to_record(),
            "deciding": self.deciding.to_record(),
            "rule": self.rule.to_record(),
            "answered": {name: list(values) for name, values in self.answered.items()},
            "seen": self.seen.to_record(),
            "held_out": self.held_out.to_record(),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Profile":
        if record["kind"] != KIND:
            raise ValueError(f"kind is {record['kind']}")
        regime = Regime(record["regime"])
        return cls(
            about=dict(record["about"]),
            regime=regime,
            k=int(record["k"]),
            samples=int(record["samples"]),
            problems=int(record["problems"]),
            scale=ChanceScale.from_record(record["scale"], regime),
            deciding=ChanceScale.from_record(record["deciding"], regime),
            rule=PromiseRule.from_record(record["rule"]),
            seen=Seen.from_record(record["seen"]),
            held_out=HeldOut.from_record(record["held_out"]),
            answered=record["answered"],
            best_by_samples={int(samples): best for samples, best in record["best_by_samples"].items()},
        )


KIND = "calibration profile"
PROFILE = "profile.json"
"""The name of a profile in its run's folder, where reports find it."""


def _ranked(stated: Sequence[float]) -> tuple[list[float], list[int]]:
    """The confidences in descending order, and the position each came from. Ties keep their order."""
    values = [_confidence(q) for q in stated]
    order = sorted(range(len(values)), key=lambda place: -values[place])
    return [values[place] for place in order], order


def _confidence(value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InputError("a stated confidence is a number from 0 to 1", value=value)
    return float(value)


def _require_alpha(alpha: float) -> None:
    if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0 < alpha < 1:
        raise InputError("alpha is a number between 0 and 1", value=alpha)


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
