"""The reward inside the engine: one callable, honest about what it could not judge."""

import json
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from setwise.answers import Match, Reason
from setwise.credit import CompletionDecoder, TokenCrediting
from setwise.errors import SandboxError
from setwise.matching import exact
from setwise.objectives import Objective, Regime
from setwise.questions import Problem
from setwise.records.problem import problem_to_record
from setwise.rewards.credit import Credit
from setwise.training.run.reward import SetReward
from tests.credit.characters import END, Characters, tokens

GROUP = 2
PROBLEM = json.dumps(problem_to_record(Problem("1", "?", ["Gout"])))
RIGHT = "<think>x</think><answer1>Gout</answer1><confidence1>0.8</confidence1>"
DOUBLE = RIGHT + "<answer2>gout.</answer2><confidence2>0.1</confidence2>"
GOOD = RIGHT + "<answer2>Flu</answer2><confidence2>0.1</confidence2>"
OBJECTIVE = Objective("rlcr-multi", 2, regime=Regime.EXCLUSIVE)


@dataclass(frozen=True)
class DeadSandbox:
    name: str = "dead"

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        raise SandboxError("the sandbox is gone")


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
    assert (metrics["uniqueness"], metrics["rule/duplicates"]) == (1.5, 0.5)


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
    assert metrics["tokens"] == len(tokens(GOOD))
    assert (metrics["confidence/when_right"], metrics["confidence/when_wrong"]) == (0.8, pytest.approx(0.1))
    assert metrics["confidence/auroc"] == 1
    assert metrics["confidence/brier_skill"] == pytest.approx(1 - (0.04 + 0.01) / 2 / 0.25)


def test_confidences_are_compared_within_places_too():
    swapped = "<think>x</think><answer1>Flu</answer1><confidence1>0.5</confidence1>"
    swapped += "<answer2>Gout</answer2><confidence2>0.2</confidence2>"
    _, metrics, _ = call(reward_of(), GOOD, swapped)
    assert metrics["confidence/auroc"] == pytest.approx(3 / 4), "a right second answer has less than a wrong first one"
    assert metrics["confidence/auroc_within_places"] == 1
    _, metrics, _ = call(reward_of(), GOOD, GOOD)
    assert "confidence/auroc_within_places" not in metrics, "its first answer is always right, its second never"


def test_credit_by_token_takes_the_share_of_calibration():
    decoder = CompletionDecoder(Characters(), [END])
    reward = SetReward(OBJECTIVE, exact, decoder, GROUP, TokenCrediting(OBJECTIVE, Credit(), decoder.tokens))
    texts = GOOD, GOOD.replace("0.8", "0.3")
    stated = GOOD.index("</confidence1>")

    def paid(share: float) -> list[float]:
        reward.calibration_share = share
        call(reward, *texts)
        assert reward.credit is not None
        return [float(own.advantages[stated]) for own in reward.credit]

    whole = paid(1.0)
    assert whole[0] > 0 > whole[1]
    assert paid(0.5) == pytest.approx([number / 2 for number in whole])
    assert paid(0.0) == pytest.approx([0, 0])


def test_a_batch_without_confidences_logs_none_rather_than_zero():
    _, metrics, _ = call(reward_of(), "nonsense", "nonsense")
    assert "confidence/mean" not in metrics


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
