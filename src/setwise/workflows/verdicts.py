"""The sets of a problem, each with its verdict on record."""

from collections.abc import Iterator, Sequence

from setwise.records.attempt import Attempt, Construction
from setwise.records.sample import Sample


def with_verdicts(
    samples: Sequence[Sample], attempts: Sequence[Attempt], construction: Construction, k: int
) -> Iterator[tuple[Sequence[Sample], Attempt | None]]:
    """The completions of each set with its attempt. If the machinery failed on a set, the record does not say on which,
    so none of the problem's sets has one."""
    parts = construction.parts(len(samples), k)
    verdicts: list[Attempt | None] = [*attempts] if len(attempts) == len(parts) else [None] * len(parts)
    for part, attempt in zip(parts, verdicts, strict=True):
        yield samples[part], attempt
