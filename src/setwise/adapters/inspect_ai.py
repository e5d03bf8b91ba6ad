"""inspect_ai: every task of ours as an Inspect task, with a scorer whose values are those of `setwise.score`.

    inspect eval setwise/ddxplus -T path=data/ddxplus -T split=test -T objective=rlcr-multi --model ...

The scorer parses strictly, as training does. `lenient=true` repairs what is unambiguous, as `setwise eval` does.
"""

import asyncio
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from setwise.adapters.examples import DEFAULT_SPLIT, ExportAsking, examples
from setwise.adapters.grade import terms
from setwise.adapters.ground_truth import read_ground_truth
from setwise.adapters.missing import imported
from setwise.contract import CUT_OFF, rejoined
from setwise.errors import MachineryError
from setwise.objectives import Objective
from setwise.scoring import Score, score
from setwise.tasks import TASKS, load_task

STOPPED_EARLY = ("max_tokens", "model_length")


def inspect_task(
    data: str,
    objective: str = "rlcr-multi",
    k: int | None = None,
    lenient: bool = False,
    preset: str = "paper",
    **task_options: Any,
) -> Any:
    """An `inspect_ai.Task`. Further arguments go to `setwise.tasks.load_task`."""
    inspect: Any = imported("inspect_ai", adapter="inspect", extra="inspect")
    dataset: Any = imported("inspect_ai.dataset", adapter="inspect", extra="inspect")
    model: Any = imported("inspect_ai.model", adapter="inspect", extra="inspect")
    solver: Any = imported("inspect_ai.solver", adapter="inspect", extra="inspect")
    task = load_task(data, **task_options)
    asking = ExportAsking(
        task.name, Objective(objective, k, regime=task.regime, preset=preset), task.matcher, task.instruction
    )
    samples = [
        dataset.Sample(
            id=example.id,
            input=[model.ChatMessageSystem(content=example.system), model.ChatMessageUser(content=example.question)],
            target=example.ground_truth,
        )
        for example in examples(task, asking, task_options.get("split") or DEFAULT_SPLIT)
    ]
    return inspect.Task(
        dataset=dataset.MemoryDataset(samples, name=data),
        solver=solver.generate(),
        scorer=_made().set_scorer(lenient),
        name=data,
        metadata={"task_fingerprint": task.fingerprint},
    )


def score_output(output: Any, ground_truth: str, *, lenient: bool = False) -> Score:
    """The score of a model output, including its thinking if the provider has split that off."""
    grading = read_ground_truth(ground_truth)
    content = output.message.content
    parts = [] if isinstance(content, str) else content
    thinking = "".join(part.reasoning for part in parts if part.type == "reasoning")
    completion = rejoined(thinking, output.message.text, opened=grading.objective.think_opened)
    return score(
        completion,
        grading.problem,
        grading.objective,
        matcher=grading.matcher,
        strict=not lenient,
        finish_reason=CUT_OFF if output.stop_reason in STOPPED_EARLY else None,
    )


def set_scorer(lenient: bool = False) -> Any:
    """The scorer alone, for your own Inspect task whose targets are our ground truths."""
    return _made().set_scorer(lenient)


def register_tasks() -> None:
    """Make every task of ours available as `inspect eval setwise/NAME`."""
    _made()


@lru_cache
def _made() -> SimpleNamespace:
    inspect: Any = imported("inspect_ai", adapter="inspect", extra="inspect")
    scoring: Any = imported("inspect_ai.scorer", adapter="inspect", extra="inspect")

    @scoring.scorer(metrics=[{"*": [scoring.mean(), scoring.stderr()]}], name="set_scorer")
    def set_scorer(lenient: bool = False) -> Any:
        async def scored(state: Any, target: Any) -> Any:
            try:
                result = await asyncio.to_thread(score_output, state.output, target.text, lenient=lenient)
            except MachineryError as error:
                return scoring.Score.unscored(explanation=str(error))
            return scoring.Score(
                value={"reward": result.reward, **terms(result)},
                answer=" | ".join(result.answers),
                explanation=_explained(result),
                metadata={"labels": result.labels, "confidences": result.confidences},
            )

        return scored

    def named(data: str) -> Any:
        def build(objective: str = "rlcr-multi", k: int | None = None, lenient: bool = False, **options: Any) -> Any:
            return inspect_task(data, objective, k, lenient, **options)

        return inspect.task(name=data)(build)

    return SimpleNamespace(set_scorer=set_scorer, tasks={data: named(data) for data in TASKS.names()})


def _explained(result: Score) -> str:
    if result.malformed:
        return f"{result.malformed.reason}: {result.malformed.detail}"
    return result.verdict
