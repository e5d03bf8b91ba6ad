"""The shapes that the update is timed on."""

import random
import statistics
from dataclasses import dataclass

from tests.training.shared_prompt.cases import Shape


@dataclass(frozen=True)
class Workload:
    name: str
    prompt: int
    mean: int
    longest: int
    group: int
    groups: int

    def draw(self) -> Shape:
        """Lengths with this mean. Uneven ones have a long tail that reaches the longest at least once."""
        chance = random.Random(0)
        count = self.group * self.groups
        if self.longest == self.mean:
            lengths = [self.mean] * count
        else:
            drawn = [chance.gammavariate(2.5, 1) for _ in range(count)]
            lengths = _scaled(drawn, self.mean, self.longest)
        starts = range(0, count, self.group)
        return Shape(tuple((self.prompt, tuple(lengths[start : start + self.group])) for start in starts))


WORKLOADS = [
    Workload("long, uneven", prompt=700, mean=600, longest=1536, group=32, groups=2),
    Workload("long, even", prompt=700, mean=600, longest=600, group=32, groups=2),
    Workload("short", prompt=600, mean=60, longest=160, group=16, groups=16),
]
TINY = [Workload("tiny", prompt=20, mean=6, longest=12, group=4, groups=2)]


def _scaled(drawn: list[float], mean: int, longest: int) -> list[int]:
    """Draws scaled to lengths from 1 to `longest`, the largest exactly that, with the given mean."""
    top = drawn.index(max(drawn))
    low, high = 0.0, 10.0 * longest
    lengths: list[int] = []
    for _ in range(60):
        factor = (low + high) / 2
        lengths = [min(longest, max(1, round(draw * factor))) for draw in drawn]
        lengths[top] = longest
        low, high = (factor, high) if statistics.fmean(lengths) < mean else (low, factor)
    return lengths
