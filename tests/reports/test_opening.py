"""The top of a report claims what its tables make bold, and nothing where they do not."""

import random
from dataclasses import replace
from itertools import combinations

import pytest

from setwise.evaluation.methods import METHODS
from setwise.records.comparison import Difference
from setwise.records.measured import Estimate
from setwise.reports.best import winners
from setwise.reports.document import build_document
from setwise.reports.inputs import DatasetSection, ProblemText, Report, Run, ShownAnswer, ShownSet, TellingProblem
from setwise.reports.markdown import escape, to_markdown
from setwise.reports.methods import block
from setwise.reports.opening import Opening, build_opening, coverage_leads
from setwise.reports.opening_text import plain
from setwise.reports.page.opening import openings_html
from setwise.reports.tables import CORRECTNESS
from setwise.workflows.report import read_report
from tests.reports.made_up import MadeUpTask, make_run

METHOD_NAMES = ("rlvr-single", "rlvr-zero-shot", "rlvr-multi", "rlcr-single", "rlcr-zero-shot", "rlcr-multi")


def a_run(method: str, coverage: float, **numbers: Estimate) -> Run:
    known = {"coverage": Estimate(coverage, coverage - 0.03, coverage + 0.03), **numbers}
    construction = "sampled" if method.endswith("single") else "written"
    counts = {"problems": 200, "pooled/n": 600}
    return Run(method, "ddxplus", "inclusive", "hf:some/model", method, 3, construction, "none", known, counts)


def difference(first: Run, second: Run, p: float, problems: int = 200, least_p: float = 1e-4) -> Difference:
    value = second.numbers["coverage"].value - first.numbers["coverage"].value
    estimate = Estimate(value, value - 0.02, value + 0.02)
    return Difference(first.name, second.name, "coverage", estimate, p, p, least_p, problems)


def opening(runs: list[Run], differences: list[Difference]) -> Opening:
    return build_opening(DatasetSection("ddxplus", "inclusive", runs, differences), "ddxplus", "ddxplus", ())


def told(found: Opening) -> str:
    return " ".join([found.compared, *map(plain, found.found), found.sure])


def test_a_clear_lead_is_exactly_a_bold_number_of_the_table():
    rng, clear = random.Random(1), 0
    for _ in range(60):
        runs = [a_run(name, rng.choice([0.2, 0.3, 0.4, 0.5])) for name in METHOD_NAMES]
        tested = [difference(a, b, rng.choice([1e-4, 1e-3, 0.2])) for a, b in combinations(runs, 2)]
        section = DatasetSection("ddxplus", "inclusive", runs, tested)
        named = {lead.best.name for lead in coverage_leads(section) if lead.beaten and not lead.level}
        bold = {run for run, metric in winners(tested, runs, CORRECTNESS, block) if metric == "coverage"}
        level = {a.name for a in runs for b in runs if a is not b and a.numbers == b.numbers}
        assert named - level == bold - level
        clear += len(named)
    assert clear > 20


def test_it_says_what_was_compared_what_won_by_how_much_and_how_sure():
    single, multi = a_run("rlvr-single", 0.3, tokens=Estimate(92)), a_run("rlvr-multi", 0.5, tokens=Estimate(47))
    found = opening([single, multi], [difference(single, multi, 1e-4)])
    assert told(found).startswith(
        "Two methods answered 200 problems of ddxplus with sets of 3 answers. RLVR multi has the highest coverage of "
        "the RLVR runs, 0.50 [0.47, 0.53]: 0.200 [0.180, 0.220] above RLVR single. It takes 47 tokens per set against "
        "92. Every lead named here is a paired difference that survives Holm's correction over the one comparison"
    )
    assert dict(found.facts) == {
        "Dataset": "ddxplus", "Problems": "200", "Model": "some/model", "Answers per set": "3",
    }  # fmt: skip


def test_where_nothing_won_it_says_so():
    single, multi = a_run("rlvr-single", 0.3), a_run("rlvr-multi", 0.32)
    text = told(opening([single, multi], [difference(single, multi, 0.3)]))
    assert (
        "None of the RLVR runs wins in coverage: RLVR multi, the highest at 0.32 [0.29, 0.35], cannot be told" in text
    )
    assert "(difference +0.020 [0.000, 0.040])" in text
    assert "do not survive Holm's correction" in text
    assert "has the highest" not in text


def test_too_few_problems_are_given_as_the_reason():
    single, multi = a_run("rlvr-single", 0.3), a_run("rlvr-multi", 0.9)
    text = told(opening([single, multi], [difference(single, multi, 0.25, problems=3, least_p=0.25)]))
    assert "3 problems cannot show a difference at 0.05" in text


