"""Run folders in: what is read of them, and what is refused."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.answers import Match
from setwise.errors import InputError
from setwise.evaluation.methods import METHODS
from setwise.models import Completion
from setwise.questions import Problem
from setwise.records.files import read_json, write_json
from setwise.reports import write_report
from setwise.reports.alignment import Stream, aligned
from setwise.reports.document import build_document
from setwise.reports.exhibits import Pair, choose_pair
from setwise.reports.inputs import Chain
from setwise.workflows.report import make_report, read_report
from tests.completions import completion
from tests.reports.made_up import MadeUpTask, make_run, make_training_log

THREE = MadeUpTask(3)


def test_right_answers_are_marked_as_the_scores_have_them(tmp_path: Path):
    method = METHODS["rlcr-multi"]
    problem = next(iter(THREE))
    assert problem.golds
    gold = problem.golds[0].text
    text = completion(method.read_objective(THREE.regime), [gold, "Nonsense", "More of it"], [0.9, 0.2, 0.1])
    make_run(tmp_path / "run", THREE, method, {problem.id: [Completion(text, "stop", 7)]})
    shown = next(iter(read_report([tmp_path / "run"]).problems))
    [said] = shown.runs[0].sets
    assert [(a.text, a.confidence, a.right) for a in said.answers] == [
        (gold, 0.9, True),
        ("Nonsense", 0.2, False),
        ("More of it", 0.1, False),
    ]
    assert shown.runs[0].solved
    assert (said.tokens, list(said.reasoning)) == (7, ["hm"])


def test_a_right_answer_said_twice_by_single_samples_is_marked_as_repeated(tmp_path: Path):
    method = METHODS["rlvr-single"]
    problem = next(iter(THREE))
    assert problem.golds
    text = completion(method.read_objective(THREE.regime), [problem.golds[0].text])
    make_run(tmp_path / "run", THREE, method, {problem.id: [Completion(text, "stop", 7)] * 3})
    [said] = next(iter(read_report([tmp_path / "run"]).problems)).runs[0].sets
    assert [(answer.right, answer.repeated) for answer in said.answers] == [(True, False), (True, True), (True, True)]


def test_a_completion_that_cannot_be_read_shows_its_reason_and_its_text(tmp_path: Path):
    problem = next(iter(THREE))
    make_run(tmp_path / "run", THREE, METHODS["rlcr-multi"], {problem.id: [Completion("I refuse.", "stop", 2)]})
    [said] = next(iter(read_report([tmp_path / "run"]).problems)).runs[0].sets
    assert list(said.answers) == []
    assert list(said.reasons) == ["missing_think"]
    assert list(said.reasoning) == ["I refuse."]


def test_a_vote_shows_its_winners_with_their_shares(tmp_path: Path):
    make_run(tmp_path / "run", THREE, METHODS["self-consistency"])
    for shown in read_report([tmp_path / "run"]).problems:
        [said] = shown.runs[0].sets
        shares = [answer.confidence or 0.0 for answer in said.answers]
        assert shares == sorted(shares, reverse=True)
        assert len(said.reasoning) == METHODS["self-consistency"].samples


def test_runs_of_one_task_stand_together_and_other_tasks_apart(tmp_path: Path):
    other = MadeUpTask(3, name="other")
    runs = [
        make_run(tmp_path / f"{t.name}-{m}", t, METHODS[m])
        for t in (THREE, other)
        for m in ("rlcr-multi", "rlvr-multi")
    ]
    report = read_report(runs, resamples=20)
    assert [(section.task, len(section.runs)) for section in report.sections] == [("made-up", 2), ("other", 2)]
    shown = list(report.problems)
    assert [problem.task for problem in shown] == ["made-up"] * 3 + ["other"] * 3
    assert [[run.run for run in problem.runs] for problem in shown] == [[0, 1]] * 3 + [[2, 3]] * 3


def test_runs_that_share_no_problem_are_shown_without_a_comparison(tmp_path: Path):
    apart = MadeUpTask(0, extra=[Problem("elsewhere", "?", ["Flu"])])
    runs = [
        make_run(tmp_path / "a", THREE, METHODS["rlcr-multi"]),
        make_run(tmp_path / "b", apart, METHODS["rlvr-multi"]),
    ]
    report = read_report(runs)
    assert report.sections[0].differences == []
    assert "share no problems" in report.sections[0].notes[0]
    assert [len(problem.runs) for problem in report.problems] == [1, 1, 1, 1]


def test_an_id_that_stands_for_two_problems_is_refused(tmp_path: Path):
    tasks = [
        MadeUpTask(0, extra=[Problem(name, asked, ["Flu"])]) for name, asked in (("x", "?"), ("x", "!"), ("y", "?"))
    ]
    runs = [make_run(tmp_path / f"run{i}", task, METHODS["rlcr-multi"]) for i, task in enumerate(tasks)]
    for run in runs:
        config = read_json(run / "config.json")
        write_json(run / "config.json", {**config, "task": {**config["task"], "fingerprint": None}})
    with pytest.raises(InputError, match="problem x: the problem has another question"):
        read_report(runs, resamples=20)


@dataclass(frozen=True)
class PassesOnPrint:
    """Stands in for running programs: right is whatever prints."""

    name: str = "prints"

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        return [Match("print" in answer) for answer in answers]


def test_a_code_problem_shows_its_tests_and_its_programs(tmp_path: Path):
    problem = Problem("code", "Print it.", tests=["assert f() == 1"])
    task = MadeUpTask(0, name="mbpp", extra=[problem], matcher=PassesOnPrint())
    runs = []
    for method in (METHODS["rlvr-single"], METHODS["rlvr-multi"]):
        objective = method.read_objective(task.regime)
        said = completion(objective, [f"def f():\n    print({i})" for i in range(objective.k)])
        runs.append(
            make_run(tmp_path / method.name, task, method, {"code": [Completion(said, "stop", 9)] * method.samples})
        )
    report = read_report(runs, resamples=20)
    assert report.sections[0].clouds is None
    [shown] = report.problems
    assert list(shown.golds) == ["assert f() == 1"]
    assert [answer.right for answer in shown.runs[1].sets[0].answers] == [True, True, True]
    written = write_report(replace(report, problems=[shown]), tmp_path / "out", formats=("svg",))
    assert "1.00" in written.page.read_text(encoding="utf-8")


def test_an_unscored_run_is_refused_with_the_command_that_scores_it(tmp_path: Path):
    folder = make_run(tmp_path / "run", THREE, METHODS["rlcr-multi"])
    (folder / "metrics.json").unlink()
    with pytest.raises(InputError, match=r"the run is not scored; setwise eval --out .*run --rescore"):
        read_report([folder])


def test_metrics_that_lack_a_part_are_refused_with_the_remedy(tmp_path: Path):
    folder = make_run(tmp_path / "run", THREE, METHODS["rlcr-multi"])
    told = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    del told["analyses"]
    (folder / "metrics.json").write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(InputError, match=r'metrics\.json: .*got \["analyses"\]; setwise eval .* --rescore'):
        read_report([folder])


def test_a_metric_that_is_not_loaded_is_left_out_with_one_note(tmp_path: Path):
    folders = [make_run(tmp_path / name, THREE, METHODS["rlcr-multi"]) for name in ("first", "second")]
    for folder in folders:
        told = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
        own = {key: {"value": 0.5, "low": None, "high": None} for key in ("zest", "no_such_module:lead")}
        (folder / "metrics.json").write_text(json.dumps({**told, "metrics": {**told["metrics"], **own}}))
    notes: list[str] = []
    written = make_report(folders, tmp_path / "out", formats=(), resamples=20, on_note=notes.append)
    assert notes == [
        "Left out: no_such_module:lead, zest, metrics that are not loaded; "
        "to include your own, add --metric MODULE:NAME."
    ]
    assert written.page.read_text(encoding="utf-8").count("Left out: no_such_module:lead, zest, ") == 1
    [section] = read_report(folders, resamples=20).sections
    assert [run.numbers.keys() & {"coverage", "zest"} for run in section.runs] == [{"coverage"}] * 2


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match=r"a run folder holds metrics\.json and scores\.jsonl, or log\.jsonl"):
        read_report([tmp_path])


def test_a_report_needs_resamples(tmp_path: Path):
    with pytest.raises(InputError, match="resamples must be a whole number of at least 1, got 0"):
        read_report([tmp_path], resamples=0)


def test_a_run_given_twice_is_refused(tmp_path: Path):
    folder = make_run(tmp_path / "run", THREE, METHODS["rlcr-multi"])
    with pytest.raises(InputError, match="each run must be given once"):
        read_report([folder, folder])


def test_differences_are_between_the_runs_they_name_however_these_are_told_apart(tmp_path: Path):
    first = make_run(tmp_path / "a" / "run", MadeUpTask(12), METHODS["rlvr-zero-shot"])
    second = make_run(tmp_path / "b" / "run", MadeUpTask(12), METHODS["rlvr-multi"])
    train = make_training_log(tmp_path / "train" / "run", 3)
    report = read_report([second, first, train], resamples=20)
    [section] = report.sections
    assert [run.name for run in section.runs] == ["a/run", "b/run"]
    assert [run.name for run in report.training] == ["train/run"]
    coverage = {run.name: run.numbers["coverage"].value for run in section.runs}
    [found] = [each for each in section.differences if each.metric == "coverage"]
    assert found.value.value == pytest.approx(coverage[found.second] - coverage[found.first])
    assert found.value.value != 0
    assert build_document(report).sections[-1].notes[0].startswith("train/run, step 12")


@given(st.lists(st.permutations("abcde").flatmap(lambda order: st.integers(0, 5).map(lambda n: order[:n])), max_size=4))
def test_every_problem_comes_once_with_all_that_was_said(orders: list[list[str]]):
    def items(place: int, order: list[str]) -> Iterator[tuple[str, str]]:
        return ((problem, f"{place}{problem}") for problem in order)

    found = list(aligned([Stream(items(place, order), set(order)) for place, order in enumerate(orders)]))
    assert sorted(problem for problem, _ in found) == sorted({problem for order in orders for problem in order})
    for problem, said in found:
        assert said == {place: f"{place}{problem}" for place, order in enumerate(orders) if problem in order}


def test_the_pair_of_median_overlap_is_shown_and_not_the_highest():
    pairs = [Pair(str(share), (Chain("x", ["a"]), Chain("x", ["b"])), share) for share in (0.9, 0.1, 0.5)]
    alike = Pair("alike", (Chain("x", ["a"]), Chain("x", ["a"])), 0.4)
    exhibit = choose_pair("run", [alike, *pairs])
    assert exhibit is not None
    assert exhibit.problem == "0.5"
    assert choose_pair("run", []) is None
