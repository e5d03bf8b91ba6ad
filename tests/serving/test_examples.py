"""Examples for the page come back as they were written, and what is no example is refused in one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from setwise.errors import InputError
from setwise.serving.examples import EXAMPLES, PageExample, read_examples, write_examples

COUGH = PageExample("The cough", "Fever and a cough?", (("Pneumonia", 0.75), ("Gout", 0.25)))


def test_examples_come_back_from_their_file_and_from_its_folder(tmp_path: Path):
    examples = (COUGH, PageExample("The toe", "A swollen toe?"))
    write_examples(tmp_path / EXAMPLES, examples)
    assert read_examples(tmp_path / EXAMPLES) == read_examples(tmp_path) == examples


def test_a_folder_without_the_file_has_no_examples_but_a_named_file_must_be_there(tmp_path: Path):
    assert read_examples(tmp_path) == ()
    with pytest.raises(InputError, match=r"mine\.json: the file cannot be read"):
        read_examples(tmp_path / "mine.json")


def test_the_likeliest_answer_comes_first_however_the_file_has_them():
    beliefs = [{"answer": "Gout", "probability": 0.25}, {"answer": "Pneumonia", "probability": 0.75}]
    record = {"title": "The cough", "question": "Fever and a cough?", "posterior": beliefs}
    assert PageExample.from_record(record) == COUGH


@pytest.mark.parametrize(
    ("examples", "rule"),
    [
        ({}, '"examples" must be a list'),
        (["Fever?"], "an example must be a JSON object"),
        ([{"title": "The cough"}], 'the "question" of an example must be a non-empty string'),
        ([{"title": " ", "question": "Fever?"}], 'the "title" of an example must be a non-empty string'),
        ([{"title": "a", "question": "b", "posterior": "Gout"}], '"posterior" must be a list or null'),
        ([{"title": "a", "question": "b", "posterior": [{"answer": "Gout"}]}], "a belief has"),
        ([{"title": "a", "question": "b", "posterior": [{"answer": "Gout", "probability": 2}]}], "a belief has"),
    ],
)
def test_what_is_no_example_is_refused_with_its_place(examples: Any, rule: str, tmp_path: Path):
    (tmp_path / EXAMPLES).write_text(json.dumps({"examples": examples}), encoding="utf-8")
    with pytest.raises(InputError, match=rule) as caught:
        read_examples(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / EXAMPLES}: ")
