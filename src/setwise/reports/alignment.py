"""Brings the streams of several runs together, problem by problem, without holding them in memory."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(slots=True)
class Stream(Generic[Item]):
    """The items of one run, problem by problem, and the ids of all its problems."""

    items: Iterator[tuple[str, Item]]
    problems: Collection[str]
    passed: dict[str, Item] = field(default_factory=dict)
    """Problems already read, to be used later."""

    def take(self, problem: str) -> Item | None:
        """The item for one problem. Reads on as far as needed."""
        if problem not in self.problems:
            return None
        if problem in self.passed:
            return self.passed.pop(problem)
        for found, item in self.items:
            if found == problem:
                return item
            self.passed[found] = item
        return None


def aligned(streams: Sequence[Stream[Item]]) -> Iterator[tuple[str, dict[int, Item]]]:
    """Every problem once, in the order of the first run that has it, with what each run has for it.

    >>> first, second = Stream(iter([("a", 1), ("b", 2)]), {"a", "b"}), Stream(iter([("b", 3), ("a", 4)]), {"a", "b"})
    >>> list(aligned([first, second]))
    [('a', {0: 1, 1: 4}), ('b', {0: 2, 1: 3})]
    """
    done: set[str] = set()
    for stream in streams:
        for problem in list(stream.passed):
            yield problem, _taken(streams, problem)
            done.add(problem)
        while (found := next(stream.items, None)) is not None:
            problem, item = found
            if problem not in done:
                stream.passed[problem] = item
                yield problem, _taken(streams, problem)
                done.add(problem)


def _taken(streams: Sequence[Stream[Item]], problem: str) -> dict[int, Item]:
    taken = {place: stream.take(problem) for place, stream in enumerate(streams)}
    return {place: item for place, item in taken.items() if item is not None}
