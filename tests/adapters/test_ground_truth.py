"""The string that travels with a row, and the one function that reads it."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from setwise import InputError, MachineryError, Objective, Problem, Regime, score
from setwise.adapters import ground_truth as module
from setwise.adapters.grade import grade, terms, without_end_of_turn
from setwise.adapters.ground_truth import Grading, read_ground_truth, write_ground_truth
from setwise.adapters.turns import OneAtATime
from setwise.answers import Match
from setwise.contract import rejoined
from setwise.matching import FuzzyMatcher, JudgeMatcher, exact, named, same_keys
from setwise.matching.code import CodeMatcher
from setwise.objectives import PAPER_WEIGHTS, PRESETS, RewardPreset
from tests.adapters.cases import Case, completions_for, our_scores
from tests.completions import completion

PROBLEM = Problem("1", "Which?", ["Ada", "Grace"])
OBJECTIVE = Objective("rlcr-multi", 2)


class Broken:
    """A matcher whose machinery fails a given number of times."""

    name = "broken"

    def __init__(self, failures: int) -> None:
        self.failures = failures

    def match(self, answers: list[str], problem: Problem) -> list[Match]:
        self.failures -= 1
        if self.failures >= 0:
            raise MachineryError("no verdict")
        return exact.match(answers, problem)

    same = staticmethod(exact.same)


@pytest.mark.parametrize("name", ["rlvr-single", "rlcr-single", "rlvr-multi", "rlcr-multi"])
def test_grading_by_the_string_is_scoring_by_the_objects(name: str, every_case: list[Case]) -> None:
    for case in every_case:
        task = case.load()
        objective = Objective(name, regime=task.regime)
        for problem in task:
            texts = completions_for(problem, objective)
            ours = our_scores(texts, [problem] * len(texts), objective, task)
            text_of_row = write_ground_truth(problem, objective, task.matcher)
            assert [grade(text, text_of_row) for text in texts] == ours


@pytest.mark.parametrize(
    "objective",
    [
        Objective("rlcr-multi", 4, regime=Regime.EXCLUSIVE, preset="released"),
        Objective("rlcr-single", analysis=False, think_opened=True),
        Objective("rlcr-multi", 2, preset=RewardPreset("mine", {**PAPER_WEIGHTS, "format": 0.3}), sum_to_one="always"),
        Objective("rlvr-multi", 2, preset=RewardPreset("paper-vpo", set_value="vpo")),
    ],
)
def test_an_objective_survives_the_journey(objective: Objective) -> None:
    problem = Problem("1", "Which?", ["Ada"])
    assert read_ground_truth(write_ground_truth(problem, objective, exact)).objective == objective


def test_a_matcher_survives_the_journey_with_its_threshold() -> None:
    text = write_ground_truth(PROBLEM, OBJECTIVE, FuzzyMatcher(85.0))
    assert read_ground_truth(text).matcher == FuzzyMatcher(85.0)


def test_a_code_matcher_survives_the_journey_with_what_it_calls_the_same() -> None:
    for matcher, distinct in ((CodeMatcher(), 2), (CodeMatcher("ast_canonical"), 1)):
        text = write_ground_truth(PROBLEM, OBJECTIVE, matcher)
        keys = same_keys(read_ground_truth(text).matcher, ["def f(x): return x", "def f(y): return y"], PROBLEM)
        assert len(set(keys)) == distinct


def test_the_same_string_is_read_once() -> None:
    text = write_ground_truth(PROBLEM, OBJECTIVE, exact)
    assert read_ground_truth(text) is read_ground_truth("".join(text))


def test_question_and_notes_stay_at_home() -> None:
    problem = Problem("1", "A long question", ["Ada"], meta={"note": "a private note"})
    text = write_ground_truth(problem, OBJECTIVE, exact)
    assert "long question" not in text
    assert "private note" not in text


@pytest.mark.parametrize("matcher", [JudgeMatcher(lambda messages: "yes"), Broken(0)])
def test_a_matcher_that_cannot_be_made_again_is_refused(matcher: object) -> None:
    with pytest.raises(InputError, match="can travel to another engine"):
        write_ground_truth(PROBLEM, OBJECTIVE, matcher)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("text", ["", "42", "Ada", "{}", '["schema"]', json.dumps({"schema": 1, "problem": {}})])
def test_a_foreign_ground_truth_is_one_clear_line(text: str) -> None:
    with pytest.raises(InputError, match=r"a ground truth must be what `setwise export` writes, got .*; export"):
        grade("<think></think>", text)


def test_a_later_schema_is_refused() -> None:
    later = write_ground_truth(PROBLEM, OBJECTIVE, exact).replace('"schema": 2', '"schema": 3')
    with pytest.raises(InputError, match="schema of a ground truth must be 2, got 3"):
        read_ground_truth(later)


def test_a_row_of_schema_1_is_graded_with_the_weights_it_has() -> None:
    objective = Objective("rlcr-multi", 2, preset=RewardPreset("mine", {**PAPER_WEIGHTS, "format": 0.3}))
    row = json.loads(write_ground_truth(PROBLEM, objective, exact))
    weights = row["objective"]["preset"].pop("weights")
    row["objective"]["preset"] |= {f"{name}_weight": weight for name, weight in weights.items()}
    assert read_ground_truth(json.dumps(row | {"schema": 1})).objective == objective


@pytest.mark.parametrize("failures", [1, 2, 3])
def test_machinery_that_recovers_costs_nothing(failures: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = completion(OBJECTIVE, ["Ada", "Grace"])
    grading = Grading(PROBLEM, OBJECTIVE, Broken(failures))  # pyright: ignore[reportArgumentType]
    monkeypatch.setattr("setwise.adapters.grade.read_ground_truth", lambda _: grading)
    assert grade(text, "anything") == score(text, PROBLEM, OBJECTIVE)


def test_machinery_that_stays_broken_is_an_error_and_not_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    grading = Grading(PROBLEM, OBJECTIVE, Broken(99))  # pyright: ignore[reportArgumentType]
    monkeypatch.setattr("setwise.adapters.grade.read_ground_truth", lambda _: grading)
    with pytest.raises(MachineryError, match=r"problem 1: .*no verdict"):
        grade(completion(OBJECTIVE, ["Ada", "Grace"]), "anything")


def test_many_threads_share_one_sandbox(every_case: list[Case]) -> None:
    task = next(case for case in every_case if case.name == "mbpp").load()
    objective = Objective("rlvr-multi", 2)
    problem = next(iter(task))
    texts = completions_for(problem, objective) * 3
    row = write_ground_truth(problem, objective, task.matcher)
    with ThreadPoolExecutor(4) as threads:
        scores = list(threads.map(lambda text: grade(text, row), texts))
    assert scores == our_scores(texts, [problem] * len(texts), objective, task)
    assert isinstance(module.shared_matcher("code"), OneAtATime)
    assert module.shared_matcher("exact") is named("exact")


def test_terms_have_the_same_names_for_good_and_bad_completions() -> None:
    row = write_ground_truth(PROBLEM, OBJECTIVE, exact)
    good, bad = grade(completion(OBJECTIVE, ["Ada", "Grace"]), row), grade("nothing", row)
    counts = ["n_correct", "distinct", "strictly_valid"]
    assert list(terms(good)) == list(terms(bad)) == ["format", "correctness", "calibration", *counts]
    assert terms(good)["n_correct"] == 2.0


@pytest.mark.parametrize("end", ["<|im_end|>", "<|eot_id|>", "</s>", "<end_of_turn>\n", "<eos>"])
def test_the_token_that_ended_the_turn_is_cut_and_nothing_else(end: str) -> None:
    for text in ("<answer>Ada</answer>", "plain words", "a </s> inside", "x" * 500):
        assert without_end_of_turn(text + end) == text
        assert without_end_of_turn(text) == text


def test_rejoined_thinking_is_what_the_template_left_to_write() -> None:
    for opened in (False, True):
        objective = Objective("rlvr-single", think_opened=opened)
        whole = rejoined("hm", "<answer>Ada</answer>", opened=opened)
        assert score(whole, PROBLEM, objective).reward == 2.0
    assert rejoined(None, "<think>x</think>", opened=False) == "<think>x</think>"


def test_the_presets_are_named_and_not_spelled_out() -> None:
    row = json.loads(write_ground_truth(PROBLEM, OBJECTIVE, exact))
    assert row["objective"]["preset"] in PRESETS
