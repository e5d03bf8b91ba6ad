"""Canned replies."""

import pytest

from setwise.errors import InputError, ModelError
from setwise.models import Completion, Request, open_model
from setwise.models.scripted import read_script
from tests.evaluation.made_up import script


def test_the_nth_sample_is_the_nth_reply_and_nothing_is_made_up(tmp_path):
    file = tmp_path / "replies.jsonl"
    file.write_text(
        '{"problem": "a", "text": "one", "tokens": 3, "finish_reason": "stop"}\n'
        '{"problem": "b", "text": "x"}\n'
        '{"problem": "a", "text": "two", "sample": 1}\n'
    )
    model = open_model(f"scripted:{file}")
    wanted = [Request("a", 1, []), Request("a", 0, []), Request("a", 2, []), Request("c", 0, [])]
    answers = [answer for _, answer in model.complete(wanted)]
    assert answers[:2] == [Completion("two"), Completion("one", "stop", 3)]
    assert all(isinstance(answer, ModelError) for answer in answers[2:])
    assert str(answers[2]) == "the script has 2 replies to problem a, not more"


def test_a_script_is_named_by_its_file_and_what_it_says(tmp_path):
    names = []
    for folder, text in (("a", "one"), ("b", "two"), ("c", "one")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "r.jsonl").write_text(f'{{"problem": "a", "text": "{text}"}}\n')
        names.append(read_script(tmp_path / folder / "r.jsonl").name)
    assert names[0].startswith("scripted:r.jsonl#")
    assert names[0] == names[2] != names[1]


def test_a_script_does_not_go_on_from_a_forced_beginning():
    with pytest.raises(InputError, match="a script cannot go on"):
        list(script({"a": ["0.7"]}).complete([Request("a", 0, [], prefix="<confidence>")]))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('{"text": "x"}', '"problem" must be the id of a problem, got null'),
        ('{"problem": "a"}', '"text" must be a string, got null'),
        ('{"problem": "a", "text": "x", "tokens": "many"}', '"tokens" must be a whole number, got "many"'),
        ('{"problem": "a", "text": "x", "sample": 5}', '"sample" must count from 0, here 0, got 5'),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, complaint):
    file = tmp_path / "replies.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(InputError) as caught:
        read_script(file)
    assert str(caught.value) == f"{file}:1: {complaint}"
