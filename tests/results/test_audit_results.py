"""The tables of the audit follow from what was measured, and the measured from the committed records."""

from pathlib import Path

import pytest

from results.audit import MEASURED, published
from results.audit_tables import DOCUMENTS, with_tables
from results.rebuild import DOCS
from results.trainings import DDXPLUS_160, DDXPLUS_240, HOTPOTQA, MBPP, MBPP_150, PROGRAMS_BRIER
from setwise.records.files import read_records
from tests.results.archives import audited, audited_share
from tests.results.told import Told, listed, prose


def test_the_documents_show_what_was_measured():
    for document in DOCUMENTS:
        assert with_tables(document, MEASURED) == document.read_text(encoding="utf-8")


def test_every_archive_with_evaluations_is_audited(unpacked: dict[str, Path]):
    evaluated = {(archive, run.name) for archive, folder in unpacked.items() for run in folder.glob("eval/*")}
    measured = [(record["archive"], record["run"]) for _, record in read_records(MEASURED) if "archive" in record]
    assert sorted(measured) == sorted(evaluated)


def test_the_letter_of_rlcr_single_is_among_the_findings():
    [record] = [
        record
        for _, record in read_records(MEASURED)
        if record.get("archive") == "ddxplus-seed1" and record["run"] == "rlcr-single"
    ]
    found = {each["name"]: each for each in record["findings"]}
    assert found["one_set"]["count"] > 0.9 * record["completions"]
    assert found["one_set"]["examples"][0]["quote"] == "n"
    assert found["constant_confidences"]["count"] > 0.9 * record["completions"]


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "audit.md")


def test_longer_training_on_programs_repeats_them(page: str):
    sets, papers, ours = (
        listed([audited_share(run, "equivalent_programs") for run in runs])
        for runs in (MBPP.of("rlvr-multi"), MBPP.of("rlcr-multi"), MBPP.ours)
    )
    for short in ("rlvr-multi", "rlcr-multi"):
        assert audited_share(("mbpp-seed0", short), "equivalent_programs") == "4 %"
    assert "After 36 steps 4 % of the sets of RLVR-multi and of RLCR-multi do, after 120 steps " + sets in page
    assert f"{sets} of RLVR-multi's (two seeds) and {papers} of RLCR-multi's:" in page
    brier = audited_share(PROGRAMS_BRIER, "equivalent_programs")
    [longer] = (audited_share(run, "equivalent_programs") for run in MBPP_150.ours)
    assert f"With credit per answer it is {ours}, after 150 steps {longer} in one training," in page
    assert f"in one training, with the Brier score {brier};" in page
    told = f"per answer {ours}, RLVR-multi's {sets}, RLCR-multi's with the paper's credit {papers};"
    assert told in prose(DOCS / "results" / "mbpp-credit.md")


def test_a_few_sets_make_up_much_of_what_patients_are_told(unpacked: dict[str, Path], page: str):
    papers, ours, sets, longer, longer_sets = (
        listed([Told(unpacked[archive]).share_of_sets(run, most_common=1) for archive, run in runs])
        for runs in (
            DDXPLUS_160.of("rlcr-multi"),
            DDXPLUS_160.ours,
            DDXPLUS_160.of("rlvr-multi"),
            DDXPLUS_240.ours,
            DDXPLUS_240.of("rlvr-multi"),
        )
    )
    assert f"The commonest one has {papers} of RLCR-multi's with the paper's credit, {ours} with credit" in page
    assert f"with credit per answer, and {sets} of RLVR-multi's." in page
    assert f"After 240 steps it is {longer} with credit per answer and {longer_sets} of RLVR-multi's." in page
    *above, last = (audited_share(run, "one_set") for run in DDXPLUS_160.of("rlcr-multi"))
    assert f"are just above that bound, with {listed(above)} of their completions." in page
    others = [last, *(audited_share(run, "one_set") for run in (*DDXPLUS_160.ours, *DDXPLUS_160.of("rlvr-multi")))]
    shares = sorted(others, key=lambda text: int(text.split()[0]))
    assert f"The others of these are below it, with {shares[0]} to {shares[-1]}." in page


def test_longer_training_of_single_answers_ends_with_the_prompt(page: str):
    [single] = HOTPOTQA.of("rlcr-single")
    assert (
        f"`format_answers` in {audited_share(single, 'format_answers', 1)} of the completions, none of them right."
        in page
    )


def test_single_answers_with_more_steps_are_often_the_same(page: str):
    audits = [audited(run)["findings"] for run in DDXPLUS_240.of("rlvr-single")]
    assert [[each["severity"] for each in found if each["name"] == "one_set"] for found in audits] == [
        [],
        [],
        ["serious"],
    ]
    anemia = audited_share(DDXPLUS_240.of("rlvr-single")[2], "one_set")
    assert f"RLVR-single with 240 steps and seed 2 is above it too: {anemia} of its answers are anemia." in page


def test_credit_per_answer_repeats_and_joins_answers(page: str):
    ours, sets, longer, longer_sets = (
        [audited_share(run, "near_duplicates") for run in runs]
        for trainings in (DDXPLUS_160, DDXPLUS_240)
        for runs in (trainings.ours, trainings.of("rlvr-multi"))
    )
    assert f"On DDXPlus with seed 0, {ours[0]} hold one answer twice in other words," in page
    assert f"the others {listed(ours[1:])} (RLVR-multi: {listed(sets)})," in page
    assert f"after 240 steps {listed(longer)} (RLVR-multi: {listed(longer_sets)})." in page
    joined = {audited_share(runs[0], "hedged_answers") for runs in (DDXPLUS_160.ours, HOTPOTQA.ours)}
    assert [*joined] == ["7 %"]
    assert (
        "With seed 0, 7 % of the completions put several answers into one on DDXPlus and on HotPotQA-Modified" in page
    )


def test_the_thinking_often_becomes_a_formula(page: str):
    longer, longer_sets, ours, sets = (
        listed([audited_share(run, "template_thinking") for run in runs])
        for trainings in (DDXPLUS_240, DDXPLUS_160)
        for runs in (trainings.ours, trainings.of("rlvr-multi"))
    )
    assert f"one of a few thoughts is in {longer} of the completions, in RLVR-multi's in {longer_sets};" in page
    assert f"after 160 in {ours}, and in RLVR-multi's in {sets}." in page


@pytest.mark.slow
def test_an_archive_is_audited_as_it_was_measured():
    archive = "ddxplus-seed0-micro16"
    kept = [record for _, record in read_records(MEASURED) if record.get("archive") == archive]
    for known, now in zip(kept, published((archive,)), strict=True):
        assert [each["name"] for each in known["findings"]] == [each["name"] for each in now["findings"]]
        assert [each["count"] for each in known["findings"]] == [each["count"] for each in now["findings"]]
