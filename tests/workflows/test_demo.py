"""The demo says what its numbers show, and nothing when they do not."""

from collections.abc import Mapping
from pathlib import Path

from setwise.records.attempt import Construction
from setwise.records.comparison import Compared, Comparison, Difference
from setwise.records.measured import Estimate
from setwise.workflows.demo.findings import SEEN, Claim, answer, discrimination, elsewhere

CLAIM = Claim("single", "multi", "pass_at_k", "coverage", 1)


def comparison(*differences: Difference, estimates: Mapping[str, Estimate] | None = None) -> Comparison:
    run = Compared("rlcr-multi", "rlcr-multi", "m", 3, Construction.WRITTEN, "written", estimates or {})
    return Comparison("clinic", 9, {}, (run,), differences, ())


def difference(first: str, second: str, value: Estimate) -> Difference:
    return Difference(first, second, "pass_at_k", value, 0.5, 0.5)


def test_a_difference_is_shown_only_where_its_whole_interval_is():
    clear = difference("single", "multi", Estimate(0.2, 0.1, 0.3))
    doubtful = difference("single", "multi", Estimate(0.2, -0.1, 0.5))
    opposite = difference("single", "multi", Estimate(-0.2, -0.3, -0.1))
    assert answer(CLAIM, comparison(clear)) == "coverage: +0.200 [+0.100, +0.300], shown"
    assert answer(CLAIM, comparison(doubtful)).endswith("not shown")
    assert answer(CLAIM, comparison(opposite)).endswith("the other way round")


def test_a_pair_compared_in_the_other_order_is_turned_round():
    turned = difference("multi", "single", Estimate(-0.2, -0.3, -0.1))
    assert answer(CLAIM, comparison(turned)) == "coverage: +0.200 [+0.100, +0.300], shown"


def test_a_claim_without_numbers_is_not_answered():
    assert answer(CLAIM, comparison()) == "coverage: cannot be compared"


def test_a_model_that_forgot_to_state_confidences_is_named():
    claim = Claim("single", "multi", "pooled/brier", "Brier score", -1)
    forgot = Compared(
        "multi", "m", "m", 3, Construction.WRITTEN, "prompt", {}, {"pooled/n": 6, "pooled/n_excluded": 1194}
    )
    found = answer(claim, Comparison("clinic", 9, {}, (forgot,), (), ()))
    assert found == "Brier score: cannot be compared; multi gave confidences for 6 of 1,200 answers"


def test_where_the_question_is_whether_two_differ_no_side_is_the_better_one():
    claim = Claim("single", "multi", "pass_at_k", "coverage", 0)
    for value, verdict in (
        (Estimate(0.2, 0.1, 0.3), "higher"),
        (Estimate(-0.2, -0.3, -0.1), "lower"),
        (Estimate(0.0, -0.1, 0.1), "no difference shown"),
        (Estimate(0.0), "no interval"),
    ):
        assert answer(claim, comparison(difference("single", "multi", value))).endswith(f", {verdict}")


def test_confidences_that_only_learned_the_base_rate_are_called_that():
    def told(**skills: Estimate) -> list[str]:
        estimates = {f"{answers}/brier_skill": skill for answers, skill in skills.items()}
        return discrimination(comparison(estimates=estimates), "rlcr-multi", "RLCR-multi")

    only_base_rate, better = Estimate(0.01, -0.02, 0.04), Estimate(0.1, 0.05, 0.15)
    skill = "Brier skill against the best constant"
    assert told(pooled=only_base_rate) == [f"{skill}, all answers of RLCR-multi: +0.010 [-0.020, +0.040], not shown"]
    assert told() == ["RLCR-multi stated no usable confidences"]
    only_places = told(pooled=better, top1=only_base_rate)
    assert only_places == [
        f"{skill}, all answers of RLCR-multi: +0.100 [+0.050, +0.150], shown",
        f"{skill}, first answers of RLCR-multi: +0.010 [-0.020, +0.040], not shown",
    ]


def test_the_ranges_that_the_demo_prints_are_in_its_results():
    text = (Path(__file__).parents[2] / "docs" / "results" / "clinic.md").read_text(encoding="utf-8")
    for method, (low, high) in SEEN.items():
        assert f"{method} {low:.2f} to {high:.2f}" in elsewhere()
        kind, _, way = method.partition("-")
        label = f"{kind.upper()}-{way}".replace("-per-answer", ", paid per answer")
        row = next(line for line in text.splitlines() if line.startswith(f"| {label} |"))
        assert f"{low:.2f} to {high:.2f}" in row
