"""Each sign of trouble is said when it begins."""

import pytest

from setwise.training.watch.alarms import WINDOW, AlarmBoard


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
        (alarm,) = [alarm for step in range(2 * WINDOW) for alarm in board.watch(step, metrics)]
        assert ("a right answer earns no more than a wrong one" in alarm.message) == told


def test_an_alarm_that_stopped_rings_again():
    board = AlarmBoard()
    for value, expected in ((0.9, 1), (0.1, 0), (0.9, 1)):
        rung = [a for step in range(2 * WINDOW) for a in board.watch(step, {"frac_reward_zero_std": value})]
        assert len(rung) == expected


def test_single_answers_that_are_sure_are_no_budget_being_shared_out():
    board = AlarmBoard()
    metrics = {"confidence/sum_is_one": 1.0, "uniqueness": 1.0}
    assert not [alarm for step in range(2 * WINDOW) for alarm in board.watch(step, metrics)]
