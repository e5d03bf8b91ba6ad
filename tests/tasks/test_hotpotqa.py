"""HotpotQA with paragraphs withheld."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from setwise.errors import InputError
from setwise.objectives import Regime
from setwise.tasks import Task, load_task
from setwise.tasks.json_list import read_json_list
from tests.tasks.made_up import hotpot_row

SUPPORTING = {"Town 3", "Town 7"}


def load(folder: Path, rows: list[dict[str, Any]], **options: Any) -> Task:
    (folder / "train.json").write_text(json.dumps(rows))
    return load_task("hotpotqa-modified", path=folder, **options)


def titles(question: str) -> set[str]:
    return {part.partition(":")[0] for part in question.split("\n\n")[2:]}


def many(count: int) -> list[dict[str, Any]]:
    return [hotpot_row(f"q{i}") for i in range(count)]


def test_a_problem_is_the_question_and_what_is_left_of_the_paragraphs(tmp_path: Path):
    task = load(tmp_path, [hotpot_row()])
    (problem,) = task
    assert task.regime is Regime.EXCLUSIVE
    assert [gold.text for gold in problem.golds or ()] == ["Town 3"]
    assert problem.question.text.startswith(
        "Question: Which town has q1 mills?\n\nParagraphs:\n\nTown 0: Town 0 lies by"
    )
    assert titles(problem.question.text) == {f"Town {i}" for i in range(10)} - set(problem.meta["removed"])


def test_the_paper_removes_one_or_both_supporting_paragraphs_and_nothing_else(tmp_path: Path):
    problems = list(load(tmp_path, many(400)))
    lost = Counter(frozenset(problem.meta["removed"]) for problem in problems)
    assert set(lost) == {frozenset({"Town 3"}), frozenset({"Town 7"}), frozenset(SUPPORTING)}
    assert 160 < lost[frozenset(SUPPORTING)] < 240
    assert min(lost.values()) > 60


def test_rlcr_removes_none_one_or_both_and_leaves_eight(tmp_path: Path):
    problems = list(load(tmp_path, many(300), policy="rlcr"))
    assert {len(titles(problem.question.text)) for problem in problems} == {8}
    counts = Counter(len(SUPPORTING - titles(problem.question.text)) for problem in problems)
    assert set(counts) == {0, 1, 2}
    assert min(counts.values()) > 60


def test_the_removal_depends_on_seed_and_id_and_not_on_the_other_rows(tmp_path: Path):
    rows = many(40)
    whole = {problem.id: problem.question.text for problem in load(tmp_path, rows, seed=5)}
    part = {problem.id: problem.question.text for problem in load(tmp_path, rows[::-3], seed=5)}
    assert part == {name: whole[name] for name in part}
    assert whole != {problem.id: problem.question.text for problem in load(tmp_path, rows, seed=6)}
    assert whole == {problem.id: problem.question.text for problem in load(tmp_path, rows, seed=6, removal_seed=5)}


def test_rows_without_ten_paragraphs_are_left_out_by_name_and_counted(tmp_path: Path):
    task = load(tmp_path, [hotpot_row("a"), hotpot_row("b", paragraphs=8), hotpot_row("c", paragraphs=2)])
    assert [problem.id for problem in task] == ["a"]
    assert task.left_out == {"not 10 paragraphs": 2}


def test_a_row_whose_support_is_not_there_is_left_out_by_another_rule(tmp_path: Path):
    task = load(tmp_path, [hotpot_row("a", supporting_facts=[["Town 3", 0], ["Atlantis", 0]])])
    assert list(task) == []
    assert task.left_out == {"not 2 supporting paragraphs": 1}


def test_a_limit_counts_problems_and_not_rows_left_out(tmp_path: Path):
    rows = [hotpot_row(f"q{i}", paragraphs=10 if i % 2 else 4) for i in range(20)]
    assert len(list(load(tmp_path, rows, limit=8, seed=1))) == 8
    assert [problem.id for problem in load(tmp_path, rows, limit=2)] == ["q1", "q3"]


@pytest.mark.parametrize("answer", ["", "  ", None])
def test_a_row_without_an_answer_is_an_error_and_not_a_skip(tmp_path: Path, answer: str | None):
    with pytest.raises(
        InputError, match=r'train.json: row 2: "answer" must be non-empty text, got .*; fill it in or remove'
    ):
        list(load(tmp_path, [hotpot_row("a"), hotpot_row("b", answer=answer)]))


def test_two_rows_with_one_id_are_an_error(tmp_path: Path):
    with pytest.raises(InputError) as caught:
        list(load(tmp_path, [hotpot_row("a"), hotpot_row("b"), hotpot_row("a")]))
    assert str(caught.value) == (
        "train.json: row 3: every problem needs its own id, and train.json: row 1 has this one too, "
        'got "a"; rename or remove one of them'
    )


def test_a_row_of_another_shape_names_its_place(tmp_path: Path):
    with pytest.raises(InputError, match='row 1: "context" must be pairs of title and sentences, got 3'):
        list(load(tmp_path, [hotpot_row(context=3)]))


def test_a_long_list_is_read_across_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("setwise.tasks.json_list.CHUNK_CHARACTERS", 7)
    values = [1234567890123, {"a": [1, 2, {"b": "x" * 40}]}, "]", -0.5, None, "é\n", []]
    (tmp_path / "list.json").write_text(json.dumps(values, indent=3))
    assert list(read_json_list(tmp_path / "list.json")) == values
    (tmp_path / "empty.json").write_text(" [ ]\n")
    assert list(read_json_list(tmp_path / "empty.json")) == []


@pytest.mark.parametrize(
    ("text", "place"), [('[{"a": 1}, {"b"', "row 2"), ("[1 2]", "row 2"), ("[1", "row 2"), ("[1,]", "row 2")]
)
def test_a_damaged_list_says_where(tmp_path: Path, text: str, place: str):
    (tmp_path / "list.json").write_text(text)
    with pytest.raises(
        InputError, match=f"list.json: {place}: the JSON list is damaged or breaks off .*; get the file again"
    ):
        list(read_json_list(tmp_path / "list.json"))


def test_a_file_that_is_no_list_is_refused(tmp_path: Path):
    (tmp_path / "list.json").write_text('{"data": []}')
    with pytest.raises(InputError, match="must hold one JSON list"):
        list(read_json_list(tmp_path / "list.json"))
