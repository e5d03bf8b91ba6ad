"""Problems as engines take them: a chat to send, and the ground truth for the reward function."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from setwise.adapters.credit_rule import CreditRule
from setwise.adapters.ground_truth import write_ground_truth
from setwise.matching import Matcher
from setwise.objectives import Objective
from setwise.prompting import Message, messages
from setwise.questions import Problem

DEFAULT_SPLIT = "train"


@dataclass(frozen=True, slots=True)
class ExportAsking:
    """How every problem of a task is asked and graded."""

    task: str
    objective: Objective
    matcher: Matcher
    instruction: str = ""
    prompt: str | None = None
    """Replaces the shipped system prompt."""
    credit: CreditRule | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """One problem, ready to be asked and graded."""

    id: str
    index: int
    task: str
    split: str
    chat: list[Message]
    ground_truth: str

    @property
    def system(self) -> str:
        return self.chat[0]["content"]

    @property
    def question(self) -> str:
        return self.chat[-1]["content"]


def examples(problems: Iterable[Problem], asking: ExportAsking, split: str) -> Iterator[Example]:
    for index, problem in enumerate(problems):
        yield Example(
            id=problem.id,
            index=index,
            task=asking.task,
            split=split,
            chat=messages(problem.question, asking.objective, instruction=asking.instruction, prompt=asking.prompt),
            ground_truth=write_ground_truth(problem, asking.objective, asking.matcher, asking.credit),
        )
