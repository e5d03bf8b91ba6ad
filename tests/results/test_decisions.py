"""The table of decisions follows from its splits, and the splits from the published records."""

import json
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from results.decision_tables import DOCUMENT, with_tables
from results.decisions import CASES, HERE, MEASURED, SPLITS, Case, main, splits
from results.trainings import DDXPLUS
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


def test_a_promise_that_most_splits_reach_holds(measured: dict[Case, list[dict[str, Any]]]):
    """At most 2 points below it, and above it by more than 2 points only where the page says so."""
    text, above = prose(DOCUMENT), []
    for alpha in ("0.1", "0.2"):
        promised, means = 1 - float(alpha), []
        for case, records in measured.items():
            right = [record["promises"][alpha]["right"] for record in records if alpha in record["promises"]]
            if len(right) > HALF:
                means.append(fmean(right))
                assert means[-1] >= promised - 0.02, case
                if means[-1] > promised + 0.02:
                    assert (case.archive, case.run) in DDXPLUS.ours
                    above.append(f"{means[-1]:.3f}")
        assert f"from {min(means):.3f} to {max(means):.3f} for {percent(promised)}" in text
    assert len(above) == 4
    assert f"in four cases, all paid per answer: {listed(above)} for 80 %." in text
    first = [
        fmean(record["plain"]["first"] for record in measured[Case(*DDXPLUS.ours[0], samples)]) for samples in (1, 10)
    ]
    assert {f"{each:.2f}" for each in first} == {"0.82"}


def test_calibrated_answers_beat_the_base_rate_on_every_dataset(measured: dict[Case, list[dict[str, Any]]]):
    for case, records in measured.items():
        calibrated, base = (fmean(record["brier"][key] for record in records) for key in ("answers", "answers_base"))
        assert calibrated < base, case


def test_confidences_that_know_something_keep_fewer_answers(measured: dict[Case, list[dict[str, Any]]]):
    def kept(case: Case, alpha: str, name: str) -> float:
        return fmean(record["promises"][alpha][name] for record in measured[case] if alpha in record["promises"])

    def first(case: Case) -> str:
        return percent(fmean(record["plain"]["first"] for record in measured[case]))

    def sizes(cases: list[Case], alpha: str) -> str:
        return listed([f"{kept(case, alpha, 'size'):.2f}" for case in cases])

    def passed_on(cases: list[Case], alpha: str) -> str:
        return listed([percent(1 - kept(case, alpha, "answered")) for case in cases])

    papers, ours = ([Case(*run, 1) for run in runs] for runs in (DDXPLUS.of("rlcr-multi"), DDXPLUS.ours))
    text, credit = prose(DOCUMENT), prose(CREDIT)
    assert f"needs {sizes(ours, '0.2')} answers of one completion (seeds 0, 1 and 2)" in text
    assert f"and passes on {passed_on(ours, '0.2')}." in text
    assert f"needs [{sizes(ours, '0.2')} answers](decisions.md) and passes on {passed_on(ours, '0.2')}." in credit
    for page in (text, credit):
        assert f"it needs {sizes(papers, '0.2')} and passes on {passed_on(papers, '0.2')}." in page
    reached = [str(sum("0.1" in record["promises"] for record in measured[case])) for case in papers]
    assert f"which then {listed(reached)} of 100 splits reach" in text
    assert f"holds with {sizes(ours, '0.1')} answers if {passed_on(ours, '0.1')} are passed on." in text
    rights = [listed([first(case) for case in cases]) for cases in (ours, papers)]
    assert f"right for {rights[0]}, with the paper's credit for {rights[1]}." in text


def test_sets_paid_per_answer_beat_the_base_rate(measured: dict[Case, list[dict[str, Any]]]):
    cases = [measured[Case(*training, 1)] for training in DDXPLUS.ours]
    sets, base = ([fmean(record["brier"][key] for record in case) for case in cases] for key in ("sets", "sets_base"))
    assert all(own < constant for own, constant in zip(sets, base, strict=True))
    told, constants = (listed([f"{each:.3f}" for each in values]) for values in (sets, base))
    assert f"Paid per answer they do: {told}, against base rates of {constants} (one" in prose(DOCUMENT)


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
