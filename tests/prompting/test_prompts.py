"""Each prompt states its own contract, and the contract is what the parser wants."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise import AnswerSet, InputError, Objective, Problem, Question, parse
from setwise.contract import THINK, tags_of
from setwise.objectives import OBJECTIVES
from setwise.prompting import messages, read_prompt_file, system_prompt
from setwise.prompting.marks import KNOWN, fill, literal

PROBLEM = Problem("1", "Which city?", ["Paris"])


@pytest.mark.parametrize("name", OBJECTIVES)
@pytest.mark.parametrize("regime", ["exclusive", "inclusive"])
def test_the_format_shown_parses_once_its_numbers_are_filled_in(name: str, regime: str):
    objective = Objective(name, regime=regime)
    prompt = system_prompt(objective)
    last = tags_of(objective.format)[-1].closing
    shown = prompt[prompt.index(THINK.opening) : prompt.rindex(last) + len(last)]
    parsed = parse(shown.replace("a number from 0 to 1", "0.2"), objective)
    assert isinstance(parsed, AnswerSet)
    assert len(parsed.candidates) == objective.k


@pytest.mark.parametrize("name", OBJECTIVES)
def test_no_mark_is_left_unfilled(name: str):
    assert "{" not in system_prompt(Objective(name, preset="released"))


def test_a_multi_prompt_says_how_many_and_that_they_differ():
    prompt = system_prompt(Objective("rlvr-multi", k=7))
    assert "exactly 7 candidates, all different" in prompt


@pytest.mark.parametrize(
    ("objective", "asked"),
    [
        (Objective("rlcr-multi", regime="exclusive"), True),
        (Objective("rlcr-multi", regime="inclusive"), False),
        (Objective("rlcr-multi", regime="inclusive", sum_to_one="always"), True),
        (Objective("rlcr-multi", regime="inclusive", preset="released"), True),
        (Objective("rlcr-single", regime="exclusive"), False),
        (Objective("rlvr-multi", regime="exclusive"), False),
    ],
)
def test_a_sum_up_to_one_is_asked_for_where_it_means_something(objective: Objective, asked: bool):
    assert ("must not exceed 1" in system_prompt(objective)) is asked


def test_a_users_prompt_replaces_ours_and_keeps_its_own_braces(tmp_path: Path):
    path = tmp_path / "prompt.txt"
    path.write_text('Give {K} as {FORMAT}; not {{json}}, {"a": 1}, { x } or {}.')
    chat = messages(PROBLEM.question, Objective("rlvr-multi", k=2), prompt=read_prompt_file(path))
    assert chat[0]["content"].startswith("Give 2 as <think>")
    assert chat[0]["content"].endswith('; not {json}, {"a": 1}, { x } or {}.')
    assert chat[1] == {"role": "user", "content": "Which city?"}


@pytest.mark.parametrize(
    ("mark", "remedy"),
    [("k", "did you mean K? write {{k}} if it is text"), ("QUESTION", "write {{QUESTION}} if it is text")],
)
def test_an_unknown_mark_is_refused_with_its_line_and_those_there_are(tmp_path: Path, mark: str, remedy: str):
    path = tmp_path / "prompt.txt"
    path.write_text(f"Answer.\nGive {{{mark}}} answers as {{FORMAT}}.")
    rule = "a mark of a prompt is one of {K}, {FORMAT}, {SUM_RULE}, {ANALYSIS_RULE}"
    with pytest.raises(InputError) as caught:
        read_prompt_file(path)
    assert str(caught.value) == f'{path}:2: {rule}, got "{{{mark}}}"; {remedy}'
    with pytest.raises(InputError, match="a mark of a prompt is one of"):
        system_prompt(Objective("rlvr-multi"), path.read_text())


@given(st.text(alphabet="{}kK aé1_"))
def test_a_literal_prompt_is_filled_in_to_the_text_it_was_made_from(text: str):
    assert fill(literal(text), dict.fromkeys(KNOWN, "?")) == text


def test_a_question_needs_no_id_to_be_asked():
    chat = messages(Question("Which city?"), Objective("rlvr-single"), instruction="Name a city.")
    assert chat == messages(Question("Which city?", id="7"), Objective("rlvr-single"), instruction="Name a city.")
    assert chat[1] == {"role": "user", "content": "Name a city.\n\nWhich city?"}


def test_a_prompt_file_that_cannot_be_used_is_named(tmp_path: Path):
    (tmp_path / "empty.txt").write_text(" \n")
    with pytest.raises(InputError, match=r"empty\.txt: a prompt file must not be empty"):
        read_prompt_file(tmp_path / "empty.txt")
    with pytest.raises(InputError, match=r"gone\.txt: the prompt file cannot be read"):
        read_prompt_file(tmp_path / "gone.txt")


def test_the_documents_list_every_mark_and_no_other():
    text = (Path(__file__).parents[2] / "docs" / "how-to" / "train.md").read_text(encoding="utf-8")
    rows = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `{")]
    assert rows == [f"{{{mark}}}" for mark in KNOWN]
