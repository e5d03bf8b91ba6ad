"""An honest run of programs without a model: small functions, each written in three substantially different ways.

Every problem is one of a few families with its own number, so that tests differ. A set contains the three ways in any
order. In one set of five, one of the ways has a mistake, as a sampled program may.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from setwise.contract import tagged, thinking
from setwise.matching.code import CodeMatcher
from setwise.models.protocol import Completion, Reply, Request
from setwise.objectives import Objective, Regime
from setwise.questions import Problem
from setwise.records.run import RunFolder
from setwise.tasks.task import Task
from setwise.workflows.evaluate import HowAsked, evaluate_model, inquiry_of

RESAMPLES = 100
MISTAKES = 0.2


@dataclass(frozen=True)
class Family:
    """A function of a list of numbers with a constant N, in three ways."""

    name: str
    asked: str
    ways: tuple[str, str, str]

    def problem(self, number: int) -> Problem:
        name = f"{self.name}_{number}"
        program = self.programs(number)[0]
        scope: dict = {}
        exec(program, scope)  # Our own text, for the values its tests expect.
        given = [[3, number, 8, 21], [number + 5, 2, 40, 7, 7], [11, 13]]
        tests = [f"assert {name}({values!r}) == {scope[name](values)!r}" for values in given]
        return Problem(name, f"Write {name}(values): {self.asked.format(n=number)}.", tests=tests, reference=program)

    def programs(self, number: int) -> list[str]:
        return [way.replace("NAME", f"{self.name}_{number}").replace("N", str(number)) for way in self.ways]


FAMILIES = (
    Family(
        "above",
        "how many values are above {n}",
        (
            "def NAME(values):\n    return sum(value > N for value in values)",
            "def NAME(values):\n    count = 0\n    for value in values:\n"
            "        if value > N:\n            count += 1\n    return count",
            "def NAME(values):\n    return len(list(filter(lambda value: value > N, values)))",
        ),
    ),
    Family(
        "scaled",
        "every value times {n}",
        (
            "def NAME(values):\n    return [value * N for value in values]",
            "def NAME(values):\n    return list(map(lambda value: N * value, values))",
            "def NAME(values):\n    out = []\n    for value in values:\n        out.append(value * N)\n    return out",
        ),
    ),
    Family(
        "total",
        "the sum of all values, and {n}",
        (
            "def NAME(values):\n    return sum(values) + N",
            "def NAME(values):\n    total = N\n    for value in values:\n        total += value\n    return total",
            "from functools import reduce\n\ndef NAME(values):\n    return reduce(lambda a, b: a + b, values, N)",
        ),
    ),
    Family(
        "nearest",
        "the value nearest to {n}, the smaller one of two",
        (
            "def NAME(values):\n    return min(values, key=lambda value: (abs(value - N), value))",
            "def NAME(values):\n    return sorted(sorted(values), key=lambda value: abs(value - N))[0]",
            "def NAME(values):\n    best = None\n    for value in sorted(values):\n"
            "        if best is None or abs(value - N) < abs(best - N):\n            best = value\n    return best",
        ),
    ),
)


@dataclass(frozen=True)
class HonestCoder:
    """Writes the three ways in any order."""

    objective: Objective
    seed: int = 0
    name: str = "honest"

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        for request in requests:
            assert request.question is not None, "problems are asked as they are"
            random = Random(f"{self.seed} {request.question.id} {request.sample}")
            family, _, number = request.question.id.rpartition("_")
            ways = next(each for each in FAMILIES if each.name == family).programs(int(number))
            ways = random.sample(ways, len(ways))
            if random.random() < MISTAKES:
                ways[-1] = ways[-1].replace("values)", "values[1:])", 1).replace("(values[1:]):", "(values):", 1)
            thought = thinking(f" {random.choice(('It asks for', 'We want', 'Wanted:'))} {request.question.text[6:]} ")
            parts = tagged(self.objective, ways)
            text = "\n".join([thought, *(tag.around(f"\n{program}\n") for tag, program in parts)])
            yield request, Completion(text, "stop", len(text.split()))


def write_honest_programs(
    folder: str | Path, *, seed: int = 0, problems: int = 80, samples: int = 2, matcher: CodeMatcher
) -> RunFolder:
    """A scored run folder of honest programs."""
    random = Random(f"programs {seed}")
    numbers = random.sample(range(4, 400), problems)
    made = [FAMILIES[place % len(FAMILIES)].problem(number) for place, number in enumerate(numbers)]
    task = Task("programs", Regime.INCLUSIVE, "Answer with Python functions.", lambda: made, matcher, kind="programs")
    inquiry = inquiry_of(task, "rlvr-multi", "honest", HowAsked(samples=samples, seed=seed))
    run, model = RunFolder(Path(folder)), HonestCoder(inquiry.method.asked_objective(task.regime), seed)
    for _ in evaluate_model(model, [(run, inquiry)], matcher, resamples=RESAMPLES):
        pass
    return run
