"""verifiers (v1 tasksets, which prime-rl runs): every task of ours as a taskset whose reward is `setwise.score`.

`setwise export verifiers RECIPE OUT` writes the small package that verifiers finds by its id; its taskset is
`SetwiseTaskset` with the recipe's choices as defaults. The classes are created on first use, because they derive from
verifiers' own.
"""

import asyncio
from collections.abc import Iterator
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from setwise.adapters.credit_rule import credit_from_record
from setwise.adapters.examples import DEFAULT_SPLIT, Example, ExportAsking, examples
from setwise.adapters.grade import grade, terms, total
from setwise.adapters.ground_truth import read_ground_truth
from setwise.adapters.missing import imported
from setwise.contract import CUT_OFF, rejoined
from setwise.records.objective import objective_from_record
from setwise.scoring import Score
from setwise.tasks import load_task

CLASSES = ("SetwiseData", "SetwiseTask", "SetwiseTaskset", "SetwiseTasksetConfig")


def __getattr__(name: str) -> Any:
    if name in CLASSES:
        return getattr(_classes(), name)
    raise AttributeError(f"module {__name__} has no attribute {name}")


def score_trace(trace: Any) -> Score:
    """The score of the last reply, including its thinking if the server has split that off."""
    ground_truth = trace.task.data.ground_truth
    said = trace.assistant_messages[-1]
    opened = read_ground_truth(ground_truth).objective.think_opened
    completion = rejoined(said.reasoning_content, said.content or "", opened=opened)
    return grade(completion, ground_truth, finish_reason=CUT_OFF if trace.is_truncated else None)


def asked(config: Any) -> Iterator[Example]:
    """The problems that a taskset's config selects."""
    task = load_task(
        config.data, path=config.path, split=config.split, limit=config.limit, seed=config.seed, **config.options
    )
    objective = objective_from_record({**config.objective, "regime": task.regime})
    credit = credit_from_record(config.credit)
    asking = ExportAsking(task.name, objective, task.matcher, task.instruction, config.prompt, credit)
    return examples(task, asking, config.split or DEFAULT_SPLIT)


@lru_cache
def _classes() -> SimpleNamespace:
    vf: Any = imported("verifiers.v1", adapter="verifiers", extra="verifiers")
    Field: Any = imported("pydantic", adapter="verifiers", extra="verifiers").Field  # noqa: N806

    class SetwiseData(vf.TaskData):
        """What is stored with a trace."""

        ground_truth: str

    class SetwiseTask(vf.Task[SetwiseData]):
        """One problem. A broken sandbox fails the rollout and never counts as a wrong answer."""

        @property
        def key(self) -> str:
            return self.data.id

        @vf.reward
        async def setwise(self, trace: Any) -> float:
            score = await asyncio.to_thread(score_trace, trace)
            trace.record_metrics(terms(score))
            return total(score)

    class SetwiseTasksetConfig(vf.TasksetConfig):
        """Which problems, and how they are asked and paid."""

        data: str = "clinic"
        """One of setwise's tasks."""
        path: str | None = None
        split: str | None = None
        limit: int | None = None
        seed: int | None = None
        options: dict[str, Any] = Field(default_factory=dict)
        """The task's own options, such as `regime: inclusive` for the clinic."""
        objective: dict[str, Any] = Field(default_factory=lambda: {"name": "rlcr-multi"})
        """As `setwise.Objective` takes it, with the task's regime."""
        credit: dict[str, Any] = Field(default_factory=dict)
        """For trainers that take one advantage per token, such as `{"name": "answer", "later_gain": 0.25}`."""
        prompt: str | None = None
        """Replaces the shipped system prompt."""

    class SetwiseTaskset(vf.Taskset[SetwiseTask, SetwiseTasksetConfig]):
        """The problems of one of setwise's tasks."""

        def load(self) -> Iterator[Any]:
            for example in asked(self.config):
                data = SetwiseData(
                    id=example.id,
                    prompt=example.question,
                    system_prompt=example.system,
                    ground_truth=example.ground_truth,
                )
                yield SetwiseTask(data, self.config.task)

    made = SimpleNamespace(**{kind.__name__: kind for kind in (SetwiseData, SetwiseTask, SetwiseTaskset)})
    made.SetwiseTasksetConfig = SetwiseTasksetConfig
    for kind in vars(made).values():
        kind.__module__, kind.__qualname__ = __name__, kind.__name__
    return made
