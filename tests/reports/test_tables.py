"""Which number stands in which cell, and which of them is bold."""

from dataclasses import replace
from pathlib import Path

import pytest

from setwise.metrics import find_metric
from setwise.records.comparison import Difference
from setwise.records.measured import Estimate
from setwise.reports.best import winners
from setwise.reports.inputs import DatasetSection, Run
from setwise.reports.page.table import table_html
from setwise.reports.rows import NOT_COMPARABLE, Cell, Table, TableRow
from setwise.reports.tables import section_tables
from setwise.workflows.report import read_report


def a_run(name: str, method: str = "rlvr-multi", coverage: float = 0.5, **changes: object) -> Run:
    written = Run(name, "ddxplus", "inclusive", "m", method, 3, "written", "none", {"coverage": Estimate(coverage)})
    return replace(written, **changes)


def differing(p: float, *names: str) -> list[Difference]:
    return [Difference(a, b, "coverage", Estimate(0.1), p, p) for i, a in enumerate(names) for b in names[i + 1 :]]


def best(runs: list[Run], differences: list[Difference]) -> set[tuple[str, str]]:
    return winners(differences, runs, ["coverage"], scope=lambda run: "")


def test_the_best_is_bold_where_every_difference_survives():
    runs = [a_run("a", coverage=0.3), a_run("b", coverage=0.6), a_run("c", coverage=0.4)]
    assert best(runs, differing(0.001, "a", "b", "c")) == {("b", "coverage")}


def test_nothing_is_bold_where_one_difference_does_not_survive():
    runs = [a_run("a", coverage=0.3), a_run("b", coverage=0.6), a_run("c", coverage=0.55)]
    differences = [*differing(0.001, "a", "b"), *differing(0.001, "a", "c"), *differing(0.2, "b", "c")]
    assert best(runs, differences) == set()


def test_the_correction_counts_every_comparison_of_the_table():
    names = [f"r{i}" for i in range(8)]
    runs = [a_run(name, coverage=0.1 * place) for place, name in enumerate(names)]
    # 28 pairs: a p of 0.01 survives alone (in a table of two) and not here.
    assert best(runs[-2:], differing(0.01, *names)) == {("r7", "coverage")}
    assert best(runs, differing(0.01, *names)) == set()


def test_a_row_that_was_never_compared_wins_nothing():
    assert best([a_run("a"), a_run("b", coverage=0.9)], []) == set()
    assert best([a_run("a")], []) == set()


def test_lower_is_better_for_tokens():
    runs = [a_run(n, numbers={"tokens": Estimate(v)}) for n, v in (("a", 900.0), ("b", 300.0))]
    difference = Difference("a", "b", "tokens", Estimate(-600), 0.001, 0.001)
    found = winners([difference], runs, ["tokens"], scope=lambda run: "")
    assert found == {("b", "tokens")}


@pytest.fixture(scope="module")
def tables(paper_runs: list[Path], more_runs: list[Path]) -> dict[str, Table]:
    [section] = read_report([*paper_runs, *more_runs], resamples=200).sections
    return {table.key: table for table in section_tables(section)}


def test_correctness_has_the_rows_of_the_paper_in_its_order(tables: dict[str, Table]):
    table = tables["correctness-k3"]
    rows = [(row.block, row.run.removeprefix("ddxplus-")) for row in table.rows]
    assert rows[:8] == [
        ("RLVR", "rlvr-single"),
        ("RLVR", "rlvr-single-prompted-multi"),
        ("RLVR", "rlvr-zero-shot"),
        ("RLVR", "rlvr-multi"),
        ("RLCR", "rlcr-single"),
        ("RLCR", "rlcr-single-prompted-multi"),
        ("RLCR", "rlcr-zero-shot"),
        ("RLCR", "rlcr-multi"),
    ]
    assert {block for block, _ in rows[8:]} == {"Without training"}


def test_calibration_of_rlvr_comes_from_the_run_that_asked_for_confidences(tables: dict[str, Table]):
    shown = [row.run.removeprefix("ddxplus-") for row in tables["calibration-k3"].rows]
    assert "rlvr-multi-prompt" in shown
    assert "rlvr-multi" not in shown
    assert "rlvr-multi-prompt" not in [row.run.removeprefix("ddxplus-") for row in tables["correctness-k3"].rows]


def test_pooled_and_set_level_numbers_are_blank_for_repeated_samples(tables: dict[str, Table]):
    for row in tables["calibration-k3"].rows:
        blank = {cell.metric for cell in row.cells if cell.why_blank == NOT_COMPARABLE}
        sampled = "single" in row.run and "prompted" not in row.run
        assert blank == ({"set/ece", "pooled/ece", "pooled/brier"} if sampled else set())


def test_every_ece_stands_beside_its_floor_and_every_brier_beside_the_base_rate(tables: dict[str, Table]):
    for row in tables["calibration-k3"].rows:
        for cell in row.cells:
            words = "" if cell.number is None else "floor " if cell.metric.endswith("ece") else "base rate "
            assert cell.beside.startswith(words)
            assert bool(cell.beside) is (cell.number is not None)


def test_every_measured_cell_has_an_interval_that_holds_it(tables: dict[str, Table]):
    for key in ("correctness-k3", "calibration-k3"):
        for row in tables[key].rows:
            for cell in row.cells:
                if cell.number is not None:
                    assert cell.number.low is not None
                    assert cell.number.high is not None
                    assert cell.number.low <= cell.number.value + 1e-9
                    assert cell.number.value <= cell.number.high + 1e-9


def test_the_papers_number_stands_beside_the_cell_it_belongs_to(tables: dict[str, Table]):
    cells = {(r.run, c.metric): c.paper for r in tables["correctness-k3"].rows for c in r.cells}
    assert cells["ddxplus-rlvr-multi", "coverage"] == 0.79
    assert cells["ddxplus-rlvr-multi", "n_correct"] is None
    assert cells["ddxplus-self-consistency", "coverage"] is None


def test_coverage_by_k_has_a_row_for_each_k(tables: dict[str, Table]):
    rows = tables["by-k"].rows
    assert [row.label for row in rows] == ["K = 2", "K = 3", "K = 5"]
    assert [row.cells[0].paper for row in rows] == [0.78, 0.68, 0.62]
    assert "correctness-k2" not in tables


def test_the_best_possible_value_stands_below_the_rows():
    known = a_run("a", best_possible={"coverage": 0.9, "top1/brier": 0.1})
    [table] = [
        t for t in section_tables(DatasetSection("clinic", "exclusive", [known])) if t.key.startswith("correctness")
    ]
    last = table.rows[-1]
    assert last.label.startswith("Best possible")
    assert [c.value for c in last.cells if c.metric == "coverage"] == ["0.90"]


def test_an_interval_below_zero_is_not_written_with_a_dash():
    numbers = {"set/brier_skill": Estimate(-0.1, -0.2, -0.05), "set/auroc": Estimate(0.5, 0.4, 0.6)}
    cells = [Cell(metric, number) for metric, number in numbers.items()]
    html = table_html(Table("t", "T", "", list(numbers), [TableRow("a", cells)]))
    assert ">-0.20 to -0.05<" in html
    assert ">0.40\N{EN DASH}0.60<" in html


def test_every_column_has_a_definition(tables: dict[str, Table]):
    for table in tables.values():
        assert all(find_metric(key).definition for key in table.columns)
