"""Completions become labelled sets, as training scores them."""

import json
from dataclasses import dataclass

import pytest

from setwise.answers import Match
from setwise.evaluation.generation import Inquiry
from setwise.evaluation.methods import named_method
from setwise.matching import FuzzyMatcher
from setwise.models import Completion
from setwise.models.scripted import ScriptedModel
from setwise.questions import Gold, Problem
from setwise.records.run import RunFolder
from tests.evaluation.made_up import MadeUpTask, multi_text, script, single_text, whole_run

MULTI = [multi_text([f"gold {i}a", "nonsense", f"gold {i}b"], [0.9, 0.2, 0.6]) for i in range(4)]


@pytest.fixture
def folder(tmp_path):
    return RunFolder(tmp_path / "run")


def test_a_written_set_is_scored_as_training_scores_it(folder):
    inquiry = Inquiry(MadeUpTask(), named_method("rlcr-multi"))
    metrics = whole_run(folder, inquiry, script({f"p{i}": [MULTI[i]] for i in range(4)}))
    assert metrics["coverage"].value == pytest.approx(2 / 3)
    assert metrics["recall"].value == 1
    assert metrics["uniqueness"].value == 3
    assert metrics["tokens"].value == 10
    assert metrics["pooled/brier"].value == pytest.approx((0.1**2 + 0.2**2 + 0.4**2) / 3)
    assert metrics.counts["completions"] == 4
    assert json.loads(folder.metrics.read_text())["metrics"]["coverage"]["value"] == pytest.approx(2 / 3)


def test_independent_samples_are_matched_together_as_one_set(folder):
    replies = [single_text("gold 0a"), single_text("the GOLD 0a."), single_text("other")]
    inquiry = Inquiry(MadeUpTask(1), named_method("rlvr-single"))
    metrics = whole_run(folder, inquiry, script({"p0": replies}))
    assert metrics["n_correct"].value == 1
    assert metrics["n_correct_with_repeats"].value == 2
    assert metrics["pass_at_1"].value == pytest.approx(2 / 3)
    assert metrics["uniqueness"].value == 2
    assert metrics["tokens"].value == 30


def test_more_samples_form_several_sets(folder):
    inquiry = Inquiry(MadeUpTask(1), named_method("rlcr-single").sized(k=2, samples=4))
    replies = [single_text(f"gold 0{letter}", 0.5) for letter in "abab"]
    metrics = whole_run(folder, inquiry, script({"p0": replies}))
    assert metrics.counts["attempts"] == 2
    assert metrics["coverage"].value == 1
    assert metrics["top1/brier"].value == 0.25
    assert "set/ece" not in metrics
    assert "coverage" in metrics


def test_self_consistency_states_the_frequency_of_an_answer(folder):
    said = ["gold 0a"] * 5 + ["other"] * 3 + ["gold 0b"]
    replies = [single_text(answer) for answer in said] + ["no answer at all"]
    inquiry = Inquiry(MadeUpTask(1), named_method("self-consistency"))
    whole_run(folder, inquiry, script({"p0": replies}))
    [attempt] = folder.attempts()
    assert attempt.forms == ("gold 0a", "other", "gold 0b")
    assert attempt.confidences == (0.5, 0.3, 0.1)
    assert attempt.correct == (True, False, True)
    assert attempt.tokens == 100


def test_malformed_completions_are_wrong_and_their_reasons_counted(folder):
    inquiry = Inquiry(MadeUpTask(2), named_method("rlcr-multi"))
    metrics = whole_run(folder, inquiry, script({"p0": ["<think>hm"], "p1": [MULTI[1]]}))
    assert metrics["coverage"].value == pytest.approx(1 / 3)
    assert metrics.counts["parse/truncated"] == 1
    assert metrics["strictly_valid"].value == 0.5
    assert metrics.counts["pooled/n_excluded"] == 3


@pytest.mark.parametrize(("reasons", "share"), [(("length", "stop"), 0.5), ((None, "stop"), 0.0), ((None, None), None)])
def test_completions_count_as_cut_off_only_where_their_end_is_on_record(folder, reasons, share):
    inquiry = Inquiry(MadeUpTask(2), named_method("rlcr-multi"))
    replies = {f"p{i}": [Completion("<think>hm", reason, 10)] for i, reason in enumerate(reasons)}
    metrics = whole_run(folder, inquiry, ScriptedModel(replies))
    found = metrics.get("truncated")
    assert (found and found.value) == share
    assert metrics.counts["parse/truncated"] == 2


def test_reasoning_that_repeats_itself_shows_as_overlap(folder):
    inquiry = Inquiry(MadeUpTask(1), named_method("rlvr-single"))
    metrics = whole_run(folder, inquiry, script({"p0": [single_text("a"), single_text("b"), single_text("c")]}))
    assert metrics["reasoning_overlap"].value == 1


class CodeTask(MadeUpTask):
    def __iter__(self):
        for number in range(self.size):
            yield Problem(f"p{number}", "Write f.", tests=["assert f(0) == 1"])


@dataclass(frozen=True)
class AlwaysRight:
    name: str = "right"

    def match(self, answers, problem):
        return [Match(True) for _ in answers]

    def same(self, answers, problem):
        return [answer.partition("#")[0].strip() for answer in answers]


