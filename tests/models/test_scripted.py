"""Canned replies."""

from typing import Any

import pytest

from setwise.errors import InputError, ModelError
from setwise.models import Completion, Request, open_model
from setwise.models.scripted import read_script
from setwise.questions import Question
from tests.evaluation.made_up import script


def ask(question: str, sample: int = 0, **more: Any) -> Request:
    return Request([], question=Question("", question), sample=sample, **more)


def test_the_nth_sample_is_the_nth_reply_and_nothing_is_made_up(tmp_path):
    file = tmp_path / "replies.jsonl"
    file.write_text(
        '{"problem": "a", "text": "one", "tokens": 3, "finish_reason": "stop"}\n'
        '{"problem": "b", "text": "x"}\n'
        '{"problem": "a", "text": "two", "sample": 1}\n'
    )
    model = open_model(f"scripted:{file}")
    wanted = [ask("a", 1), ask("a", 0), ask("a", 2), ask("c")]
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
    with pytest.raises(InputError, match="a script cannot continue"):
        list(script({"a": ["0.7"]}).complete([ask("a", prefix="<confidence>")]))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('{"text": "x"}', 'a completion needs its "problem", or the id of one, got ["text"]'),
        ('{"problem": null, "text": "x"}', '"problem" must be a problem or the id of one, got null'),
        (
            '{"problem": {"question": "?"}, "text": "x"}',
            '"problem" must be a problem with its "id", got {"question": "?"}',
        ),
        ('{"problem": "a"}', 'a completion needs "text", what the model wrote, got null'),
        ('{"problem": "a", "text": "x", "tokens": "many"}', '"tokens" must be a whole number >= 0, got "many"'),
        ('{"problem": "a", "text": "x", "sample": -1}', '"sample" must be a whole number >= 0, got -1'),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, complaint):
    file = tmp_path / "replies.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(InputError) as caught:
        read_script(file)
    assert str(caught.value) == f"{file}:1: {complaint}"


def test_samples_may_come_in_any_order_but_none_may_lack_or_come_twice(tmp_path):
    file = tmp_path / "replies.jsonl"

    def write(*samples: int) -> None:
        file.write_text("".join(f'{{"problem": "a", "text": "{i}", "sample": {i}}}\n' for i in samples))

    write(2, 0, 1)
    assert read_script(file).replies == {"a": (Completion("0"), Completion("1"), Completion("2"))}
    write(5)
    with pytest.raises(InputError) as caught:
        read_script(file)
    assert str(caught.value) == f'{file}, problem a: "sample" must count from 0, and 0 is missing'
    write(0, 1, 1)
    with pytest.raises(InputError) as caught:
        read_script(file)
    assert str(caught.value) == f"{file}:3: a script has each sample of a problem once, got 1"


def test_a_script_answers_only_questions_that_have_an_id():
    for request in (Request([]), Request([], question=Question("Who?"))):
        with pytest.raises(InputError, match="scripted: a script answers questions that have an id"):
            list(script({"a": ["x"]}).complete([request]))
