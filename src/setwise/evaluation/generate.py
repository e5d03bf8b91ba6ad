"""Ask a model for what a run still lacks, and write down every completion as it comes."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from setwise.errors import InputError, ModelError
from setwise.evaluation.elicitation import ContinuedConfidences
from setwise.evaluation.methods import Method
from setwise.evaluation.samples import SampleFile
from setwise.matching import Matcher
from setwise.models import Completion, Model, Request, Sampling
from setwise.objectives import Regime
from setwise.problems import Problem
from setwise.prompting import messages
from setwise.records import objective_to_record, problem_to_record

FAILURES_IN_A_ROW = 20
SETTLE_EVERY = 200


class Problems(Protocol):
    """What is needed of a task."""

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
class Plan:
    """One run: who is asked what, and how."""

    task: Problems
    method: Method
    sampling: Sampling = field(default_factory=Sampling)
    seed: int = 0
    think_opened: bool = False
    task_settings: Mapping[str, Any] = field(default_factory=dict)
    """How the task was loaded, for the config to say; its fingerprint is what decides."""

    def requests(self, known: SampleFile) -> Iterator[tuple[Problem, Request]]:
        """Every completion the run still lacks, in the order of the task."""
        asked = self.method.asked_objective(self.task.regime)
        seen: set[str] = set()
        for problem in self.task:
            if problem.id in seen:
                raise InputError("every problem must have an id of its own", value=problem.id, place=self.task.name)
            seen.add(problem.id)
            missing = [i for i in range(self.method.samples) if not known.has(problem.id, i)]
            if not missing:
                continue
            chat = messages(problem, asked, instruction=self.task.instruction, prompt=self.method.prompt)
            for i in missing:
                yield problem, Request(problem.id, i, chat, self.sampling, request_seed(self.seed, problem.id, i))


@dataclass(frozen=True, slots=True)
class Generated:
    """What came of asking."""

    added: int
    failed: int
    first_failure: str = ""


Progress = Callable[[int, int], None]
"""Called with the completions added and the requests failed so far."""


def generate(plan: Plan, model: Model, file: SampleFile, progress: Progress = lambda added, failed: None) -> Generated:
    """Add the missing completions to the file. Requests without an answer stay missing, and are asked again next time.

    Raises `ModelError` after twenty failures in a row: the model is gone, and the rest would fail too.
    """
    if plan.method.confidence == "continue":
        asked = plan.method.asked_objective(plan.task.regime, think_opened=plan.think_opened)
        model = ContinuedConfidences(model, asked)
    in_flight: dict[tuple[str, int], Problem] = {}
    added = failed = in_a_row = 0
    first = ""
    with file.appending() as appender:
        for request, answer in model.complete(_remembered(plan.requests(file), in_flight)):
            problem = in_flight.pop((request.problem, request.sample))
            if isinstance(answer, ModelError):
                failed, in_a_row, first = failed + 1, in_a_row + 1, first or str(answer)
                if in_a_row >= FAILURES_IN_A_ROW:
                    raise ModelError(f"{in_a_row} requests in a row got no answer, the first of them: {first}")
            else:
                in_a_row = 0
                added += appender.add(sample_record(plan, model.name, problem, request, answer))
                if added % SETTLE_EVERY == 0:
                    appender.settle()
            progress(added, failed)
        appender.settle()
    return Generated(added, failed, first)


def sample_record(plan: Plan, model: str, problem: Problem, request: Request, answer: Completion) -> dict[str, Any]:
    """One line of `samples.jsonl`: enough to score it again with no model and no task at hand."""
    objective = plan.method.read_objective(plan.task.regime, think_opened=plan.think_opened)
    record = {
        "problem": problem_to_record(problem),
        "sample": request.sample,
        "text": answer.text,
        "finish_reason": answer.finish_reason,
        "tokens": answer.tokens,
        "prompt_tokens": answer.prompt_tokens,
        "model": model,
        "task": plan.task.name,
        "method": plan.method.name,
        "construction": str(plan.method.construction),
        "k": plan.method.k,
        "samples_per_problem": plan.method.samples,
        "confidence": plan.method.confidence,
        "objective": objective_to_record(objective),
        "prompt_fingerprint": fingerprint(list(request.messages)),
        "sampling": {**asdict(request.sampling), "seed": request.seed},
    }
    return record if answer.own_text is None else {**record, "own_text": answer.own_text}


def fingerprint(value: Any) -> str:
    """A short hash of anything that JSON can hold."""
    text = json.dumps(value, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def request_seed(seed: int, problem: str, sample: int) -> int:
    """A seed of its own for every completion, the same on every machine and in every order of asking.

    >>> request_seed(0, "a", 0) == request_seed(0, "a", 0) != request_seed(0, "a", 1)
    True
    """
    return int(fingerprint([seed, problem, sample]), 16) & 0x7FFFFFFF


def _remembered(
    wanted: Iterable[tuple[Problem, Request]], in_flight: dict[tuple[str, int], Problem]
) -> Iterator[Request]:
    for problem, request in wanted:
        in_flight[request.problem, request.sample] = problem
        yield request