def test_programs_are_told_apart_by_their_trees_and_broken_ones_are_no_answers(folder):
    @dataclass(frozen=True)
    class Passing:
        name: str = "passing"

        def match(self, answers, problem):
            return [Match("return 1" in answer) for answer in answers]

    programs = ["def f(a):\n    return 1", "def f(b):\n    return 1  # one", "def f(:"]
    inquiry = Inquiry(CodeTask(1, matcher=Passing()), named_method("rlvr-multi"))
    metrics = whole_run(folder, inquiry, script({"p0": [multi_text(programs)]}))
    assert metrics["n_correct"].value == 2
    assert metrics["uniqueness"].value == 2
    assert metrics["uniqueness/canonical"].value == 1
    assert metrics["distinct_correct/canonical"].value == 1
    assert "recall" not in metrics
    assert "attainable_coverage" not in metrics


def test_the_same_right_program_sampled_twice_counts_once(folder):
    inquiry = Inquiry(CodeTask(1, matcher=AlwaysRight()), named_method("rlvr-single"))
    replies = [single_text(program) for program in ("x = 1", "x = 1  # one", "x = 2")]
    metrics = whole_run(folder, inquiry, script({"p0": replies}))
    assert metrics["n_correct"].value == 2
    assert metrics["n_correct_with_repeats"].value == 3


def test_the_same_right_program_written_twice_counts_once(folder):
    inquiry = Inquiry(CodeTask(1, matcher=AlwaysRight()), named_method("rlvr-multi"))
    metrics = whole_run(folder, inquiry, script({"p0": [multi_text(["x = 1", "x = 1  # one", "x = 2"])]}))
    assert metrics["n_correct"].value == 2
    assert metrics["n_correct_with_repeats"].value == 3


@dataclass(frozen=True)
class InPart(AlwaysRight):
    """Passes as many of its tests as the program says, from the first on."""

    def match(self, answers, problem):
        passed = [int(answer[-1]) for answer in answers]
        return [Match(number == len(problem.tests), passed=(1 << number) - 1) for number in passed]


class FourTests(MadeUpTask):
    def __iter__(self):
        yield Problem("p0", "Write f.", tests=[f"assert f({number})" for number in range(4)])


@pytest.mark.parametrize(("numbers", "best"), [("130", 0.75), ("004", 1.0), ("000", 0.0)])
def test_the_best_program_of_a_set_counts_in_part(folder, numbers, best):
    programs, task = [f"x = {number}" for number in numbers], FourTests(1, matcher=InPart())
    written = whole_run(folder, Inquiry(task, named_method("rlvr-multi")), script({"p0": [multi_text(programs)]}))
    assert written["best_at_k"].value == best
    assert written["pass_at_k"].value == (best == 1)
    replies = [single_text(program) for program in programs]
    sampled = RunFolder(folder.path / "sampled")
    metrics = whole_run(sampled, Inquiry(task, named_method("rlvr-single")), script({"p0": replies}))
    assert metrics["best_at_k"].value == best
    assert [(attempt.passed, attempt.tests) for attempt in sampled.attempts()] == [(tuple(map(int, numbers)), 4)]


def test_sets_of_golds_have_no_best_program(folder):
    inquiry = Inquiry(MadeUpTask(1), named_method("rlcr-multi"))
    assert whole_run(folder, inquiry, script({"p0": [MULTI[0]]})).get("best_at_k") is None


def test_programs_that_cannot_be_read_are_no_different_programs(folder):
    task = CodeTask(2, matcher=AlwaysRight())
    replies = {"p0": [multi_text(["x = 1", "y = 1", "x = 2"])], "p1": ["no tags"]}
    metrics = whole_run(folder, Inquiry(task, named_method("rlvr-multi")), script(replies))
    assert metrics["uniqueness"].value == 3 / 2
    assert metrics["uniqueness/canonical"].value == 2 / 2
    assert metrics["distinct_correct/canonical"].value == 2 / 2


def test_answers_of_several_completions_are_told_apart_together(folder):
    """Each completion alone would name its answer after itself, and one answer would be three."""
    said = ["pneumonia", "pneumonias", "pnuemonia", "croup"]
    task = MadeUpTask(1, matcher=FuzzyMatcher(85))
    whole_run(folder, Inquiry(task, named_method("rlvr-single").sized(k=2, samples=4)), script({"p0": singles(said)}))
    assert [attempt.forms for attempt in folder.attempts()] == [("pneumonia", "pneumonia"), ("pneumonia", "croup")]


def test_votes_for_one_answer_are_counted_together(folder):
    said = ["pneumonia", "pneumonias", "pnuemonia", "croup", "croup"] * 2
    task = MadeUpTask(1, matcher=FuzzyMatcher(85))
    whole_run(folder, Inquiry(task, named_method("self-consistency")), script({"p0": singles(said)}))
    [attempt] = folder.attempts()
    assert attempt.forms == ("pneumonia", "croup")
    assert attempt.confidences == (0.6, 0.4)


def test_aliases_written_in_several_sets_are_one_answer_to_the_run(folder):
    class Heart(MadeUpTask):
        def __iter__(self):
            yield Problem("p0", "?", [Gold("Myocardial infarction", ("heart attack", "MI"))])

    sets = [multi_text([name, "gout", "croup"]) for name in ("MI", "heart attack")]
    whole_run(folder, Inquiry(Heart(1), named_method("rlvr-multi").sized(k=3, samples=2)), script({"p0": sets}))
    assert [attempt.forms[0] for attempt in folder.attempts()] == ["myocardial infarction"] * 2


def singles(answers):
    return [single_text(answer) for answer in answers]
