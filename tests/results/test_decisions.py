"""The table of decisions follows from its splits, and the splits from the published records."""

import json
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from results.credit_tables import CHOSEN, OURS
from results.decision_tables import DOCUMENT, with_tables
from results.decisions import CASES, HERE, MEASURED, SPLITS, Case, main, splits
from setwise.records.files import read_records
from tests.results.told import prose

HALF = SPLITS / 2
CREDIT = DOCUMENT.with_name("ddxplus-credit.md")


@pytest.fixture(scope="module")
def measured() -> dict[Case, list[dict[str, Any]]]:
    cases: dict[Case, list[dict[str, Any]]] = defaultdict(list)
    for _, record in read_records(MEASURED):
        cases[Case(record["archive"], record["run"], record["samples"])].append(record)
    return cases


def test_the_document_shows_what_was_measured():
    text = DOCUMENT.read_text(encoding="utf-8")
    assert with_tables(text, MEASURED) == text


def test_every_case_has_all_of_its_splits(measured: dict[Case, list[dict[str, Any]]]):
    assert tuple(measured) == CASES
    for records in measured.values():
        assert [record["split"] for record in records] == list(range(SPLITS))


@pytest.mark.parametrize("alpha", ["0.1", "0.2"])
def test_coverage_is_within_two_points_of_a_promise_that_most_splits_reach(
    measured: dict[Case, list[dict[str, Any]]], alpha: str
):
    """Above it only where the first answer alone is already right that often, or a whole set cannot be cut; and in the
    one case that the page names."""
    above = []
    for case, records in measured.items():
        right = [record["promises"][alpha]["right"] for record in records if alpha in record["promises"]]
        if len(right) > HALF:
            first = fmean(record["plain"]["first"] for record in records)
            assert fmean(right) >= 1 - float(alpha) - 0.02, case
            if fmean(right) > max(1 - float(alpha), first) + 0.02:
                above.append(f"{fmean(right):.3f}")
    assert above == (["0.822"] if alpha == "0.2" else [])
    assert all(f"In the tenth it is {coverage}," in prose(DOCUMENT) for coverage in above)


def test_calibrated_answers_beat_the_base_rate_on_every_dataset(measured: dict[Case, list[dict[str, Any]]]):
    for case, records in measured.items():
        calibrated, base = (fmean(record["brier"][key] for record in records) for key in ("answers", "answers_base"))
        assert calibrated < base, case


def test_confidences_that_know_something_keep_fewer_answers(measured: dict[Case, list[dict[str, Any]]]):
    paper, ours = (
        fmean(record["promises"]["0.2"]["size"] for record in measured[case] if "0.2" in record["promises"])
        for case in (Case("ddxplus-seed0", "rlcr-multi", 1), Case(OURS, CHOSEN, 1))
    )
    assert f"{ours:.2f} answers are enough for 80 % on DDXPlus, where the paper's credit needs {paper:.2f}" in prose(
        DOCUMENT
    )
    assert f"[{ours:.2f} answers](decisions.md) are enough on average, not {paper:.2f}" in prose(CREDIT)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.archive} {case.run} {case.samples}")
def test_a_split_made_again_gives_the_same(case: Case, measured: dict[Case, list[dict[str, Any]]]):
    for again in splits((case,), range(41, 43), HERE):
        published = measured[case][again["split"]]
        assert json.loads(json.dumps(again)) == {
            key: pytest.approx(value, abs=2e-6) if isinstance(value, float) else value
            for key, value in published.items()
            if key != "schema"
        }


def test_the_command_line_says_how_it_is_used(capsys: pytest.CaptureFixture[str]):
    assert main([]) == 2
    assert "measure" in capsys.readouterr().err


def test_a_table_comes_from_whatever_was_measured(tmp_path: Path, measured: dict[Case, list[dict[str, Any]]]):
    few = tmp_path / "few.jsonl"
    few.write_text(json.dumps(measured[CASES[0]][0]) + "\n", encoding="utf-8")
    text = with_tables("<!-- brier -->\n<!-- end of brier -->\n", few)
    assert text.count("\n| DDXPlus | RLCR-multi, 1 completion |") == 1
