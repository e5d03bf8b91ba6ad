"""docs/tasks.md: every example in the table of the normal form is as it says."""

import re
from pathlib import Path

from setwise.matching import FuzzyMatcher, named, normalize
from setwise.questions import Problem

DOCS = (Path(__file__).parents[2] / "docs" / "tasks.md").read_text(encoding="utf-8")


def table() -> list[tuple[str, str, str]]:
    rows = DOCS.split("| rule | the same | not the same |")[1].split("\n\n")[0].splitlines()[2:]
    return [tuple(cell.strip() for cell in row.strip().strip("|").split(" |")) for row in rows]  # pyright: ignore[reportReturnType]


def pairs(cell: str, sign: str) -> list[tuple[str, str]]:
    unescaped = re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), cell)
    return re.findall(rf"`([^`]+)` {sign} `([^`]+)`", unescaped)


def test_the_table_of_the_normal_form_is_true():
    rows = table()
    assert len(rows) == 16
    for rule, same, different in rows:
        assert pairs(same, "="), f"{rule}: no example"
        for one, other in pairs(same, "="):
            assert normalize(one) == normalize(other), f"{rule}: {one!r} and {other!r}"
        for one, other in pairs(different, "≠"):
            assert normalize(one) != normalize(other), f"{rule}: {one!r} and {other!r}"


def test_fuzzy_with_a_number_is_a_threshold_and_type_2_is_not_type_1_at_any():
    assert named("fuzzy") == FuzzyMatcher(90)
    problem = Problem("1", "?", ["Type 1 diabetes"])
    for threshold in (1, 85, 90):
        assert not FuzzyMatcher(threshold).match(["Type 2 diabetes"], problem)[0].correct
