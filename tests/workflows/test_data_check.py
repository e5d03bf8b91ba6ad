"""`check_task`: what it counts, and what it complains about."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from setwise.answers import Match
from setwise.errors import InputError
from setwise.matching import exact
from setwise.matching.protocol import Matcher
from setwise.objectives import Regime
from setwise.questions import Gold, Problem
from setwise.tasks import LeftOut, Task, load_task
from setwise.workflows.data_check import Lengths, check_task, estimate_tokens, read_tokenizer
from tests.tasks.made_up import mbpp_row, real, write_mbpp


def task_of(*rows: Problem | LeftOut, matcher: Matcher = exact, regime: Regime = Regime.INCLUSIVE) -> Task:
    return Task(name="made-up", regime=regime, instruction="Answer.", read=lambda: rows, matcher=matcher)


GOOD = Problem("1", "Who?", ["Ada", Gold("Grace", ("Amazing Grace",)), "Hedy", "Emmy"])


def test_a_good_task_passes_and_is_counted():
    report = check_task(task_of(GOOD, LeftOut("too short", "row 2"), Problem("2", "Which?", ["this"])))
    assert report.passed
    assert (report.problems, report.golds, report.left_out) == (2, 5, {"too short": 1})
    assert report.lengths_are_estimates


def test_programs_cannot_be_guessed_blindly(tmp_path: Path):
    assert check_task(load_task("mbpp", path=write_mbpp(tmp_path, [mbpp_row(11)]), split="test")).blind_guess is None


@pytest.mark.parametrize("k", [1, 2, 3, 4, 7])
def test_all_golds_are_scored_together_whatever_k(k: int):
    tried: list[list[str]] = []

    class Noting:
        name = "noting"

        def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
            tried.append(list(answers))
            return exact.match(list(answers), problem)

    assert check_task(task_of(GOOD, matcher=Noting()), k=k).passed
    assert tried[0] == ["Ada", "Grace", "Hedy", "Emmy"]


def test_golds_that_count_as_one_answer_are_found():
    report = check_task(task_of(GOOD, Problem("2", "Which?", ["The flu", "flu"])))
    assert not report.passed
    assert report.complaints == (
        "2: golds that count as one answer: 'The flu' = 'flu'; make one an alias of the other",
    )


@pytest.mark.parametrize("k", [1, 2, 3])
def test_golds_that_count_as_one_answer_are_found_however_far_apart_they_stand(k: int):
    report = check_task(task_of(Problem("2", "Which?", ["The flu", "Gout", "Croup", "flu", "Cold", "a cold"])), k=k)
    [complaint] = report.complaints
    assert complaint.startswith("2: golds that count as one answer: 'The flu' = 'flu', 'Cold' = 'a cold'; make one")


def test_a_gold_the_matcher_rejects_is_found():
    class Deaf:
        name = "deaf"

        def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
            return [Match(answer != "Ada", evidence="heard nothing") for answer in answers]

    report = check_task(task_of(GOOD, matcher=Deaf()))
    assert report.complaints == ("1: nothing is earned by ['Ada'] (heard nothing)",)


def test_a_gold_that_cannot_be_written_inside_the_tags_is_found():
    report = check_task(task_of(Problem("1", "Which tag closes it?", ["</answer1>"])))
    assert report.n_complaints == 1
    assert "nothing is earned by ['</answer1>']" in report.complaints[0]


def test_a_repeated_id_and_an_empty_question_are_found():
    report = check_task(task_of(GOOD, Problem("1", " ", ["x"])))
    assert report.complaints == ("1: another problem has this id", "1: the question is empty")


def test_a_code_problem_without_a_reference_is_found():
    report = check_task(task_of(Problem("1", "Add.", tests=["assert add(1) == 2"])))
    assert report.complaints == ("1: a code problem without a reference solution cannot be checked",)


def test_many_complaints_are_counted_and_the_first_shown():
    report = check_task(task_of(*(Problem(str(i), " ", ["x"]) for i in range(50))))
    assert (report.n_complaints, len(report.complaints)) == (50, 20)


def test_a_task_without_problems_is_an_error():
    with pytest.raises(InputError, match="made-up: the task has no problems"):
        check_task(task_of(LeftOut("too short", "row 1")))


def test_lengths_come_from_the_tokenizer_that_is_given():
    def words(text: str) -> int:
        return len(text.split())

    report = check_task(task_of(Problem("1", "one two", ["three four five"])), count_tokens=words)
    assert not report.lengths_are_estimates
    assert report.answer_lengths == Lengths(3, 3, 3, 3)
    longer = check_task(task_of(Problem("1", "one two three", ["x"])), count_tokens=words)
    assert longer.prompt_lengths.longest == report.prompt_lengths.longest + 1


def test_an_estimate_is_a_quarter_of_the_characters():
    assert [estimate_tokens("x" * n) for n in (0, 1, 4, 5)] == [0, 1, 1, 2]


def test_a_tokenizer_file_counts_for_real(tmp_path: Path):
    tokenizers = pytest.importorskip("tokenizers", reason="counting tokens needs tokenizers")
    words = tokenizers.models.WordLevel({"fever": 0, "yes": 1, "?": 2}, unk_token="?")
    tokenizer = tokenizers.Tokenizer(words)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    assert read_tokenizer(str(tmp_path))("fever yes what") == 3


def test_a_file_that_is_no_tokenizer_is_one_line(tmp_path: Path):
    pytest.importorskip("tokenizers")
    (tmp_path / "README.md").write_text("# Not a tokenizer\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"README\.md: no tokenizer can be read there, got "):
        read_tokenizer(str(tmp_path / "README.md"))


def test_a_task_of_ones_own_passes(tmp_path: Path):
    (tmp_path / "cases.jsonl").write_text(json.dumps({"question": "?", "answers": ["C++", "C#", "C"]}) + "\n")
    assert check_task(load_task("jsonl", path=tmp_path / "cases.jsonl")).passed


@pytest.mark.parametrize("regime", ["exclusive", "inclusive"])
def test_the_clinic_passes(regime: str):
    assert check_task(load_task("clinic", regime=regime, limit=200)).passed


@pytest.mark.parametrize(
    "name", ["train", "validate", "test", pytest.param("train_short_differentials", marks=pytest.mark.slow)]
)
def test_every_real_patient_passes(name: str):
    assert check_task(load_task("ddxplus", path=real("ddxplus") / f"{name}.csv")).passed


@pytest.mark.parametrize("split", ["train", "test"])
def test_every_real_question_passes(split: str):
    assert check_task(load_task("hotpotqa-modified", path=real("hotpotqa"), split=split)).passed


AWKWARD = {"mbpp-367": "setup needs its class", "mbpp-927": "setup needs its class"}


def test_the_reference_solutions_of_awkward_real_programs_pass():
    task = load_task("mbpp", path=real("mbpp"), split="all")
    few = replace(task, read=lambda: [problem for problem in task if problem.id in AWKWARD])
    report = check_task(few)
    assert report.problems == 2
    assert report.complaints == ()


@pytest.mark.slow
@pytest.mark.parametrize("version", ["full", "sanitized"])
def test_every_real_reference_solution_passes(version: str):
    assert check_task(load_task("mbpp", path=real("mbpp"), split="all", version=version)).complaints == ()


def test_a_wrong_reference_solution_is_found(tmp_path: Path):
    file = write_mbpp(tmp_path, [mbpp_row(601), mbpp_row(602, code="def add(x):\n    return x")])
    report = check_task(load_task("mbpp", path=file))
    assert report.n_complaints == 1
    assert report.complaints[0].startswith("mbpp-602: ")
