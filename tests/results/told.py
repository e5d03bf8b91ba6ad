"""What the published records say, as the documents put it."""

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

from results.failure_tables import shares_of_one
from setwise.config import read_recipe
from setwise.records.run import RunFolder
from setwise.records.training_log import Step, TrainingLog


@dataclass(frozen=True)
class Told:
    """What the records of one dataset say."""

    folder: Path

    def numbers(self, run: str) -> dict[str, Any]:
        return json.loads((self.folder / "eval" / run / "metrics.json").read_text(encoding="utf-8"))

    def of(self, run: str, metric: str) -> dict[str, float]:
        return self.numbers(run)["metrics"][metric]

    def value(self, run: str, metric: str) -> float:
        return self.of(run, metric)["value"]

    def times(self, metric: str) -> str:
        return f"{self.value('rlvr-multi', metric) / self.value('rlvr-single', metric):.2f}"

    def coverages(self) -> str:
        return " against ".join(f"{self.value(run, 'coverage'):.3f}" for run in ("rlvr-multi", "rlvr-single"))

    def set_eces(self) -> list[str]:
        runs = ("rlcr-multi", "rlvr-multi+prompt", "rlvr-multi+continue")
        return [f"{self.value(run, 'set/ece'):.3f}" for run in runs]

    def set_ece(self) -> str:
        multi, asked, forced = self.set_eces()
        return f"set ECE is {multi}, RLVR-multi's {asked} asked by the prompt and {forced} forced"

    def claiming(self, run: str, *confidences: float) -> str:
        """Of the sets with these confidences, how many have any right."""
        sets = [each for each in RunFolder(self.folder / "eval" / run).attempts() if each.confidences == confidences]
        return percent(sum(any(each.correct) for each in sets) / len(sets))

    def share_of_sets(self, run: str, most_common: int) -> str:
        sets = [tuple(sorted(map(str, each.forms))) for each in RunFolder(self.folder / "eval" / run).attempts()]
        return percent(sum(count for _, count in Counter(sets).most_common(most_common)) / len(sets))

    def share_of_confidences(self, run: str, confidence: float, digits: int = 0) -> str:
        stated = [q for each in RunFolder(self.folder / "eval" / run).attempts() for q in each.confidences]
        return percent(stated.count(confidence) / len(stated), digits)

    def share_of_answers(self, run: str, *answers: str) -> str:
        said = [form for each in RunFolder(self.folder / "eval" / run).attempts() for form in map(str, each.forms)]
        return percent(sum(form in answers for form in said) / len(said))

    def summing_to_one(self, run: str) -> str:
        return percent(shares_of_one(self.folder / "eval" / run)[0])

    def words_of_thought(self, run: str) -> str:
        """A completion's, on average."""
        thoughts = [text.partition("<think>")[2].partition("</think>")[0] for text in self.texts(run)]
        return f"{sum(len(thought.split()) for thought in thoughts) / len(thoughts):.0f}"

    def texts(self, run: str) -> list[str]:
        """Its completions."""
        samples = (self.folder / "eval" / run / "samples.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(each)["text"] for each in samples]

    def log(self, run: str) -> list[Step]:
        return TrainingLog(self.folder / "train" / run).steps()

    def right_at_first(self, run: str) -> tuple[str, str]:
        """In the first ten steps: of all answers, and of those that could be read."""
        right, valid = (sum(step[name] for step in self.log(run)[:10]) for name in ("pass_at_1", "strictly_valid"))
        return percent(right / 10, 1), percent(right / valid, 1)

    def assert_trained_by(self, run: str, recipe: Path, *changes: str) -> None:
        """That a recipe still has the settings of a training, with these changes."""
        trained, settings = read_recipe(self.folder / "train" / run / "config.yaml"), read_recipe(recipe, changes)
        assert settings.optimisation == trained.optimisation
        assert settings.generation == trained.generation
        assert settings.reward == trained.reward

    def alarms(self) -> dict[tuple[str, str], int]:
        """By training and alarm, the step of it."""
        return {
            (folder.name, alarm.name): alarm.step
            for folder in self.folder.glob("train/*")
            for alarm in TrainingLog(folder).alarms()
        }


def higher_within(stated: Iterable[tuple[Hashable, float, bool]]) -> float:
    """Of answers by group, with their confidence and whether they are right. Of the pairs of a right and a wrong one in
    one group: in how many the right one has the higher confidence, half of ties."""
    groups: dict[Hashable, dict[bool, list[float]]] = defaultdict(lambda: {True: [], False: []})
    for group, confidence, right in stated:
        groups[group][right].append(confidence)
    pairs = [pair for own in groups.values() for pair in product(own[True], own[False])]
    return fmean((right > wrong) + (right == wrong) / 2 for right, wrong in pairs)


def percent(share: float, digits: int = 0) -> str:
    return f"{share:.{digits}%}".replace("%", " %")


def listed(values: list[str]) -> str:
    *others, last = values
    return f"{', '.join(others)} and {last}" if others else last


def prose(path: Path) -> str:
    return " ".join(path.read_text(encoding="utf-8").split())
