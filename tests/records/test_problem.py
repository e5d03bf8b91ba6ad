"""Problems and questions as records."""

from typing import Any

import pytest

from setwise import Gold, InputError, Problem, Question
from setwise.records.files import dump_record, parse_record
from setwise.records.problem import asked_from_record, asked_to_record, problem_from_record, problem_to_record

PROBLEMS = [
    Problem("1", "?", ["Gout", Gold("MI", ("heart attack",))], meta={"age": 61}),
    Problem("2", "write f", tests=["assert f() == 1"], setup="x = 1", reference="def f(): return 1"),
]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_problem_survives_the_round_trip(problem: Problem):
    record = parse_record(dump_record(problem_to_record(problem)), "here")
    assert problem_from_record(record) == problem
    assert problem_from_record(record).meta == problem.meta


@pytest.mark.parametrize("asked", [*PROBLEMS, Question("Who?", "7"), Question("", "7"), Question("Who?")])
def test_what_was_asked_survives_the_round_trip(asked: Problem | Question):
    assert asked_from_record(parse_record(dump_record(asked_to_record(asked)), "here")) == asked


@pytest.mark.parametrize("id", ["7", 7])
def test_an_id_by_itself_is_a_question(id: object):
    assert asked_from_record(id) == Question("", "7")


@pytest.mark.parametrize("record", [None, "", True, ["7"], 1.5])
def test_what_is_neither_a_problem_nor_an_id_is_refused(record: object):
    with pytest.raises(InputError, match='here: "problem" must be a problem or the id of one'):
        asked_from_record(record, "here")


def test_aliases_may_stand_beside_the_golds():
    record = {"id": 1, "question": "?", "golds": ["Gout", "MI"], "aliases": {"MI": ["heart attack"]}}
    assert problem_from_record(record).golds == (Gold("Gout"), Gold("MI", ("heart attack",)))
    with pytest.raises(InputError, match='here: "aliases" must map a gold to a list of other names, got 3'):
        problem_from_record({**record, "aliases": 3}, "here")


@pytest.mark.parametrize("read", [asked_from_record, problem_from_record])
def test_what_is_right_is_never_called_answers(read: Any):
    record = {"id": "1", "question": "?", "answers": ["Gout"]}
    with pytest.raises(InputError, match=r'here: what is right is called "golds".*rename "answers" to "golds"'):
        read(record, "here")
    assert read({**record, "golds": ["Croup"]}).golds == (Gold("Croup"),)


@pytest.mark.parametrize(
    ("record", "remedy"),
    [
        ({"id": "1", "question": "?", "gold": ["x"]}, 'rename "gold" to "golds"'),
        ({"id": "1", "question": "?", "answer": ["x"]}, 'rename "answer" to "golds"'),
        ({"id": "1", "question": "?", "test": ["assert f()"]}, 'rename "test" to "tests"'),
        ({"id": "1", "Question": "?", "golds": ["x"]}, 'rename "Question" to "question"'),
        ({"id": "1", "question": "?", "golds": ["x"], "alias": {"x": ["y"]}}, 'rename "alias" to "aliases"'),
    ],
)
def test_a_misspelt_field_is_answered_with_the_right_one(record: Any, remedy: str):
    with pytest.raises(InputError) as caught:
        asked_from_record(record, "cases.jsonl:7")
    assert str(caught.value).startswith("cases.jsonl:7: ")
    assert str(caught.value).endswith(f"; {remedy}")
