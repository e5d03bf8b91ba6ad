"""A reference that fails its own tests: scoring, training and evaluation name the problem once and leave it out."""

import json
import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from setwise import Objective, score, score_batch
from setwise.adapters.export.data import export_job
from setwise.adapters.grade import grade
from setwise.adapters.ground_truth import write_ground_truth
from setwise.answers import Match
from setwise.cli import main
from setwise.credit import CompletionDecoder
from setwise.errors import BrokenProblem, MachineryError
from setwise.evaluation.generation import Inquiry
from setwise.evaluation.methods import named_method
from setwise.matching.code import CodeMatcher
from setwise.objectives import Regime
from setwise.questions import Problem
from setwise.records.attempt import Attempt
from setwise.records.files import read_records
from setwise.records.problem import problem_to_record
from setwise.records.run import RunFolder
from setwise.records.training_log import Alarm
from setwise.tasks import Task
from setwise.training.run.broken import note_broken
from setwise.training.run.reward import SetReward
from setwise.workflows.data_check import check_task
from tests.completions import completion
from tests.credit.characters import END, Characters, tokens
from tests.evaluation.made_up import MadeUpTask, asked, script
from tests.evaluation.made_up import score_run as scored_run
from tests.training.tiny_clinic import make_job

SETS = Objective("rlvr-multi", k=2)
TESTS = ["assert f(2) == 4"]
PROGRAMS = ["def f(x): return x * x", "def f(x): return 5"]
GOOD = Problem("good", "Square.", tests=TESTS, reference="def f(x): return x ** 2")
BROKEN = Problem("broken", "Square.", tests=TESTS, reference="def f(x): return x + 1")
SILENT = Problem("silent", "Square.", tests=TESTS, reference="x = 1")
WHY = "problem broken: its reference does not pass its own tests (failed: 0 of 1 asserts"


@pytest.fixture(scope="module")
def matcher() -> Iterator[CodeMatcher]:
    with CodeMatcher(workers=1) as made:
        yield made


def test_scoring_one_completion_raises_whatever_it_says(matcher: CodeMatcher):
    for text in (completion(SETS, PROGRAMS), "nonsense"):
        with pytest.raises(BrokenProblem, match="problem broken: its reference does not pass") as caught:
            score(text, BROKEN, SETS, matcher=matcher)
        assert (caught.value.problem, caught.value.status) == ("broken", "failed")
    assert isinstance(caught.value, MachineryError)


def test_scoring_many_leaves_out_those_of_the_broken_problem(matcher: CodeMatcher):
    texts = [completion(SETS, PROGRAMS), completion(SETS, PROGRAMS), "nonsense", "nonsense"]
    scores = score_batch(texts, [GOOD, BROKEN, GOOD, BROKEN], SETS, matcher=matcher)
    assert [each.reward for each in scores] == [2.0, None, 0.0, None]
    assert [each.broken_problem for each in scores] == [False, True, False, True]
    assert all((each.error or "").startswith(f"BrokenProblem: {WHY}") for each in scores[1::2])
    assert scores[1].answers == PROGRAMS


def test_a_broken_problem_is_not_tried_again():
    tries: Counter[str] = Counter()

    class Counting:
        name = "counting"

        def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
            tries[problem.id] += 1
            raise BrokenProblem(problem.id, "unsupported_test", "unsupported_test: uses While")

    (found,) = score_batch([completion(SETS, PROGRAMS)], [GOOD], SETS, matcher=Counting())
    assert (found.reward, found.broken_problem, tries["good"]) == (None, True, 1)


def rewarded(matcher: CodeMatcher, *rows: tuple[str, Problem]) -> tuple[list[float | None], dict[str, float]]:
    metrics: dict[str, float] = {}
    reward = SetReward(SETS, matcher, CompletionDecoder(Characters(), [END]), 2)
    rewards = reward(
        completion_ids=[tokens(text) for text, _ in rows],
        problem=[json.dumps(problem_to_record(problem)) for _, problem in rows],
        log_metric=metrics.__setitem__,
    )
    return rewards, metrics


def test_training_leaves_the_group_out_and_counts_the_problem(matcher: CodeMatcher, caplog: pytest.LogCaptureFixture):
    text = completion(SETS, PROGRAMS)
    alone, known = rewarded(matcher, (text, GOOD), ("nonsense", GOOD))
    rewards, metrics = rewarded(matcher, (text, GOOD), ("nonsense", GOOD), (text, BROKEN), ("nonsense", BROKEN))
    assert rewards == [*alone, None, None]
    assert (metrics["machinery/broken_problems"], metrics["machinery/unscored"]) == (1, 0)
    same = ("reward/correctness", "coverage", "parse/missing_think", "group/distinct", "uniqueness")
    assert [metrics[name] for name in same] == [known[name] for name in same]
    assert not caplog.records, "it was named before the training began"


class Notes(list[str]):
    """A view that keeps what it is told."""

    def note(self, text: str) -> None:
        self.append(text)

    def step(self, step: int, steps: int, metrics: Mapping[str, float]) -> None: ...

    def alarm(self, alarm: Alarm) -> None: ...


