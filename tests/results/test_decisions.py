"""The table of decisions follows from its splits, and the splits from the published records."""

import json
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from results.credit_tables import CHOSEN
from results.decision_tables import DOCUMENT, with_tables
from results.decisions import CASES, HERE, MEASURED, SPLITS, Case, main, splits
from setwise.records.files import read_records
from tests.results.told import listed, percent, prose

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
    two cases that the page names."""
    above, all_of_them = [], []
    for case, records in measured.items():
        right = [record["promises"][alpha]["right"] for record in records if alpha in record["promises"]]
        if len(right) > HALF:
            first = fmean(record["plain"]["first"] for record in records)
            all_of_them.append(fmean(right))
            assert fmean(right) >= 1 - float(alpha) - 0.02, case
            if fmean(right) > max(1 - float(alpha), first) + 0.02:
                above.append(f"{fmean(right):.3f}")
    assert len(above) == (2 if alpha == "0.2" else 0)
    named = prose(DOCUMENT).partition("more than 2 points above")[2].partition("Single profiles")[0]
    assert all(coverage in named for coverage in above)
    promised = f"{100 - 100 * float(alpha):.0f} %"
    assert f"from {min(all_of_them):.3f} to {max(all_of_them):.3f} for {promised}" in prose(DOCUMENT)


def test_calibrated_answers_beat_the_base_rate_on_every_dataset(measured: dict[Case, list[dict[str, Any]]]):
    for case, records in measured.items():
        calibrated, base = (fmean(record["brier"][key] for record in records) for key in ("answers", "answers_base"))
        assert calibrated < base, case


def test_confidences_that_know_something_keep_fewer_answers(measured: dict[Case, list[dict[str, Any]]]):
    def kept(case: Case, alpha: str, name: str) -> float:
        return fmean(record["promises"][alpha][name] for record in measured[case] if alpha in record["promises"])

    def first(case: Case) -> str:
        return percent(fmean(record["plain"]["first"] for record in measured[case]))

    papers, ours = Case("ddxplus-seed0", "rlcr-multi", 1), [Case(*training, 1) for training in CHOSEN]
    paper = f"{kept(papers, '0.2', 'size'):.2f}"
    sizes, sure = ([f"{kept(case, alpha, 'size'):.2f}" for case in ours] for alpha in ("0.2", "0.1"))
    passed_on = [percent(1 - kept(case, "0.1", "answered")) for case in ours]
    assert not any("0.1" in record["promises"] for record in measured[papers])
    text = prose(DOCUMENT)
    assert f"{listed(sizes)} answers are enough for 80 % on DDXPlus" in text
    assert f"where the paper's credit needs {paper}." in text
    assert f"now holds with {listed(sure)} answers if {listed(passed_on)} of the patients are passed on." in text
    assert f"is right for {listed([first(case) for case in ours])}, not {first(papers)}." in text
    assert f"[{listed(sizes)} answers](decisions.md) are enough on average, not {paper}" in prose(CREDIT)


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
