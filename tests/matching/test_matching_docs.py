"""docs/reference/matchers.md: every example of the normal form and of the fuzzy matcher is as it says."""

import re
from pathlib import Path

import pytest
from rapidfuzz import fuzz

import setwise.models
from setwise.matching import FuzzyMatcher, named, normalize
from setwise.questions import Problem
from tests.docs.pages import read_blocks

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "matchers.md"


def table(head: str) -> list[list[str]]:
    rows = PAGE.read_text(encoding="utf-8").split(head)[1].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip().strip("|").split(" |")] for row in rows]


def pairs(cell: str, sign: str) -> list[tuple[str, str]]:
    unescaped = re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), cell)
    return re.findall(rf"`([^`]+)` {sign} `([^`]+)`", unescaped)


def test_the_table_of_the_normal_form_is_true():
    rows = table("| rule | the same | not the same |")
    assert len(rows) == 16
    for rule, same, different in rows:
        assert pairs(same, "="), f"{rule}: no example"
        for one, other in pairs(same, "="):
            assert normalize(one) == normalize(other), f"{rule}: {one!r} and {other!r}"
        for one, other in pairs(different, "≠"):
            assert normalize(one) != normalize(other), f"{rule}: {one!r} and {other!r}"


def test_the_table_of_the_fuzzy_matcher_is_true():
    rows = table("| answer | gold | similarity | `fuzzy:85` | `fuzzy` |")
    assert len(rows) == 7
    for answer, gold, similarity, *said in ([cell.strip("`") for cell in row] for row in rows):
        assert round(fuzz.token_sort_ratio(normalize(answer), normalize(gold))) == int(similarity), answer
        for name, verdict in zip(("fuzzy:85", "fuzzy"), said, strict=True):
            (match,) = named(name).match([answer], Problem("1", "?", [gold]))
            assert match.correct == (verdict == "right"), f"{answer!r} by {name}"


def test_fuzzy_with_a_number_is_a_threshold_and_type_2_is_not_type_1_at_any():
    assert named("fuzzy") == FuzzyMatcher(90)
    problem = Problem("1", "?", ["Type 1 diabetes"])
    for threshold in (1, 85, 90):
        assert not FuzzyMatcher(threshold).match(["Type 2 diabetes"], problem)[0].correct


@pytest.mark.parametrize(
    ("verdict", "printed"),
    [
        ("1", "the judge is wrong about angina for Myocardial infarction\n"),
        ("NONE", "the judge is wrong about heart attack for Myocardial infarction\n"),
    ],
)
def test_the_check_of_a_judge_names_what_it_got_wrong(
    verdict: str, printed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """The page's own lines, with a judge that always gives one verdict."""
    (block,) = (each for each in read_blocks(PAGE) if each.language == "python")
    monkeypatch.setattr(setwise.models, "ask_function", lambda model: lambda messages: verdict)
    exec(block.text, {})
    assert capsys.readouterr().out == printed
