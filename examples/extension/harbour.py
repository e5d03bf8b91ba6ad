"""A task, a matcher, a metric and a reward term of your own, in one file outside of setwise.

setwise eval --task harbour:HARBOUR --matcher harbour:NumberMatcher --metric harbour:round_numbers ...
"""

from collections.abc import Iterator

from setwise import Match, Problem, Regime, Task, TaskKind, metric, term


def _problems(split: str) -> Iterator[Problem]:
    """How many boats lie in the harbour? Either of two counts is right."""
    for number in range(20 if split == "train" else 8):
        boats = 10 + 3 * number if split == "train" else 11 + 7 * number
        yield Problem(f"{split}-{number}", f"boats at quay {number}", [str(boats), str(boats + 1)])


def _open(request) -> Task:
    split = request.split or "train"
    return Task("harbour", Regime.INCLUSIVE, "Answer with a number.", read=lambda: _problems(split), source=split)


HARBOUR = TaskKind("boats in a harbour", _open, splits=("train", "test"))


class NumberMatcher:
    """`12`, `12.0` and `012` are one answer."""

    name = "number"

    def match(self, answers, problem) -> list[Match]:
        left = {self._value(gold.text): place for place, gold in enumerate(problem.golds)}
        places = [left.pop(self._value(answer), None) for answer in answers]
        return [Match(place is not None, place) for place in places]

    def _value(self, text: str) -> float | str:
        return float(text) if text.replace(".", "", 1).isdigit() else text


@metric("round_numbers", label="Round numbers", better="lower", lowest=0.0, highest=1.0, tested=True)
def round_numbers(attempt):
    """Share of sets whose first answer ends in 0 or 5."""
    return float(bool(attempt.forms) and str(attempt.forms[0]).removesuffix(".0")[-1:] in "05")


@term("brevity", definition="1 for no thinking at all, falling to 0 at 1,000 characters.")
def brevity(judged) -> float:
    return max(0.0, 1 - judged.thinking_characters / 1000)
