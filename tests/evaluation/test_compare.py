"""Several runs side by side."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from setwise.errors import InputError
from setwise.evaluation.compare import compare
from setwise.evaluation.generation import Inquiry
from setwise.evaluation.methods import named_method
from setwise.records.files import read_json, write_json
from setwise.records.run import RunFolder
from setwise.reports.comparison_text import render
from tests.evaluation.made_up import MadeUpTask, multi_text, script, single_text, whole_run


def run(path: Path, method: str, replies: dict[str, list[str]], *, samples: int | None = None, size: int = 12) -> Path:
    inquiry = Inquiry(MadeUpTask(size), named_method(method).sized(samples=samples))
    whole_run(RunFolder(path), inquiry, script(replies), resamples=20)
    return path


@pytest.fixture
def runs(tmp_path):
    """Single finds one gold again and again; multi finds both, except for problem 3."""
    single = {f"p{i}": [single_text(f"gold {i}a", 0.7)] * 3 for i in range(12)}
    multi = {f"p{i}": [multi_text([f"gold {i}a", f"gold {i}b", "x"], [0.8, 0.6, 0.1])] for i in range(12)}
    multi["p3"] = [multi_text(["x", "y", "z"], [0.5, 0.3, 0.2])]
    return run(tmp_path / "single", "rlcr-single", single), run(tmp_path / "multi", "rlcr-multi", multi)


def test_a_clear_difference_survives_and_a_flip_is_named(runs):
    comparison = compare(runs, resamples=500)
    found = {each.metric: each for each in comparison.differences}
    assert found["coverage"].value.value == pytest.approx(11 * 2 / 36 - 1 / 3)
    assert found["coverage"].survives
    assert found["uniqueness"].value.value == 2
    assert found["uniqueness"].survives
    assert not found["pass_at_k"].survives
    assert comparison.flips[0].lost == ("p3",)
    assert comparison.flips[0].gained == ()


def right_and_wrong(tmp_path: Path, size: int) -> list[Path]:
    """One run that is always right and one that is always wrong."""
    answers = {"right": "gold {}a", "wrong": "x"}
    texts = {
        name: {f"p{i}": [multi_text([answer.format(i), "y", "z"], [0.9, 0.1, 0.1])] for i in range(size)}
        for name, answer in answers.items()
    }
    return [run(tmp_path / name, "rlcr-multi", said, size=size) for name, said in texts.items()]


def test_three_problems_never_show_a_difference_and_that_is_said(tmp_path):
    comparison = compare(right_and_wrong(tmp_path, 3), resamples=500)
    assert comparison.differences[0].value.value == pytest.approx(-1 / 3)
    assert {each.problems for each in comparison.differences} == {3}
    assert min(each.p for each in comparison.differences) == 0.25
    assert not any(each.survives for each in comparison.differences)
    told = render(comparison, "markdown")
    assert "3 problems cannot show a difference at 0.05: the least p possible is 0.25, 1 after Holm's" in told
    assert "Exact test of all exchanges of problems between the runs" in told
    assert "Bootstrap" not in told


def test_holms_correction_counts_when_problems_are_called_too_few(tmp_path):
    """Seven could show one difference, but not one of ten."""
    comparison = compare(right_and_wrong(tmp_path, 7), resamples=500)
    assert min(each.p for each in comparison.differences) == 2 / 2**7
    assert not any(each.survives for each in comparison.differences)
    assert "It takes 9 problems or more." in render(comparison, "markdown")


def test_as_many_problems_as_are_said_to_be_needed_can_show_a_difference(tmp_path):
    comparison = compare(right_and_wrong(tmp_path, 9), resamples=500)
    assert [each for each in comparison.differences if each.survives]
    assert "cannot show a difference" not in render(comparison, "markdown")


def test_twenty_five_problems_are_compared_by_the_bootstrap(tmp_path):
    comparison = compare(right_and_wrong(tmp_path, 25), resamples=500)
    assert {each.exact for each in comparison.differences} == {False}
    assert comparison.differences[0].p == pytest.approx(1 / 501)
    told = render(comparison, "markdown")
    assert "\n\nBootstrap by problem, Holm's correction over" in told
    assert "Exact" not in told


def test_too_few_resamples_are_called_too_few(tmp_path):
    told = render(compare(right_and_wrong(tmp_path, 25), resamples=10), "markdown")
    assert "10 resamples cannot show a difference at 0.05: the least p possible is 0.091" in told


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_no_interval_without_width_is_printed_without_a_word(tmp_path, form: str):
    told = render(compare(right_and_wrong(tmp_path, 3), resamples=200), form)
    assert "[no spread]" in told
    assert "No spread: no resample of the problems gives another value" in told
    assert not re.search(r"\[(-?[0-9.]+), \1\]", told)


def test_pooled_and_set_level_calibration_are_blank_and_untested_between_single_and_multi(runs):
    comparison = compare(runs, resamples=100)
    assert not [each for each in comparison.differences if each.metric.startswith(("pooled", "set"))]
    single, multi = comparison.runs
    assert "set/ece" not in single.estimates
    assert "set/ece" in multi.estimates
    assert "top1/ece" in {each.metric for each in comparison.differences}


def test_two_multi_runs_are_compared_on_everything(runs, tmp_path):
    other = {f"p{i}": [multi_text([f"gold {i}a", "y", "x"], [0.9, 0.9, 0.9])] for i in range(12)}
    comparison = compare([runs[1], run(tmp_path / "other", "rlcr-multi", other)], resamples=100)
    assert {"pooled/ece", "pooled/brier", "set/ece"} <= {each.metric for each in comparison.differences}


def test_the_calibration_of_a_run_that_mostly_states_no_confidences_is_not_tested(runs, tmp_path):
    few = {f"p{i}": ["I would rather not say."] for i in range(12)}
    few["p0"] = [multi_text(["gold 0a", "y", "x"], [0.9, 0.1, 0.0])]
    comparison = compare([runs[1], run(tmp_path / "few", "rlcr-multi", few)], resamples=100)
    metrics = {each.metric for each in comparison.differences}
    assert "coverage" in metrics
    assert not {metric for metric in metrics if "/" in metric}


def test_a_run_compared_with_its_copy_shows_no_difference(runs, tmp_path):
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in runs[1].iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    comparison = compare([runs[1], copy], resamples=100)
    assert comparison.differences
    assert not [each for each in comparison.differences if each.survives or each.value.value != 0]


def test_holm_covers_the_whole_table(runs, tmp_path):
    third = {f"p{i}": [single_text(f"gold {i}b", 0.7)] * 3 for i in range(12)}
    runs = [*runs, run(tmp_path / "third", "rlcr-single", third)]
    few, many = compare(runs, resamples=100), compare(runs, resamples=100, all_pairs=True)
    assert len({(each.first, each.second) for each in many.differences}) == 3
    assert len({(each.first, each.second) for each in few.differences}) == 2
    assert all(each.p_holm >= each.p for each in many.differences)


def test_a_matched_budget_compares_completions_of_one_with_sets_of_three(tmp_path):
    single = {f"p{i}": [single_text(f"gold {i}a")] * 6 for i in range(12)}
    multi = {f"p{i}": [multi_text([f"gold {i}a", f"gold {i}b", f"x{j}"]) for j in range(2)] for i in range(12)}
    comparison = compare(
        [
            run(tmp_path / "single", "rlvr-single", single, samples=6),
            run(tmp_path / "multi", "rlvr-multi", multi, samples=2),
        ],
        resamples=100,
    )
    values = [each.estimates["distinct@6"].value for each in comparison.runs]
    correct = [each.estimates["distinct_correct@6"].value for each in comparison.runs]
    assert values == [1, 4]
    assert correct == [1, 2]


def test_only_shared_problems_are_compared_and_the_rest_is_said(runs, tmp_path):
    fewer = {f"p{i}": [multi_text([f"gold {i}a", "y", "x"], [0.9, 0.5, 0.5])] for i in range(5)}
    other = run(tmp_path / "fewer", "rlcr-multi", fewer, size=5)
    comparison = compare([runs[1], other], resamples=100)
    assert comparison.problems == 5
    assert comparison.left_out == {"multi": 7, "fewer": 0}
    assert "multi: 7 problems left out" in render(comparison, "markdown")


def with_questions(run: Path, change: Callable[[str], str]) -> Path:
    """The run as if every problem asked something else, and nothing else said which task it was."""
    (run / "config.json").unlink()
    lines = [json.loads(line) for line in (run / "samples.jsonl").read_text().splitlines()]
    for line in lines:
        line["problem"]["question"] = change(line["problem"]["question"])
    (run / "samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return run


def test_an_id_that_stands_for_two_problems_is_refused(runs):
    single, multi = runs
    with_questions(multi, lambda question: f"Not {question}")
    complaint = "problem p0: the problem has another question or other right answers in multi than in single; compare"
    with pytest.raises(InputError, match=complaint):
        compare([single, multi], resamples=20)


def test_problems_whose_question_is_not_on_record_are_compared(runs):
    single, multi = runs
    with_questions(multi, lambda question: "")
    assert compare([single, multi], resamples=20).problems == 12


def test_runs_of_one_task_fingerprint_are_compared_without_their_samples(runs):
    for path in runs:
        config = read_json(path / "config.json")
        config["task"]["fingerprint"] = "the same"
        write_json(path / "config.json", config)
        (path / "samples.jsonl").write_text("not read")
    assert compare(runs, resamples=20).problems == 12


def test_tables_say_the_same_in_every_format(runs):
    comparison = compare(runs, resamples=100)
    markdown, latex = render(comparison, "markdown"), render(comparison, "latex")
    record = json.loads(render(comparison, "json"))
    assert "| single | rlcr-single | 3 | sampled |" in markdown
    assert "p3" in markdown
    assert r"top1/ece\_floor" in latex
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 3
    assert record["problems"] == 12
    assert record["runs"][1]["estimates"]["coverage"]["value"] == pytest.approx(22 / 36)
    widths = {len(line.split(" | ")) for line in markdown.splitlines() if line.startswith("| ")}
    assert len(widths) == 3


def test_names_and_p_values_come_through_latex_as_they_are(runs, tmp_path):
    odd = (tmp_path / "single").rename(tmp_path / "a|b_<c>")
    latex = render(compare([odd, runs[1]], resamples=2000), "latex")
    assert r"a\textbar{}b\_\textless{}c\textgreater{}" in latex
    assert r"\textless{} 0.001" in latex
    assert not {"|", "<", ">"} & set("".join(line for line in latex.splitlines() if not line.startswith("%")))


@pytest.mark.parametrize("resamples", [0, -1])
def test_a_comparison_needs_resamples(runs, resamples: int):
    with pytest.raises(InputError, match=f"resamples must be a whole number of at least 1, got {resamples}"):
        compare(runs, resamples=resamples)


def test_one_run_or_none_in_common_cannot_be_compared(runs, tmp_path):
    with pytest.raises(InputError, match="two runs or more"):
        compare(runs[:1])
    with pytest.raises(InputError, match="given once"):
        compare([runs[0], runs[0]])
    with pytest.raises(InputError, match=r"nowhere: a run folder holds metrics\.json and scores\.jsonl"):
        compare([runs[0], tmp_path / "nowhere"])


@pytest.mark.parametrize("lacking", ["metrics.json", "scores.jsonl"])
def test_an_unscored_run_is_refused_with_the_command_that_scores_it(runs, lacking: str):
    (runs[1] / lacking).unlink()
    with pytest.raises(InputError, match=r"multi: the run is not scored; setwise eval --out .*multi --rescore"):
        compare(runs)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"k": "3"}, r'lacks what setwise eval writes, got \["k"\]; setwise eval --out .*multi --rescore'),
        ({"analyses": None}, r'got \["analyses"\]; setwise eval'),
        ({"analyses": {}}, r'got \["analyses"\]; setwise eval'),
        ({"schema": 99}, "schema must be 2, got 99; upgrade setwise"),
    ],
)
def test_metrics_that_cannot_be_used_are_refused(runs, change: dict, complaint: str):
    file = runs[1] / "metrics.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(InputError, match=rf"metrics\.json: .*{complaint}"):
        compare(runs)
