"""What the page on the paper's two open failures says, against the records."""

from pathlib import Path
from statistics import fmean

import pytest

from results.blocks import estimate_span
from results.differences import over_seeds
from results.failure_tables import (
    BEFORE,
    BRIER,
    FALLING,
    FIRST,
    LOG,
    PER_ANSWER,
    UNTRAINED,
    UNWARMED,
    by_place,
    first_right,
    shares_of_one,
    stated_sums,
)
from results.goal_tables import ATTEMPTS
from results.question_kinds import kinds_in
from results.readings import full_claims, metrics_of
from results.rebuild import DOCS
from results.trainings import BRIER_PAID, DDXPLUS_160, DDXPLUS_240, HOTPOTQA, HOTPOTQA_200, MBPP, evaluations
from setwise.metrics.claims import shares_out_one
from setwise.records.training_log import TrainingLog
from tests.results.told import Told, listed, percent, prose
from tests.tasks.made_up import real

NUMBERS = (
    *("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)
OFF = 0.06
"""Summed over the three places of a set."""


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "open-failures.md")


def test_without_pay_for_confidences_sums_stay_at_one_or_above(unpacked: dict[str, Path], page: str):
    [untrained] = evaluations(unpacked, [UNTRAINED])
    assert shares_of_one(untrained)[1] > 0.5
    asked = [run for dataset in (HOTPOTQA, HOTPOTQA_200) for run in dataset.of("rlvr-multi+prompt")]
    shares = [sum(shares_of_one(run)) for run in evaluations(unpacked, [(BEFORE, "rlvr-multi+prompt"), *asked])]
    assert f"{listed([percent(share) for share in shares])} in four trainings" in page


def claims_and_right(runs: list[Path]) -> tuple[str, str]:
    sums = [zip(*stated_sums(run), strict=True) for run in runs]
    claimed, right = zip(*([f"{fmean(each):.2f}" for each in pair] for pair in sums), strict=True)
    return listed([*claimed]), listed([*right])


def test_the_papers_credit_does_not_make_rlcr_multi_sum_to_one(unpacked: dict[str, Path], page: str):
    papers = evaluations(unpacked, [(BEFORE, "rlcr-multi"), *HOTPOTQA.of("rlcr-multi")])
    assert all(shares_of_one(run) == (0, 0) for run in papers)
    claimed, right = claims_and_right(papers)
    assert f"it claims {claimed}, where {right} are right" in page


def test_with_the_log_score_each_place_claims_about_what_is_right(unpacked: dict[str, Path], page: str):
    ours, [brier] = (evaluations(unpacked, runs) for runs in (HOTPOTQA.ours, [BRIER_PAID]))
    claimed, right = claims_and_right(ours)
    assert f"The sums are {claimed}, where {right} are right" in page
    assert all(off_by(run) < OFF for run in ours)
    assert off_by(brier) > 3 * OFF
    at_one = [[each for claim, each in full_claims(run) if shares_out_one(claim)] for run in ours]
    assert not at_one[1]
    assert all({"yes", "no"} <= set(attempt.forms) for attempt in at_one[0])
    asked = {attempt.problem for attempt in at_one[0]}
    assert f"{len(at_one[0])} sets of {len(asked)} questions, all of which answer *yes* and *no*" in page
    assert f"{percent(fmean(any(attempt.correct) for attempt in at_one[0]))} of them hold the right answer" in page


def test_two_trainings_with_the_papers_credit_came_to_rest_at_one(unpacked: dict[str, Path], page: str):
    papers = [run for dataset in (DDXPLUS_240, DDXPLUS_160, MBPP) for run in dataset.of("rlcr-multi")]
    pinned = [
        run for run, folder in zip(papers, evaluations(unpacked, papers), strict=True) if shares_of_one(folder)[0] > 0.9
    ]
    assert pinned == [DDXPLUS_160.of("rlcr-multi")[0], MBPP.of("rlcr-multi")[1]]
    assert f"{NUMBERS[len(papers) - len(pinned)].capitalize()} other trainings did not come to rest at 1." in page
    patients, programs = (Told(unpacked[archive]) for archive, _ in pinned)
    assert {claim for claim, _ in full_claims(patients.folder / "eval" / pinned[0][1])} == {(0.5, 0.3, 0.2)}
    rung = TrainingLog(patients.folder / "train" / pinned[0][1]).alarms()
    steps = [str(alarm.step) for alarm in rung if alarm.name == "confidences_pinned_to_one"]
    assert f"`confidences_pinned_to_one` rang at steps {listed(steps)}." in page
    run = pinned[1][1]
    stated = [claim for claim, _ in full_claims(programs.folder / "eval" / run)]
    share, right = percent(stated.count((0.33,) * 3) / len(stated)), f"{programs.value(run, 'coverage'):.2f}"
    assert f"{share} of the sets state 0.33 three times, where {right} of the answers are right." in page
    log = programs.log(run)
    means, ones = ([step[name] for step in log] for name in ("confidence/mean", "confidence/sum_is_one"))
    assert f"began at {fmean(means[:5]):.2f}, fell to {min(means):.2f} (step {means.index(min(means)) + 1})" in page
    assert f"in steps 46 to 50, {percent(fmean(ones[45:50]))} of the sums were 1, and from step 81 on" in page
    assert max(step["confidence/std"] for step in log[80:]) < 0.04 < min(step["confidence/std"] for step in log[45:60])


def test_with_credit_per_answer_few_sums_are_one(unpacked: dict[str, Path], page: str):
    runs = evaluations(unpacked, [run for _, _, runs in ATTEMPTS for run in runs])
    *_, most, highest = sorted(shares_of_one(run)[0] for run in runs)
    assert (
        f"at most {percent(most)} of a model's sums on the test problems are 1, on all three datasets, except" in page
    )
    [longer] = evaluations(unpacked, HOTPOTQA_200.ours)
    assert shares_of_one(longer)[0] == highest


def test_after_more_steps_more_sums_are_one(unpacked: dict[str, Path], page: str):
    [run] = evaluations(unpacked, HOTPOTQA_200.ours)
    at_one, kinds = (
        [attempt for claim, attempt in full_claims(run) if shares_out_one(claim)],
        kinds_in(real("hotpotqa")),
    )
    share, held = percent(shares_of_one(run)[0]), percent(fmean(any(each.correct) for each in at_one))
    compared = percent(fmean(kinds[each.problem] == "comparison" for each in at_one))
    assert f"more sums are 1:** {share} of them, and {held} of these sets hold the right answer. {compared} of" in page


def off_by(run: Path) -> float:
    """How far the confidences of a set are from the shares that are right, over its places."""
    return sum(abs(claimed - right) for claimed, right in by_place(run))


def test_with_the_brier_score_only_the_first_confidence_of_a_set_is_more_than_zero(
    unpacked: dict[str, Path], page: str
):
    (first, right), *others = by_place(*evaluations(unpacked, [BRIER_PAID]))
    assert f"First answers claim {percent(first)} and are right in {percent(right)} of the sets" in page
    (second, in_second), (third, in_third) = others
    assert second == third == 0
    assert f"the others are right in {percent(in_second)} and {percent(in_third)} and all claim 0" in page


def test_first_answers_of_sets_beside_those_of_single_models(unpacked: dict[str, Path], page: str):
    def pairs(method: str) -> list[tuple[Path, Path]]:
        both = [(runs["rlvr-single"], runs[method]) for runs in FIRST.values() if method in runs]
        return [(single, other) for single, other in (evaluations(unpacked, pair) for pair in both)]

    def more_often(method: str) -> list[bool]:
        return [first_right(other) > first_right(single) for single, other in pairs(method)]

    def less_often(*methods: str) -> str:
        pairs = [more for method in methods for more in more_often(method)]
        return f"{NUMBERS[pairs.count(False)]} of {NUMBERS[len(pairs)]}"

    assert f"than RLVR-single's in {less_often('rlvr-multi')} pairs, and RLCR-multi's in" in page
    assert f"RLCR-multi's in {less_often('rlcr-multi')}. All tokens" in page
    assert f"**With credit per answer** it is right less often in {less_often(BRIER, LOG)} pairs." in page
    assert less_often(UNWARMED) == "one of three"
    assert less_often(FALLING) == "two of two"
    assert "right more often in two of three pairs, and with a falling rate in none of two." in page
    ours, papers = (
        [first_right(other) / first_right(single) for method in methods for single, other in pairs(method)]
        for methods in (PER_ANSWER, ("rlvr-multi", "rlcr-multi"))
    )
    ranges = [f"{min(ratios):.2f} to {max(ratios):.2f} times" for ratios in (ours, papers)]
    assert f"{ranges[0]} as often as RLVR-single's, with the paper's credit {ranges[1]};" in page


def test_the_most_confident_answer_beside_the_first(unpacked: dict[str, Path], page: str):
    patients, questions, problems = (evaluations(unpacked, each.ours) for each in (DDXPLUS_240, HOTPOTQA, MBPP))

    def shares(runs: list[Path]) -> str:
        return listed([percent(metrics_of(run)["pass_at_1/most_confident"].value, 1) for run in runs])

    assert f"for {shares(patients)} of the patients of DDXPlus after 240 steps, {shares(questions)} of the" in page
    assert f"log score, and {shares(problems)} of the problems of MBPP" in page
    for run in (*patients, *questions, *problems):
        found = metrics_of(run)
        assert -0.01 < found["pass_at_1/most_confident"].value - found["pass_at_1"].value < 0.025
    [papers] = (metrics_of(run) for run in evaluations(unpacked, DDXPLUS_240.of("rlcr-multi")))
    surest, first = (percent(papers[name].value, 1) for name in ("pass_at_1/most_confident", "pass_at_1"))
    assert f"it is right for {surest} of the patients, and the one written first for {first}:" in page


@pytest.mark.slow
def test_differences_of_first_answers_over_trainings(unpacked: dict[str, Path], page: str):
    pairs = [
        (DDXPLUS_160, runs) for runs in (DDXPLUS_160.of("rlvr-multi"), DDXPLUS_160.of("rlcr-multi"), DDXPLUS_160.ours)
    ]
    pairs += [(DDXPLUS_240, runs) for runs in (DDXPLUS_240.of("rlvr-multi"), DDXPLUS_240.ours)]
    found = [
        over_seeds("pass_at_1", *(evaluations(unpacked, each) for each in (dataset.of("rlvr-single"), runs))).value
        for dataset, runs in pairs
    ]
    sets, papers, ours, longer_sets, longer = map(estimate_span, found)
    assert f"the differences are {sets} and {papers}, over RLVR-multi's of 240 steps {longer_sets}." in page
    assert f"steps the difference is {ours}, over those of [240 steps](ddxplus-credit.md#240-steps) {longer}." in page
    assert all(each.low is not None and each.high is not None and each.low < 0 < each.high for each in found)
