"""Each sign of trouble is said when it begins."""

import pytest

from setwise.records.training_log import Alarm
from setwise.training.watch.alarms import FIRST_STEPS, INFORMED_AFTER, PASSING, PROGRESS, WINDOW, AlarmBoard


@pytest.mark.parametrize(
    ("name", "healthy", "ill"),
    [
        ("confidence_collapse", {"confidence/std": 0.2}, {"confidence/std": 0.01, "confidence/mean": 0.3}),
        (
            "confidences_pinned_to_one",
            {"confidence/sum_is_one": 0.3, "uniqueness": 3},
            {"confidence/sum_is_one": 0.99, "uniqueness": 3},
        ),
        ("groups_without_variance", {"frac_reward_zero_std": 0.2}, {"frac_reward_zero_std": 0.95}),
        ("duplicate_answers", {"rule/duplicates": 0.05}, {"rule/duplicates": 0.6}),
        ("length_drift", {"tokens": 100}, {"tokens": 300}),
        ("parse_rate_falling", {"strictly_valid": 0.9}, {"strictly_valid": 0.5}),
    ],
)
def test_each_alarm_rings_once_for_its_own_illness(name: str, healthy: dict[str, float], ill: dict[str, float]):
    board = AlarmBoard()
    quiet = [alarm for step in range(2 * WINDOW) for alarm in board.watch(step, healthy)]
    assert quiet == []
    rung = [alarm for step in range(2 * WINDOW, 4 * WINDOW) for alarm in board.watch(step, ill)]
    assert [alarm.name for alarm in rung] == [name]


def test_confidences_that_collapse_to_zero_are_said_to_teach_nothing():
    for mean, answers, told in ((0.3, 1, False), (0.004, 1, True), (0.004, 3, False)):
        board = AlarmBoard()
        metrics = {"confidence/std": 0.01, "confidence/mean": mean, "uniqueness": answers}
        (alarm,) = [alarm for step in range(PASSING) for alarm in board.watch(step, metrics)]
        assert ("a right answer earns no more than a wrong one" in alarm.message) == told


def test_confidences_of_sets_may_fall_together_for_a_while():
    for answers, steps, rings in ((1, WINDOW, True), (3, WINDOW, False), (3, PASSING - 1, False), (3, PASSING, True)):
        board = AlarmBoard()
        metrics = {"confidence/std": 0.01, "confidence/mean": 0.01, "uniqueness": answers}
        assert bool([alarm for step in range(steps) for alarm in board.watch(step, metrics)]) == rings


def test_confidences_that_parted_again_have_not_collapsed():
    board = AlarmBoard()
    spreads = [0.2] * WINDOW + [0.0] * (PASSING - 6) + [0.1] * PASSING
    steps = [{"confidence/std": spread, "confidence/mean": 0.01, "uniqueness": 3} for spread in spreads]
    assert not [alarm for number, step in enumerate(steps) for alarm in board.watch(number, step)]


def test_sets_that_are_mostly_malformed_are_no_single_answers():
    board = AlarmBoard()
    steps = [{"confidence/std": 0.01, "confidence/mean": 0.0, "uniqueness": each} for each in (0.4, 1.2, *[0.5] * 18)]
    assert not [alarm for number, step in enumerate(steps) for alarm in board.watch(number, step)]


def test_confidences_that_tell_nothing_are_an_alarm_once_they_should():
    told = {"confidence/when_right": 0.41, "confidence/when_wrong": 0.40, "confidence/auroc_within_places": 0.51}
    board = AlarmBoard()
    [alarm] = [alarm for step in range(1, 81) for alarm in board.watch(step, {**told, PROGRESS: step / 80})]
    assert (alarm.name, alarm.step) == ("confidences_without_information", INFORMED_AFTER * 80)
    assert "0.41 and 0.40" in alarm.message
    knowing = AlarmBoard()
    better = {**told, "confidence/auroc_within_places": 0.7, PROGRESS: 0.9}
    assert not [alarm for step in range(80) for alarm in knowing.watch(step, better)]


