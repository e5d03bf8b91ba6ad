"""The shared-prompt trainer with one thing more: scoring begins as soon as the completions are there.

The engine computes log-probabilities of what was sampled before it asks for rewards (vLLM's importance correction,
a reference model); programs in the sandbox run meanwhile.
"""

from functools import cache
from typing import Any

from setwise.training.reward import SetReward


@cache
def trainer_class() -> type:
    """The subclass, made on demand so that importing this module costs nothing."""
    from setwise.training.shared_prompt import SharedPromptGRPOTrainer

    class SetTrainer(SharedPromptGRPOTrainer):
        def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
            self._written_problems = [row["problem"] for row in inputs]
            return super()._generate_and_score_completions(inputs)

        def _generate(self, prompts: list[Any]) -> Any:
            generated = super()._generate(prompts)
            for reward in self.reward_funcs:
                if isinstance(reward, SetReward):
                    reward.begin(generated[1], self._written_problems)
            return generated

    return SetTrainer
