"""Made-up completions in the right format, built from the training split, for a warm start.

They teach the format and, depending on the share called imitation, a little or a lot of the task. Confidences are
random and mean nothing, except that they fall from the first candidate to the last, as the prompt asks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from setwise.contract import tagged, thinking
from setwise.errors import InputError
from setwise.objectives import Objective
from setwise.questions import Problem
from setwise.tasks import Task

CONFIDENCE_STEPS = 10
ANALYSIS = "other readings remain possible"


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes transcripts for one objective."""

    objective: Objective
    names: Sequence[str]
    """Where wrong answers are drawn from."""
    thinking: str
    imitation: float

    def write(self, problem: Problem, random: Random) -> str:
        """One completion. With probability `imitation` it starts with gold answers; the rest is drawn from the
        names."""
        answers = self._answers(problem, random)
        parts = tagged(self.objective, answers, drawn_confidences(self.objective, random), ANALYSIS)
        opened = self.objective.think_opened
        thought = thinking(f"{self.thinking} " if opened else f" {self.thinking} ", opened=opened)
        return "\n".join([thought, *(tag.around(f" {text} ") for tag, text in parts)])

    def _answers(self, problem: Problem, random: Random) -> list[str]:
        known = gold_texts(problem)
        golds = random.sample(known, len(known)) if random.random() < self.imitation else []
        others = [name for name in self.names if name not in golds]
        k = self.objective.k
        return [*golds[:k], *random.sample(others, max(0, k - len(golds)))]


def answer_pool(task: Task, problems: Sequence[Problem], k: int) -> list[str]:
    """The answers to draw from: the task's names or, if it has none, all gold answers of the split."""
    pool = list(task.answer_names) or list(dict.fromkeys(text for p in problems for text in gold_texts(p)))
    if len(pool) < k:
        raise InputError(f"a warm start needs at least {k} different answers to draw from", value=len(pool))
    return pool


def gold_texts(problem: Problem) -> list[str]:
    """The known right answers; for a code problem, its reference program."""
    if problem.golds is None:
        return [problem.reference] if problem.reference else []
    return [gold.text for gold in problem.golds]


def drawn_confidences(objective: Objective, random: Random) -> list[str]:
    """Random confidences in tenths, largest first, with a sum of at most 1 if the prompt asks for it."""
    if not objective.confidences:
        return []
    if objective.asks_for_sums_up_to_one:
        cuts = sorted(random.randint(0, CONFIDENCE_STEPS) for _ in range(objective.k))
        tenths = [high - low for low, high in zip([0, *cuts], cuts, strict=False)]
    else:
        tenths = [random.randint(0, CONFIDENCE_STEPS) for _ in range(objective.k)]
    return [f"{number / CONFIDENCE_STEPS:.1f}" for number in sorted(tenths, reverse=True)]
