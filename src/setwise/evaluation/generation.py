"""Asks a model for the completions that a run still lacks, and stores each as it arrives."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from setwise.errors import InputError, ModelError
from setwise.evaluation.elicitation import ContinuedConfidences
from setwise.matching import Matcher, spec_of
from setwise.models import Completion, Model, Request, Sampling
from setwise.objectives import Regime
from setwise.prompting import messages, system_prompt
from setwise.questions import Problem
from setwise.records.method import Method
from setwise.records.run import AskedTask, RunConfig
from setwise.records.sample import Sample
from setwise.records.sample_file import SampleFile

FAILURES_IN_A_ROW = 20
SETTLE_EVERY = 200


class Problems(Protocol):
    """What is needed from a task."""

    @property
    def name(self) -> str: ...
    @property
    def regime(self) -> Regime: ...
    @property
    def instruction(self) -> str: ...
    @property
    def matcher(self) -> Matcher: ...
    @property
    def fingerprint(self) -> str: ...
    def __iter__(self) -> Iterator[Problem]: ...


@dataclass(frozen=True, slots=True)
class Inquiry:
    """One run: which model is asked what, and how."""

    task: Problems
    method: Method
    sampling: Sampling = field(default_factory=Sampling)
    seed: int = 0
    think_opened: bool = False
    task_settings: Mapping[str, Any] = field(default_factory=dict)
    """How the task was loaded, recorded in the config. The fingerprint is what identifies it."""
    template_options: Mapping[str, Any] | None = None
    """Options for the chat template. By default, those in the model's manifest."""

    def config(self, model: str, problems: int) -> RunConfig:
        """The config that the run's folder records."""
        task, method = self.task, self.method
        asked = method.asked_objective(task.regime)
        return RunConfig(
            task=AskedTask(
                name=task.name,
                regime=task.regime,
                fingerprint=task.fingerprint,
                problems=problems,
                settings=self.task_settings,
            ),
            model=model,
            method=method,
            objective=method.read_objective(task.regime, think_opened=self.think_opened),
            sampling=self._sampling(),
            prompt_fingerprint=fingerprint([system_prompt(asked, method.prompt), task.instruction]),
            matcher=spec_of(task.matcher) or task.matcher.name,
        )

    def _sampling(self) -> dict[str, Any]:
        drawn = {**asdict(self.sampling), "stop": list(self.sampling.stop), "seed": self.seed}
        return drawn if self.template_options is None else {**drawn, "chat_template": dict(self.template_options)}

    def requests(self, known: SampleFile) -> Iterator[tuple[Problem, Request]]:
        """Every completion that the run still lacks, in the order of the task."""
        asked = self.method.asked_objective(self.task.regime)
        seen: set[str] = set()
        for problem in self.task:
            if problem.id in seen:
                raise InputError("every problem must have its own id", value=problem.id, place=self.task.name)
            seen.add(problem.id)
            missing = [i for i in range(self.method.samples) if not known.has(problem.id, i)]
            if not missing:
                continue
            chat = messages(problem.question, asked, instruction=self.task.instruction, prompt=self.method.prompt)
            for i in missing:
                seed = request_seed(self.seed, problem.id, i)
                options = self.template_options
                yield problem, Request(chat, self.sampling, seed, problem.question, i, template_options=options)


@dataclass(frozen=True, slots=True)
class Generated:
    """The result of asking."""

    added: int
    failed: int
    first_failure: str = ""


Progress = Callable[[int, int], None]
"""Called with the numbers of completions added and of requests failed so far."""


def generate(
    inquiry: Inquiry, model: Model, file: SampleFile, progress: Progress = lambda added, failed: None
) -> Generated:
    """Add the missing completions to the file. Requests that fail stay missing and are asked again next time.

    Raises `ModelError` after twenty failures in a row: the model is gone, and the rest would fail too.
    """
    if inquiry.method.confidence == "continue":
        asked = inquiry.method.asked_objective(inquiry.task.regime, think_opened=inquiry.think_opened)
        model = ContinuedConfidences(model, asked)
    in_flight: dict[int, tuple[Request, Problem]] = {}
    added = failed = in_a_row = 0
    first = ""
    with file.appending() as appender:
        for request, answer in model.complete(_remembered(inquiry.requests(file), in_flight)):
            _, problem = in_flight.pop(id(request))
            if isinstance(answer, ModelError):
                failed, in_a_row, first = failed + 1, in_a_row + 1, first or str(answer)
                if in_a_row >= FAILURES_IN_A_ROW:
                    raise ModelError(f"{in_a_row} requests in a row got no answer, the first of them: {first}")
            else:
                in_a_row = 0
                added += appender.add(_sample(problem, request, answer))
                if added % SETTLE_EVERY == 0:
                    appender.settle()
            progress(added, failed)
        appender.settle()
    return Generated(added, failed, first)


def _sample(problem: Problem, request: Request, answer: Completion) -> Sample:
    """Enough to score it again without a model or a task."""
    return Sample(
        asked=problem,
        text=answer.text,
        index=request.sample,
        finish_reason=answer.finish_reason,
        tokens=answer.tokens,
        prompt_tokens=answer.prompt_tokens,
        own_text=answer.own_text,
        seed=request.seed,
    )


def fingerprint(value: Any) -> str:
    """A short hash of any JSON value."""
    text = json.dumps(value, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def request_seed(seed: int, problem: str, sample: int) -> int:
    """A separate seed for every completion, the same on every machine and in any order.

    >>> request_seed(0, "a", 0) == request_seed(0, "a", 0) != request_seed(0, "a", 1)
    True
    """
    return int(fingerprint([seed, problem, sample]), 16) & 0x7FFFFFFF


def _remembered(
    wanted: Iterable[tuple[Problem, Request]], in_flight: dict[int, tuple[Request, Problem]]
) -> Iterator[Request]:
    """The requests, each kept until its reply arrives."""
    for problem, request in wanted:
        in_flight[id(request)] = (request, problem)
        yield request
