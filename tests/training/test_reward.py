"""The reward inside the engine: one callable, honest about what it could not judge."""

import json
import pickle
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from setwise.answers import Reason
from setwise.errors import SandboxError
from setwise.matching import Match, exact
from setwise.objectives import Objective, Regime
from setwise.problems import Problem
from setwise.records import problem_to_record
from setwise.training.alarms import WINDOW, AlarmBoard
from setwise.training.decoding import CompletionDecoder
from setwise.training.reward import SetReward

END, PADDING = 0, 1
GROUP = 2
PROBLEM = json.dumps(problem_to_record(Problem("1", "?", ["Gout"])))
RIGHT = "<think>x</think><answer1>Gout</answer1><confidence1>0.8</confidence1>"
DOUBLE = RIGHT + "<answer2>gout.</answer2><confidence2>0.1</confidence2>"
GOOD = RIGHT + "<answer2>Flu</answer2><confidence2>0.1</confidence2>"
OBJECTIVE = Objective("rlcr-multi", 2, regime=Regime.EXCLUSIVE)


class Characters:
    """A tokenizer of code points."""

    pad_token_id = PADDING
    all_special_tokens: tuple[str, ...] = ("<end>",)

    def batch_decode(self, batch: Sequence[Sequence[int]], skip_special_tokens: bool) -> list[str]:
        return ["".join(map(chr, ids)) for ids in batch]


@dataclass(frozen=True)
class DeadSandbox:
    name: str = "dead"

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        raise SandboxError("the sandbox is gone")

    def forms(self, answers: Sequence[str]) -> list[Hashable]:
        return list(answers)


def tokens(text: str, *, ended: bool = True) -> list[int]:
    return [*map(ord, text), *([END] if ended else [])]


def reward_of(matcher: Any = exact) -> SetReward:
    return SetReward(OBJECTIVE, matcher, CompletionDecoder(Characters(), [END]), GROUP)


def call(reward: SetReward, *texts: str) -> tuple[list[float | None], dict[str, float], dict[str, list[str]]]:
    metrics: dict[str, float] = {}
    columns: dict[str, list[str]] = {}
    rewards = reward(
        prompts=[],
        completions=[],
        completion_ids=[tokens(text) for text in texts],
        problem=[PROBLEM] * len(texts),
        trainer_state=None,
        log_metric=metrics.__setitem__,
        log_extra=columns.__setitem__,
    )
    return rewards, metrics, columns


def test_the_engine_gets_what_score_batch_says():
    rewards, metrics, columns = call(reward_of(), GOOD, DOUBLE)
    assert rewards == [pytest.approx(2 - (0.04 + 0.01) / 2), 0.0]
    assert columns["labels"] == ["right | wrong", "right | wrong"]
    assert columns["verdict"] == ["valid", "duplicates"]
    assert (metrics["set/distinct"], metrics["rule/duplicates"]) == (1.5, 0.5)


def test_a_broken_sandbox_gives_none_and_not_zero():
    rewards, metrics, columns = call(reward_of(DeadSandbox()), GOOD, "nonsense")
    assert rewards == [None, 0.0]
    assert metrics["machinery/unscored"] == 0.5
    assert "the sandbox is gone" in columns["verdict"][0]


def test_every_reason_is_logged_in_every_batch():
    _, metrics, _ = call(reward_of(), GOOD, "<answer1>")
    assert {f"parse/{reason}" for reason in Reason} <= metrics.keys()
    assert metrics[f"parse/{Reason.MISSING_THINK}"] == 0.5


def test_confidences_and_lengths_are_logged():
    _, metrics, _ = call(reward_of(), GOOD, GOOD)
    assert (metrics["confidence/mean"], metrics["confidence/sum"]) == (pytest.approx(0.45), pytest.approx(0.9))
    assert metrics["length/tokens"] == len(tokens(GOOD))


def test_a_batch_without_confidences_logs_none_rather_than_zero():
    _, metrics, _ = call(reward_of(), "nonsense", "nonsense")
    assert "confidence/mean" not in metrics


def test_a_completion_without_its_end_is_truncated():
    texts, truncated = CompletionDecoder(Characters(), [END])(
        [tokens("a"), tokens("b", ended=False), [ord("c"), END, 1]]
    )
    assert (texts, truncated) == (["a", "b", "c"], [False, True, False])


def test_think_tags_that_a_tokenizer_calls_special_are_kept():
    class Special(Characters):
        all_special_tokens = ("<think>",)

    assert CompletionDecoder(Special(), [END]).keeps_special
    assert not CompletionDecoder(Characters(), [END]).keeps_special


def test_the_reward_survives_pickling():
    reward = pickle.loads(pickle.dumps(reward_of()))
    assert call(reward, GOOD)[0] == call(reward_of(), GOOD)[0]


def test_scoring_begun_in_the_background_gives_the_same():
    reward = reward_of()
    reward.begin([tokens(GOOD), tokens(DOUBLE)], [PROBLEM] * 2)
    assert call(reward, GOOD, DOUBLE) == call(reward_of(), GOOD, DOUBLE)


def test_an_error_in_the_background_is_raised_where_the_reward_is_asked_for():
    reward = reward_of()
    reward.begin([tokens(GOOD)], ["{"])
    with pytest.raises(ValueError, match="Expecting property name"):
        call(reward, GOOD)


@pytest.mark.parametrize(
    ("name", "healthy", "ill"),
    [
        ("confidence_collapse", {"confidence/std": 0.2}, {"confidence/std": 0.01, "confidence/mean": 0.3}),
        (
            "confidences_pinned_to_one",
            {"confidence/sum_is_one": 0.3, "set/distinct": 3},
            {"confidence/sum_is_one": 0.99, "set/distinct": 3},
        ),
        ("groups_without_variance", {"frac_reward_zero_std": 0.2}, {"frac_reward_zero_std": 0.95}),
        ("duplicate_answers", {"rule/duplicates": 0.05}, {"rule/duplicates": 0.6}),
        ("length_drift", {"length/tokens": 100}, {"length/tokens": 300}),
        ("parse_rate_falling", {"parse/valid": 0.9}, {"parse/valid": 0.5}),
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
        metrics = {"confidence/std": 0.01, "confidence/mean": mean, "set/distinct": answers}
        (alarm,) = [alarm for step in range(2 * WINDOW) for alarm in board.watch(step, metrics)]
        assert ("a right answer earns no more than a wrong one" in alarm.message) == told


def test_an_alarm_that_stopped_rings_again():
    board = AlarmBoard()
    for value, expected in ((0.9, 1), (0.1, 0), (0.9, 1)):
        rung = [a for step in range(2 * WINDOW) for a in board.watch(step, {"frac_reward_zero_std": value})]
        assert len(rung) == expected


def test_single_answers_that_are_sure_are_no_budget_being_shared_out():
    board = AlarmBoard()
    metrics = {"confidence/sum_is_one": 1.0, "set/distinct": 1.0}
    assert not [alarm for step in range(2 * WINDOW) for alarm in board.watch(step, metrics)]
