"""MBPP: what the prompt shows, what grading sees, and which split a task is in."""

import json
from pathlib import Path
from typing import Any

import pytest

from setwise import Objective, score
from setwise.errors import InputError
from setwise.matching.protocol import let_go_after
from setwise.tasks import load_task
from tests.tasks.made_up import mbpp_row, write_mbpp


def test_the_prompt_shows_the_first_assert_and_grading_sees_all(tmp_path: Path):
    (problem,) = load_task("mbpp", path=write_mbpp(tmp_path, [mbpp_row(601)]))
    assert problem.question.text == (
        "Write a function that adds 601.\n\nThe program must pass this test, among others:\nassert add(1) == 602"
    )
    assert problem.tests == ("assert add(1) == 602", "assert add(2) == 603")
    assert problem.golds is None
    assert problem.reference == "def add(x):\n    return x + 601"


@pytest.mark.parametrize(
    ("split", "numbers"),
    [
        ("prompt", [1, 10]),
        ("test", [11, 510]),
        ("validation", [511, 600]),
        ("train", [601, 974]),
        (None, [601, 974]),
        ("all", [1, 10, 11, 510, 511, 600, 601, 974]),
    ],
)
def test_the_official_splits_go_by_task_id(tmp_path: Path, split: str | None, numbers: list[int]):
    file = write_mbpp(tmp_path, [mbpp_row(number) for number in (1, 10, 11, 510, 511, 600, 601, 974)])
    assert [problem.id for problem in load_task("mbpp", path=file, split=split)] == [f"mbpp-{n}" for n in numbers]


def test_setup_code_is_kept_for_grading_and_shown_only_on_request(tmp_path: Path):
    file = write_mbpp(tmp_path, [mbpp_row(700, test_setup_code="root = Node(1)\r\nroot.left = Node(2)")])
    (plain,) = load_task("mbpp", path=file)
    (shown,) = load_task("mbpp", path=file, show_setup=True)
    assert plain.setup == shown.setup == "root = Node(1)\nroot.left = Node(2)"
    assert "Node" not in plain.question.text
    assert plain.setup in shown.question.text


def test_challenge_tests_count_only_on_request(tmp_path: Path):
    file = write_mbpp(tmp_path, [mbpp_row(700, challenge_test_list=["assert add(0) == 700"])])
    (plain,) = load_task("mbpp", path=file)
    (hard,) = load_task("mbpp", path=file, challenge_tests=True)
    assert hard.tests == (*plain.tests, "assert add(0) == 700")


@pytest.mark.parametrize(("uniqueness", "distinct"), [("ast_raw", 2), ("ast_canonical", 1)])
def test_a_set_that_repeats_a_program_in_other_words_earns_nothing_on_request(
    tmp_path: Path, uniqueness: str, distinct: int
):
    task = load_task("mbpp", path=write_mbpp(tmp_path, [mbpp_row(700)]), uniqueness=uniqueness)
    (problem,) = task
    programs = [f"def add({name}):\n    return {name} + 700" for name in ("x", "number")]
    answers = "\n".join(f"<answer{place}>{text}</answer{place}>" for place, text in enumerate(programs, start=1))
    objective = Objective("rlvr-multi", k=2, regime=task.regime)
    with let_go_after(task.matcher) as matcher:
        scored = score(f"<think>hm</think>\n{answers}", problem, objective, matcher=matcher)
    assert scored.labels == [True, True]
    assert scored.distinct == distinct
    assert scored.terms["correctness"] == (2 if distinct == 2 else 0)


def test_an_unknown_kind_of_uniqueness_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match="must be ast_raw or ast_canonical"):
        load_task("mbpp", path=write_mbpp(tmp_path, [mbpp_row(700)]), uniqueness="names")


def test_the_sanitized_file_has_its_own_fields(tmp_path: Path):
    row = mbpp_row(700, prompt="Add.", test_imports=["import math", "import re"])
    del row["text"], row["test_setup_code"], row["challenge_test_list"]
    (tmp_path / "sanitized-mbpp.json").write_text(json.dumps([row]))
    (problem,) = load_task("mbpp", path=tmp_path, version="sanitized")
    assert problem.question.text.startswith("Add.\n\n")
    assert problem.setup == "import math\nimport re"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"code": ""}, r'mbpp.jsonl:2: "code" must be non-empty text, got ""; fill it in'),
        ({"test_list": []}, r'mbpp.jsonl:2: "test_list" must be a non-empty list of strings, got \[\]; fill it in'),
        ({"task_id": "7"}, 'mbpp.jsonl:2: "task_id" must be a whole number from 1 to 974, got "7"'),
        ({"task_id": 601}, "mbpp.jsonl:2: every problem needs its own id, and mbpp.jsonl:1 has this one too"),
    ],
)
def test_bad_rows_say_what_is_wrong_and_where(tmp_path: Path, fields: dict[str, Any], message: str):
    with pytest.raises(InputError, match=message):
        list(load_task("mbpp", path=write_mbpp(tmp_path, [mbpp_row(601), mbpp_row(602, **fields)])))


def test_a_file_of_another_kind_is_refused(tmp_path: Path):
    (tmp_path / "mbpp.txt").write_text("")
    with pytest.raises(InputError, match=r"MBPP is mbpp.jsonl or sanitized-mbpp.json; the files come from"):
        list(load_task("mbpp", path=tmp_path / "mbpp.txt"))
