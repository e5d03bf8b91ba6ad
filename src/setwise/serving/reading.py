"""Completions of one question -> `Answered`: read, merged, calibrated, decided."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from setwise.answers import AnswerSet, Malformed
from setwise.contract import tagged, thinking
from setwise.errors import InputError
from setwise.metrics.claims import set_confidence
from setwise.models import Completion
from setwise.parsing import parse
from setwise.serving.answers import Answer, Answered
from setwise.serving.asking import Asking
from setwise.serving.merging import Ranked, merged

if TYPE_CHECKING:
    from setwise.calibration import Profile

ASKED_OTHERWISE = "the profile knows the model's own prompt and temperature, and this question was asked otherwise"
NO_CONFIDENCES = "the profile needs a confidence for every answer, and the model stated fewer"


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads a model's completions, with what is known about its confidences."""

    asking: Asking
    profile: "Profile | None" = None

    @property
    def samples(self) -> int:
        """Completions merged by default: as many as the profile was learned from."""
        return 1 if self.profile is None else self.profile.samples

    def require_profile(self, alpha: float | None) -> None:
        """An alpha is a promise, and a promise needs a profile."""
        if alpha is None:
            return
        if self.profile is None:
            remedy = "learn one with setwise calibrate, and give it as --profile"
            raise InputError("a decision at alpha needs a profile", value=alpha, remedy=remedy)
        if not 0 < alpha < 1:
            raise InputError("alpha must be above 0 and below 1", value=alpha)

    def read(
        self, question: str, completions: Sequence[Completion], alpha: float | None = None, *, as_taught: bool = True
    ) -> Answered:
        """Read the completions. Without `as_taught` nothing is calibrated, since the profile belongs to another
        prompt."""
        parsed = [
            parse(each.text, self.asking.objective, strict=False, finish_reason=each.finish_reason)
            for each in completions
        ]
        sets = [each if isinstance(each, AnswerSet) else None for each in parsed]
        first = next((each for each in sets if each), None)
        answers = merged(sets, self.asking.matcher)
        stated = [each for _, each in answers if each is not None]
        answered = Answered(
            question=question,
            answers=tuple(Answer(text, stated) for text, stated in answers),
            stated_set=set_confidence(stated, self.asking.objective.regime, clipped=True) if stated else None,
            thinking=first.thinking.strip() if first else "",
            text=completions[0].text if len(completions) == 1 else self._written(answers, first),
            samples=len(completions),
            malformed=_malformed(parsed),
        )
        return self._calibrated(answered, alpha, as_taught)

    def _calibrated(self, answered: Answered, alpha: float | None, as_taught: bool) -> Answered:
        profile = self.profile
        if profile is None:
            return answered
        if not as_taught or not self._drawn_alike(profile):
            return replace(answered, note=ASKED_OTHERWISE)
        if answered.samples != profile.samples:
            note = (
                f"the profile knows sets of samples = {profile.samples}, and this one has samples = {answered.samples}"
            )
            return replace(answered, note=note)
        stated = [each.stated for each in answered.answers if each.stated is not None]
        if len(stated) < len(answered.answers):
            return replace(answered, note=NO_CONFIDENCES)
        decision = None if alpha is None else profile.decide(stated, alpha, key=answered.question)
        kept = len(stated) if decision is None else decision.kept
        answers = (
            replace(answer, calibrated=float(calibrated), kept=place < kept)
            for place, (answer, calibrated) in enumerate(zip(answered.answers, profile.calibrated(stated), strict=True))
        )
        return replace(
            answered,
            answers=tuple(answers),
            set_confidence=float(profile.set_confidence(stated)),
            decision=decision,
            reach=tuple(float(each) for each in profile.reach(stated, key=answered.question)),
        )

    def _drawn_alike(self, profile: "Profile") -> bool:
        ours = self.asking.sampling
        known = profile.sampling
        return all(known.get(name, getattr(ours, name)) == getattr(ours, name) for name in ("temperature", "top_p"))

    def _written(self, answers: Ranked, first: AnswerSet | None) -> str:
        """A merged set in the tags of the contract, so that a plain client reads it like any other."""
        if first is None:
            return ""
        objective = self.asking.objective
        if not objective.multi:
            answers = answers[:1]
        sized = replace(objective, k=len(answers), analysis=False)
        # Rounded first: `g` writes what is below 0.0001 as a power of ten, which the contract does not know.
        confidences = ["" if stated is None else f"{round(stated, 4):g}" for _, stated in answers]
        parts = [tag.around(text) for tag, text in tagged(sized, [text for text, _ in answers], confidences)]
        return "\n".join([thinking(first.thinking, opened=objective.think_opened), *parts])


def _malformed(parsed: Sequence[AnswerSet | Malformed]) -> str | None:
    """Why the first unreadable completion is malformed; else what the first repaired one needed."""
    broken = next((each for each in parsed if isinstance(each, Malformed)), None)
    if broken is not None:
        return str(broken.reason)
    return next((str(each.repairs[0]) for each in parsed if isinstance(each, AnswerSet) and each.repairs), None)