def test_a_leader_is_not_called_better_than_a_run_it_cannot_be_told_from():
    runs = [a_run("rlvr-single", 0.3), a_run("rlvr-zero-shot", 0.48), a_run("rlvr-multi", 0.5)]
    tested = [difference(runs[0], runs[2], 1e-4), difference(runs[1], runs[2], 0.4), difference(runs[0], runs[1], 1e-4)]
    text = told(opening(runs, tested))
    assert (
        "RLVR multi has the highest coverage of the RLVR runs, 0.50 [0.47, 0.53], but cannot be told from Zero" in text
    )
    assert "It is 0.200 [0.180, 0.220] above RLVR single." in text


def test_runs_of_different_blocks_are_compared_where_no_block_has_two():
    runs = [a_run("rlvr-multi", 0.5), a_run("rlcr-multi", 0.3)]
    assert "RLVR multi has the highest coverage of the runs, 0.50" in told(
        opening(runs, [difference(runs[1], runs[0], 1e-4)])
    )


def test_one_run_has_won_nothing():
    text = told(opening([a_run("rlvr-multi", 0.5)], []))
    assert "RLVR multi has a coverage of 0.50 [0.47, 0.53]." in text
    assert text.endswith("so nothing won.")


@pytest.mark.parametrize(
    ("skill", "said"),
    [
        (Estimate(0.08, 0.02, 0.13), "The confidences of RLCR multi beat one constant for all answers (pooled Brier"),
        (Estimate(0.01, -0.02, 0.04), "No run states confidences that beat one constant for all answers"),
        (Estimate(0.5), "No run states confidences that beat one constant for all answers"),
    ],
)
def test_confidences_are_praised_only_where_they_beat_the_base_rate(skill: Estimate, said: str):
    run = a_run("rlcr-multi", 0.5, **{"pooled/brier_skill": skill})
    assert said in told(opening([run], []))
    few = replace(run, counts={**run.counts, "pooled/n": 1, "pooled/n_excluded": 500})
    assert "constant" not in told(opening([few], []))


@pytest.fixture(scope="module")
def won(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Sets against samples on enough problems for a win."""
    root, task = tmp_path_factory.mktemp("won"), MadeUpTask(40)
    folders = [make_run(root / name, task, METHODS[name]) for name in ("rlcr-single", "rlcr-multi")]
    return read_report(folders, resamples=1000)


def test_the_example_is_the_problem_with_the_widest_gap_and_says_how_usual_that_is(won: Report):
    [section] = won.sections
    telling = section.telling
    assert telling is not None
    assert list(telling.said) == ["rlcr-single", "rlcr-multi"]
    right = [sum(bool(a.right) and not a.repeated for a in said.answers) for said in telling.said.values()]
    assert right[1] - right[0] >= 2
    assert telling.ahead > telling.behind
    assert telling.ahead + telling.behind <= telling.problems == 40
    problem = next(each for each in won.problems if each.id == telling.text.id)
    assert (problem.question, problem.golds) == (telling.text.question, telling.text.golds)


def test_the_figure_at_the_top_holds_the_numbers_of_the_one_in_the_section(won: Report):
    document = build_document(won)
    [shown] = document.openings
    twin = next(figure for figure in document.figures if figure.key.endswith("-pareto"))
    assert shown.hero is not None
    assert (shown.hero.key, shown.hero.data) == (twin.key, twin.data)


def test_what_a_model_wrote_is_shown_in_the_example_and_never_run():
    runs = [a_run("rlvr-single", 0.3), a_run("rlvr-multi", 0.5)]
    hostile = "</div><script>alert(1)</script><img src=x onerror=alert(2)>"
    said = {run.name: ShownSet([ShownAnswer(hostile, 0.5, True)]) for run in runs}
    telling = TellingProblem(ProblemText(hostile, hostile, [hostile]), said, 1, 0, 1)
    section = DatasetSection(hostile, "inclusive", runs, [difference(runs[0], runs[1], 1e-4)], telling=telling)
    page = openings_html([build_opening(section, "key", hostile, ())])
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "<img" not in page


def test_a_report_in_markdown_opens_with_the_same_sentences(won: Report):
    document = build_document(won)
    text = to_markdown(document)
    [shown] = document.openings
    assert text.split("\n\n")[1] == shown.compared
    assert escape(plain(shown.found[0])) in text.partition("\n## ")[0]