def job_of(matcher: CodeMatcher, *problems: Problem) -> Any:
    task = Task(name="made-up", regime=Regime.INCLUSIVE, instruction="", read=lambda: problems, matcher=matcher)
    return replace(make_job(Path("start"), Path("run")), task=task, objective=SETS)


def test_training_names_the_broken_problems_once_before_it_begins(matcher: CodeMatcher):
    notes = Notes()
    note_broken(job_of(matcher, GOOD, BROKEN), notes)
    assert len(notes) == 1
    assert notes[0].startswith(f"warning: 1 broken problem is left out: broken ({WHY}")
    note_broken(job_of(matcher, GOOD), notes)
    assert len(notes) == 1


def test_training_on_nothing_but_broken_problems_is_refused(matcher: CodeMatcher):
    with pytest.raises(MachineryError, match="there is nothing else to train on, and 1 broken problem is left out"):
        note_broken(job_of(matcher, BROKEN), Notes())


class CodeTask(MadeUpTask):
    def __iter__(self) -> Iterator[Problem]:
        yield from (GOOD, BROKEN, SILENT)


def test_evaluation_leaves_the_problem_out_of_every_number_and_names_it_once(
    tmp_path: Path, matcher: CodeMatcher, caplog: pytest.LogCaptureFixture
):
    folder = RunFolder(tmp_path / "run")
    inquiry = Inquiry(CodeTask(3), named_method("rlvr-multi").sized(k=2))
    text = completion(SETS, PROGRAMS)
    asked(folder, inquiry, script({"good": [text], "broken": [text], "silent": ["nonsense"]}))
    with caplog.at_level(logging.WARNING, "setwise"):
        metrics = scored_run(folder, matcher, resamples=0)
    assert (metrics.counts["problems"], metrics.counts["broken_problems"]) == (1, 2)
    assert "unjudged_attempts" not in metrics.counts
    assert "incomplete_problems" not in metrics.counts
    assert metrics["coverage"].value == 0.5
    assert [Attempt.from_record(record).problem for _, record in read_records(folder.scores)] == ["good"]
    assert folder.read_metrics().metrics.counts["broken_problems"] == 2
    (said,) = [record.getMessage() for record in caplog.records]
    assert said.startswith(f"{folder.path}: 2 broken problems are left out: broken, silent (first: {WHY}")


def test_a_run_of_nothing_but_broken_problems_says_so(tmp_path: Path, matcher: CodeMatcher):
    folder = RunFolder(tmp_path / "run")
    inquiry = Inquiry(CodeTask(3), named_method("rlvr-multi").sized(k=2))
    asked(folder, inquiry, script({"broken": [completion(SETS, PROGRAMS)]}))
    with pytest.raises(MachineryError, match="nothing else to score, and 1 broken problem is left out: broken"):
        scored_run(folder, matcher, resamples=0)


def test_setwise_score_names_the_problem_once_and_counts_what_it_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "cases.jsonl"
    rows = [(GOOD, completion(SETS, PROGRAMS)), *((BROKEN, text) for text in (completion(SETS, PROGRAMS), "no", "no"))]
    lines = [json.dumps({"text": text, "problem": problem_to_record(problem)}) for problem, text in rows]
    file.write_text("\n".join(lines))
    options = ["--objective", "rlvr-multi", "--k", "2", "--matcher", "code"]
    assert main(["score", str(file), *options]) == 0
    said = capsys.readouterr()
    assert said.err.count("broken") == said.err.count(WHY) * 3 == 3
    assert "setwise: warning: 1 broken problem is left out: broken" in said.err
    assert "left out: the problem is broken" in said.out
    table = dict(line.strip().rsplit(maxsplit=1) for line in said.out.splitlines() if line.startswith("  "))
    assert (table["left out: the problem is broken"], table["reward"]) == ("3", "2.000")
    records = [record["score"] for _, record in read_records(file.with_suffix(".scored.jsonl"))]
    assert [(record["reward"], record["broken_problem"]) for record in records] == [(2.0, False), *[(None, True)] * 3]


def test_the_check_of_a_task_names_the_same_reason(matcher: CodeMatcher):
    task = Task(name="made-up", regime=Regime.INCLUSIVE, instruction="", read=lambda: (GOOD, BROKEN), matcher=matcher)
    report = check_task(task)
    assert report.n_complaints == 1
    assert WHY in report.complaints[0]


def test_another_engine_is_told_which_problem_it_is(matcher: CodeMatcher):
    with pytest.raises(BrokenProblem, match="problem broken: its reference does not pass its own tests"):
        grade(completion(SETS, PROGRAMS), write_ground_truth(BROKEN, SETS, matcher))


def test_an_export_leaves_the_problem_out_and_says_so(matcher: CodeMatcher, tmp_path: Path):
    exported = export_job(job_of(matcher, BROKEN, GOOD), "slime", tmp_path, [GOOD])
    rows = [record for _, record in read_records(tmp_path / "train.jsonl")]
    assert [row["metadata"]["id"] for row in rows] == ["good"]
    assert [note for note in exported.notes if note.startswith("1 broken problem is left out: broken")]
