"""Problems as the rows of one run, in the order they are used.

The order is fixed in advance, epoch by epoch, from the seed alone. So any number of processes sees the same order, and
a resumed run continues it without a saved sampler state.
"""

import json
from random import Random
from typing import Any

from setwise.jobs import TrainingJob
from setwise.objectives import Objective
from setwise.prompting import messages
from setwise.questions import Problem
from setwise.records.problem import problem_to_record


def training_rows(job: TrainingJob, objective: Objective) -> Any:
    """A `datasets.Dataset` with a `prompt` (chat) and a `problem` (its record as JSON) for every prompt of the run."""
    from datasets import Dataset

    batches = -(-job.steps // job.generation.updates_per_generation)
    order = epoch_order(len(job.problems), batches * job.generation.prompts_per_step, job.run.seed)
    rows = [training_row(problem, job, objective) for problem in job.problems]
    return Dataset.from_list(rows).select(order)


def training_row(problem: Problem, job: TrainingJob, objective: Objective) -> dict[str, Any]:
    record = {name: value for name, value in problem_to_record(problem).items() if name != "meta"}
    return {
        "prompt": messages(problem.question, objective, instruction=job.task.instruction, prompt=job.prompt),
        "problem": json.dumps(record),
    }


def epoch_order(size: int, length: int, seed: int) -> list[int]:
    """`length` indices: each of `size` once per epoch, every epoch in a different order.

    >>> sorted(epoch_order(3, 6, seed=0)[:3]), len(epoch_order(3, 7, seed=0))
    ([0, 1, 2], 7)
    """
    order: list[int] = []
    epoch = 0
    while len(order) < length:
        order += Random(f"{seed}/{epoch}").sample(range(size), size)
        epoch += 1
    return order[:length]
