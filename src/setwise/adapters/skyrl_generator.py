"""SkyRL with credit per answer: a generator whose rewards are the advantages of single tokens.

SkyRL's estimators add up the rewards of a completion. The estimator that comes with this generator, `setwise`, takes
each token's as it is. setwise.adapters.skyrl_entry starts SkyRL with both.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from setwise.adapters.ground_truth import read_ground_truth
from setwise.adapters.missing import imported
from setwise.adapters.token_credit import Rollout, group_advantages
from setwise.credit import CompletionDecoder
from setwise.errors import InputError

ESTIMATOR = "setwise"
"""For `trainer.algorithm.advantage_estimator`."""


def __getattr__(name: str) -> Any:
    if name == "SetwiseGenerator":
        return _generator()
    raise AttributeError(f"module {__name__} has no attribute {name}")


def token_rewards(
    asked: Mapping[str, Any], generated: Mapping[str, Any], decoder: CompletionDecoder
) -> list[list[float]]:
    """The advantages of what was generated for a batch. The trajectories of one instance form a group."""
    truths = [extras["reward_spec"]["ground_truth"] for extras in asked["env_extras"]]
    names = [own.instance_id for own in asked["trajectory_ids"]] if asked.get("trajectory_ids") else truths
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, key in enumerate(zip(names, truths, strict=True)):
        groups[key].append(number)
    stops = generated["stop_reasons"]
    rollouts = [Rollout(ids, stop == "length") for ids, stop in zip(generated["response_ids"], stops, strict=True)]
    rewards: list[list[float]] = [[] for _ in rollouts]
    for (_, ground_truth), members in groups.items():
        paid = group_advantages([rollouts[number] for number in members], read_ground_truth(ground_truth), decoder)
        for number, own in zip(members, paid, strict=True):
            rewards[number] = own
    return rewards


def as_they_are(token_level_rewards: Any, response_mask: Any, **_: Any) -> tuple[Any, Any]:
    """The estimator: rewards that are already advantages."""
    advantages = token_level_rewards * response_mask
    return advantages, advantages


@lru_cache
def _generator() -> type:
    estimators = imported("skyrl.backends.skyrl_train.utils.ppo_utils", adapter="skyrl")
    base: Any = imported("skyrl.train.generators.skyrl_gym_generator", adapter="skyrl").SkyRLGymGenerator
    if ESTIMATOR not in estimators.AdvantageEstimatorRegistry.list_available():
        estimators.register_advantage_estimator(ESTIMATOR)(as_they_are)

    class SetwiseGenerator(base):
        """SkyRL's own generator, but in training its rewards are advantages. In evaluation they stay rewards."""

        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            if self.custom_chat_template is not None:
                raise InputError(
                    "credit per answer needs the tokens that were sampled, and a chat template encodes them again",
                    place="generator.chat_template",
                    remedy="leave it out",
                )
            self.decoder = CompletionDecoder(self.tokenizer)

        async def generate(self, input_batch: Any, *args: Any, **options: Any) -> Any:
            generated = await super().generate(input_batch, *args, **options)
            about = input_batch.get("batch_metadata")
            if about is None or about.training_phase == "train":
                generated["rewards"] = await asyncio.to_thread(token_rewards, input_batch, generated, self.decoder)
            return generated

    SetwiseGenerator.__module__, SetwiseGenerator.__qualname__ = __name__, "SetwiseGenerator"
    return SetwiseGenerator
