"""Problems of every task with a spread of completions: right, wrong, doubled, cut off, out of form."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setwise import Objective, Problem, Score, score_batch
from setwise.adapters.ground_truth import write_ground_truth
from setwise.tasks import Task, load_task
from tests.completions import completion
from tests.tasks.made_up import PATIENT, hotpot_row, mbpp_row, write_ddxplus, write_mbpp


@dataclass(frozen=True)
class Case:
    """One task as an adapter would be told to load it."""

    name: str
    arguments: dict[str, Any]

    def load(self) -> Task:
        return load_task(self.name, **self.arguments)


def every_task(folder: Path) -> list[Case]:
    """Each of our tasks on small files of the official formats; the clinic makes its own."""
    write_ddxplus(folder, [PATIENT] * 3)
    (folder / "hotpot_train_v1.1.json").write_text(json.dumps([hotpot_row(f"q{i}") for i in range(3)]))
    write_mbpp(folder, [mbpp_row(number) for number in (601, 602)])
    own = folder / "own.jsonl"
    own.write_text('{"id": "a", "question": "Primes under 6?", "answers": ["2", "3", "5"]}\n')
    return [
        Case("clinic", {"limit": 3}),
        Case("ddxplus", {"path": str(folder), "split": "train"}),
        Case("hotpotqa-modified", {"path": str(folder / "hotpot_train_v1.1.json")}),
        Case("mbpp", {"path": str(folder)}),
        Case("jsonl", {"path": str(own)}),
    ]


def completions_for(problem: Problem, objective: Objective) -> list[str]:
    """What a model might write, from perfect to hopeless."""
    right = right_answers(problem)
    wrong = [f"nothing like it {i}" for i in range(objective.k)]
    best = completion(objective, (right + wrong)[: objective.k], [0.3] * objective.k)
    return [
        best,
        completion(objective, wrong, [0.1] * objective.k),
        completion(objective, [right[0]] * objective.k, [0.2] * objective.k),
        best.replace("</think>", ""),
        best[:-5],
        best + " and that is that",
        "",
    ]


def right_answers(problem: Problem) -> list[str]:
    return [gold.text for gold in problem.golds] if problem.golds else [problem.reference]


def our_scores(texts: Sequence[str], problems: Sequence[Problem], objective: Objective, task: Task) -> list[Score]:
    return score_batch(texts, problems, objective, matcher=task.matcher)


def graded_pairs(case: Case) -> list[tuple[str, str]]:
    """Completions, each with the ground truth its row would carry."""
    task = case.load()
    objective = Objective("rlcr-multi", regime=task.regime)
    return [
        (text, write_ground_truth(problem, objective, task.matcher))
        for problem in task
        for text in completions_for(problem, objective)
    ]
