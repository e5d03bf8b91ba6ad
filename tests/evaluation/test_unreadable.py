"""Zeros that say nothing are told from zeros that say something."""

import pytest

from setwise.evaluation.unreadable import unreadable
from setwise.records.measured import Metrics


def said(taught: bool = False, **counts: int) -> str | None:
    return unreadable(
        Metrics({}, {name.replace("_", "/", 1): n for name, n in counts.items()}), "rlcr-multi", taught=taught
    )


@pytest.mark.parametrize(
    ("counts", "taught", "remedy"),
    [
        ({"parse_missing_answer": 3, "parse_truncated": 1}, False, "--as FOLDER, or give its prompt with --prompt"),
        ({"parse_missing_answer": 4}, True, "see in samples.jsonl what it wrote instead of the format of rlcr-multi"),
        ({"parse_missing_answer": 1, "parse_truncated": 3}, False, "raise --max-tokens"),
    ],
)
def test_the_likely_cause_and_what_to_try_are_said(counts: dict[str, int], taught: bool, remedy: str):
    told = said(taught, completions=4, **counts)
    assert told is not None
    assert told.startswith("not one of 4 completions can be read (missing_answer ")
    assert remedy in told


def test_one_readable_completion_is_enough():
    assert said(completions=4, parse_missing_answer=3) is None
    assert said() is None
