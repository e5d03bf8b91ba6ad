"""Made-up attempts, tasks and scripts for the tests of evaluation."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from setwise.evaluation.generation import Generated, Inquiry, generate
from setwise.evaluation.quantities import quantities
from setwise.evaluation.score_run import score_run
from setwise.evaluation.tally import Tally
from setwise.matching import Matcher, exact
from setwise.models import Completion, Model, Reply, Request
from setwise.models.scripted import ScriptedModel
from setwise.objectives import Regime
from setwise.questions import Problem
from setwise.records.attempt import Attempt, Construction
from setwise.records.measured import Metrics
from setwise.records.run import RunFolder
from setwise.records.sample_file import SampleFile
from setwise.statistics import replicates, resample_weights


def attempts(problems: int, per_problem: int, *, seed: int = 0, k: int = 3, honesty: float = 0.7) -> list[Attempt]:
    """Written sets whose candidates are right with `honesty` times the chance they state."""
    rng = np.random.default_rng(seed)
    made = []
    for problem in range(problems):
        ease = rng.uniform(0.3, 1.0)
        for _ in range(per_problem):
            q = rng.integers(0, 21, k) / 20
            c = tuple(bool(right) for right in rng.random(k) < q * honesty * ease)
            forms = tuple(f"answer {n}" for n in rng.integers(0, 6, k))
            made.append(
                Attempt(
                    f"p{problem}", c, k, c, tuple(map(float, q)), forms, n_golds=3, tokens=int(rng.integers(50, 90))
                )
            )
    return made


def as_single(attempt: Attempt) -> Attempt:
    """The same candidates as if each had been a sample of its own."""
    return Attempt(
        attempt.problem,
        attempt.correct,
        attempt.k,
        attempt.credited,
        attempt.confidences,
        attempt.forms,
        n_golds=attempt.n_golds,
        construction=Construction.SAMPLED,
        tokens=attempt.tokens,
        completions=attempt.k,
        strictly_valid=attempt.k,
    )


@dataclass(frozen=True)
class MadeUpTask:
    """Problems p0, p1, ...: the golds of p3 are "gold 3a" and "gold 3b"."""

    size: int = 4
    name: str = "made-up"
    regime: Regime = Regime.INCLUSIVE
    instruction: str = "Name things."
    matcher: Matcher = exact

    @property
    def fingerprint(self) -> str:
        return f"made-up-{self.size}"

    def __iter__(self) -> Iterator[Problem]:
        for i in range(self.size):
            golds = [f"gold {i}a"] if self.regime is Regime.EXCLUSIVE else [f"gold {i}a", f"gold {i}b"]
            yield Problem(f"p{i}", f"Question {i}?", golds)


def multi_text(answers: list[str], confidences: list[float] | None = None) -> str:
    parts = ["<think>let me think about this one for a while</think>"]
    for i, answer in enumerate(answers, start=1):
        parts.append(f"<answer{i}>{answer}</answer{i}>")
        if confidences:
            parts.append(f"<confidence{i}>{confidences[i - 1]}</confidence{i}>")
    return "".join(parts)


def single_text(answer: str, confidence: float | None = None) -> str:
    text = f"<think>let me think about this one for a while</think><answer>{answer}</answer>"
    return text if confidence is None else f"{text}<analysis>.</analysis><confidence>{confidence}</confidence>"


def script(replies: dict[str, list[str]], tokens: int | None = 10) -> ScriptedModel:
    return ScriptedModel({p: [Completion(text, "stop", tokens) for text in texts] for p, texts in replies.items()})


def write_script(path: Path, replies: dict[str, list[str]]) -> Path:
    lines = [
        json.dumps({"problem": problem, "text": text, "tokens": 10, "finish_reason": "stop"})
        for problem, texts in replies.items()
        for text in texts
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def asked(folder: RunFolder, inquiry: Inquiry, model: Model) -> Generated:
    """The folder claimed, and every completion asked for that it lacks."""
    folder.claim(inquiry.config(model.name, sum(1 for _ in inquiry.task)))
    return generate(inquiry, model, SampleFile.opened(folder.samples))


def whole_run(folder: RunFolder, inquiry: Inquiry, model: Model, *, resamples: int = 100) -> Metrics:
    done = asked(folder, inquiry, model)
    assert done.failed == 0, done
    return score_run(folder, inquiry.task.matcher, resamples=resamples)


@dataclass
class Counting:
    """A model that counts what it is asked."""

    inner: Model
    name: str = "counting"
    asked: list[Request] = field(default_factory=list)

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        def noted() -> Iterator[Request]:
            for request in requests:
                self.asked.append(request)
                yield request

        return self.inner.complete(noted())


def drawn_from(made: list[Attempt], weights: NDArray[np.float64]) -> list[Attempt]:
    """Each problem's attempts as often as it was drawn."""
    return [each for each in made for _ in range(int(weights[int(each.problem[1:])]))]


def replicates_of(
    metric: str, made: list[Attempt], resamples: int, seed: int
) -> Iterator[tuple[float, list[float], list[bool], list[int]]]:
    """Each replicate of a metric, and the confidences, right or wrong, and places that it was drawn from."""
    statistic = quantities(Tally().add_all(made))[metric].statistic
    drawn = replicates({metric: statistic}, resamples=resamples, seed=seed)[metric]
    problems = len({each.problem for each in made})
    for value, weights in zip(
        drawn, np.concatenate(list(resample_weights(problems, resamples, seed=seed))), strict=True
    ):
        answers = [
            (q or 0.0, right, place)
            for each in drawn_from(made, weights)
            for place, (q, right) in enumerate(zip(each.confidences, each.correct, strict=True))
        ]
        q, right, places = map(list, zip(*answers, strict=True))
        yield value, q, right, places