def test_an_alarm_that_stopped_rings_again():
    board = AlarmBoard()
    for value, expected in ((0.9, 1), (0.1, 0), (0.9, 1)):
        rung = [a for step in range(2 * WINDOW) for a in board.watch(step, {"frac_reward_zero_std": value})]
        assert len(rung) == expected


def test_an_alarm_that_wavers_around_its_bound_rings_once():
    board = AlarmBoard()
    wavering = [0.82, 0.82, 0.82, 0.78, 0.78, 0.78] * WINDOW
    rung = [a for step, value in enumerate(wavering) for a in board.watch(step, {"frac_reward_zero_std": value})]
    assert [(alarm.name, alarm.step) for alarm in rung] == [("groups_without_variance", 9)]


@pytest.mark.parametrize("killed_at", range(3 * WINDOW))
def test_a_run_that_resumes_rings_what_it_would_have_rung_and_nothing_twice(killed_at: int):
    repeating, wavering = [0.05] * WINDOW + [0.9] * 2 * WINDOW, [0.82, 0.82, 0.82, 0.78, 0.78, 0.78] * WINDOW
    told = {"confidence/when_right": 0.41, "confidence/when_wrong": 0.40, "confidence/auroc_within_places": 0.51}
    steps = [
        {**told, "step": float(step), "rule/duplicates": repeated, "frac_reward_zero_std": alike}
        for step, (repeated, alike) in enumerate(zip(repeating, wavering, strict=False), start=1)
    ]

    def rung(board: AlarmBoard, first: int, last: int) -> list[Alarm]:
        steps_now = range(first, last)
        return [a for n in steps_now for a in board.watch(n + 1, {**steps[n], PROGRESS: (n + 1) / len(steps)})]

    whole = rung(AlarmBoard(), 0, len(steps))
    assert {a.name for a in whole} == {
        "duplicate_answers",
        "groups_without_variance",
        "confidences_without_information",
    }
    before = rung(AlarmBoard(), 0, killed_at)
    resumed = AlarmBoard.after(steps[:killed_at], len(steps))
    assert before + rung(resumed, killed_at, len(steps)) == whole


def test_single_answers_that_are_sure_are_no_budget_being_shared_out():
    board = AlarmBoard()
    metrics = {"confidence/sum_is_one": 1.0, "uniqueness": 1.0}
    assert not [alarm for step in range(2 * WINDOW) for alarm in board.watch(step, metrics)]


def first_steps(**metrics: float) -> list[tuple[int, str, str]]:
    board = AlarmBoard()
    rung = [alarm for step in range(1, 2 * FIRST_STEPS) for alarm in board.watch(step, metrics)]
    return [(alarm.step, alarm.name, alarm.message) for alarm in rung]


def test_a_run_that_earns_nothing_from_its_first_step_is_told_where_to_look():
    nothing = {"reward/correctness": 0.0}
    [(step, name, said)] = first_steps(**nothing, strictly_valid=0.0, **{"parse/missing_answer": 0.9})
    assert (step, name) == (FIRST_STEPS, "nothing_earned")
    assert "0% of completions keep the format (90% fail for missing_answer)" in said
    assert "warm_start" in said
    [(_, _, said)] = first_steps(**nothing, strictly_valid=0.0, **{"parse/truncated": 1.0})
    assert "raise generation.max_completion_tokens" in said
    [(_, _, said)] = first_steps(**nothing, strictly_valid=0.95)
    assert "95% of completions keep the format" in said
    assert "whether the matcher takes the golds (setwise data check)" in said
    [(_, _, said)] = first_steps(pass_at_k=0.0, strictly_valid=0.95)
    assert "whether the matcher takes the golds" in said
    said = {name: said for _, name, said in first_steps(**nothing, strictly_valid=1.0, **{"rule/duplicates": 0.9})}
    assert "90% repeat an answer, which earns nothing" in said["nothing_earned"]


def test_a_run_that_has_earned_something_is_not_told_that_it_earns_nothing():
    board = AlarmBoard()
    earned = [{"reward/correctness": value, "strictly_valid": 0.9} for value in (0.0, 0.001, *[0.0] * 20)]
    assert not [alarm for step, metrics in enumerate(earned) for alarm in board.watch(step, metrics)]
    assert first_steps(tokens=3.0) == []
