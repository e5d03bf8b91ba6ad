"""An honest run without a model: patients of the clinic answered from their exact beliefs, with a sampler's noise.

For each completion the beliefs are perturbed (their logarithms by normal noise of standard deviation `noise`). K
conditions are drawn without replacement by the perturbed beliefs and written likeliest first, each with its perturbed
belief in hundredths. The thinking names what is shown and weighs the answers in one of several ways. So sets follow the
question and differ between samples, and confidences are close to the truth but not equal to it. Nothing else is random:
the same seed gives the same bytes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from setwise.contract import tagged, thinking
from setwise.models.protocol import Completion, Reply, Request
from setwise.objectives import Objective, Regime
from setwise.questions import Question
from setwise.records.run import RunFolder
from setwise.tasks import load_task
from setwise.tasks.clinic_world import World
from setwise.workflows.evaluate import HowAsked, evaluate_model, inquiry_of

RESAMPLES = 100
_OPENINGS = ("The chart shows", "What is known:", "Weighing", "We see", "On record are", "The findings are")
_LINKS = ("which fits", "so one thinks of", "and that speaks for", "typical of", "seen with", "pointing to")
_ENDINGS = ("", " Little else fits.", " The rest is less likely.", " Much is withheld.", " It is hard to be sure.")


@dataclass(frozen=True)
class HonestModel:
    """States what the clinic's own truth makes it believe, more or less."""

    world: World
    objective: Objective
    noise: float = 0.3
    seed: int = 0
    name: str = "honest"

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        for request in requests:
            assert request.question is not None, "the clinic's questions are asked as they are"
            text = self.said(request.question, Random(f"{self.seed} {request.question.id} {request.sample}"))
            yield request, Completion(text, "stop", len(text.split()))

    def said(self, question: Question, random: Random) -> str:
        belief = self.world.belief(question)
        odds = {name: max(p, 1e-6) * np.exp(self.noise * random.gauss(0, 1)) for name, p in belief.items()}
        scale = sum(odds.values()) if self.objective.regime is Regime.EXCLUSIVE else max(1.0, *odds.values())
        held = {name: float(p / scale) for name, p in odds.items()}
        drawn: list[str] = []
        while len(drawn) < self.objective.k:
            left = [name for name in held if name not in drawn]
            drawn += random.choices(left, [held[name] ** 2 + 1e-9 for name in left])
        drawn.sort(key=lambda name: -held[name])
        confidences = [f"{min(held[name], 0.99):.2f}" for name in drawn] if self.objective.confidences else []
        thought = thinking(f" {_thought(question, drawn, random)} ")
        parts = tagged(self.objective, drawn, confidences, "the findings that are withheld")
        return "\n".join([thought, *(tag.around(f" {text} ") for tag, text in parts)])


def write_honest_run(
    folder: str | Path,
    *,
    method: str = "rlcr-multi",
    seed: int = 0,
    problems: int = 500,
    samples: int = 3,
    noise: float = 0.3,
    **options: object,
) -> RunFolder:
    """A scored run folder of an honest model; `options` are the clinic's."""
    settings = {"split": "test", "limit": problems, "seed": seed, **options}
    task = load_task("clinic", **settings)
    assert task.world is not None, "the clinic knows its truth"
    inquiry = inquiry_of(task, method, "honest", HowAsked(samples=samples, seed=seed), settings)
    model = HonestModel(task.world, inquiry.method.asked_objective(task.regime), noise, seed)
    run = RunFolder(Path(folder))
    for _ in evaluate_model(model, [(run, inquiry)], task.matcher, resamples=RESAMPLES):
        pass
    return run


def _thought(question: Question, drawn: list[str], random: Random) -> str:
    shown = question.text.removeprefix("patient : ").split(" ; ")
    told = ", ".join(random.sample(shown, min(len(shown), random.randint(2, 4))))
    opening, link, ending = (random.choice(each) for each in (_OPENINGS, _LINKS, _ENDINGS))
    return f"{opening} {told}, {link} {' or '.join(drawn[: random.randint(1, len(drawn))])}.{ending}"
