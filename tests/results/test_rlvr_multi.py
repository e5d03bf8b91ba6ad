"""RLVR-multi paid otherwise than in the paper: what the page says of the records."""

from pathlib import Path
from statistics import fmean

import pytest

from results.rebuild import DOCS, HERE
from results.rlvr_multi import TRAINED
from results.trainings import Run, evaluations
from setwise.records.run import RunFolder
from tests.results.archives import Archives, audited_share, thousandths
from tests.results.told import listed, prose

PAPERS, [PER_ANSWER], [VPO] = TRAINED["DDXPlus, 160 steps"].values()


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "rlvr-multi.md")


def right_by_place(unpacked: dict[str, Path], run: Run) -> str:
    [folder] = evaluations(unpacked, [run])
    sets = [attempt.correct for attempt in RunFolder(folder).attempts()]
    return thousandths([fmean(place < len(right) and right[place] for right in sets) for place in range(3)])


def test_credit_per_answer_did_not_help(records: Archives, page: str):
    coverage, any_right, first = (
        (records.value(PER_ANSWER, metric), [records.value(run, metric) for run in PAPERS])
        for metric in ("coverage", "pass_at_k", "pass_at_1")
    )
    assert coverage[0] < min(coverage[1])
    assert any_right[0] < min(any_right[1])
    assert min(first[1]) < first[0] < max(first[1])
    assert f"Coverage, {coverage[0]:.3f}, is below that of all three trainings" in page
    assert f"with the paper's credit, {thousandths(coverage[1])}." in page
    assert f"sets with a right answer, {any_right[0]:.3f} against {thousandths(any_right[1])}." in page
    assert f"of which {first[0]:.3f} are right, lie among the others' {thousandths(first[1])}." in page


def test_vpo_finds_fewer_right_answers_and_no_more_sets_with_one(
    unpacked: dict[str, Path], records: Archives, page: str
):
    assert f"By place {right_by_place(unpacked, VPO)} are right." in page
    assert records.value(VPO, "coverage") < min(records.value(run, "coverage") for run in PAPERS)
    assert records.value(VPO, "pass_at_k") < max(records.value(run, "pass_at_k") for run in PAPERS)
    [folder] = evaluations(unpacked, [VPO])
    golds = fmean(attempt.n_golds or 0 for attempt in RunFolder(folder).attempts())
    assert f"divided by the number of golds, {golds:.1f} on average" in page
    covered = [f"{fmean(step['coverage'] for step in records.log(run)[40:60]):.2f}" for run in (VPO, PAPERS[0])]
    assert f"in steps 41 to 60 its coverage was {covered[0]}, that of the paper's credit with the same seed" in page
    assert f"with the same seed {covered[1]}." in page


def test_vpo_names_one_thing_twice_more_often(page: str):
    vpo, ours, *papers = (audited_share(run, "near_duplicates") for run in (VPO, PER_ANSWER, *PAPERS))
    assert f"in {vpo} of the sets, such as anemia and *anaphylactoid anemia*;" in page
    assert f"with the paper's credit in {listed(papers)}, per answer in {ours}." in page


@pytest.mark.parametrize("run", [PER_ANSWER, VPO])
def test_the_recipes_have_the_published_settings(records: Archives, run: Run):
    archive, name = run
    recipe = HERE.parent / "recipes" / "small" / "ddxplus" / f"{name.removesuffix('-seed0')}.yaml"
    records.told[archive].assert_trained_by(name, recipe)
