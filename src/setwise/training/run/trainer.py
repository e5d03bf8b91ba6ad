"""The shared-prompt trainer with what whole steps gain from.

Scoring begins as soon as the completions are there: the engine computes log-probabilities of what was sampled before it
asks for rewards (vLLM's importance correction, a reference model), and programs in the sandbox run meanwhile. A prompt
is tokenised once for its whole group. A colocated vLLM gets its weights in one call. The log says how long a step's
parts took.
"""

import json
from collections.abc import Callable
from time import perf_counter
from typing import Any

from setwise.training.rollout.colocated_vllm import send_weights_at_once
from setwise.training.run.reward import SetReward
from setwise.training.shared_prompt.trainer import SharedPromptGRPOTrainer


class SetTrainer(SharedPromptGRPOTrainer):
    """Importing this module loads torch and TRL; `run.engine` does so when a job is about to train."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.use_vllm:
            send_weights_at_once(self.vllm_generation)

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        self._written_problems = [row["problem"] for row in inputs]
        start = perf_counter()
        rollout = super()._generate_and_score_completions(inputs)
        self._note_time("rollout", start)
        return rollout

    def _generate(self, prompts: list[Any]) -> Any:
        start = perf_counter()
        generated = super()._generate(prompts)
        self._note_time("generation", start)
        for reward in self.reward_funcs:
            if isinstance(reward, SetReward):
                reward.begin(generated[1], self._written_problems)
        return generated

    def _tokenize_prompts(self, prompts: list[Any]) -> Any:
        return each_once(super()._tokenize_prompts, prompts)

    def _note_time(self, part: str, start: float) -> None:
        model: Any = self.model
        if model.training:
            self._metrics["train"][f"time/{part}"].append(perf_counter() - start)


def each_once(tokenize: Callable[[list[Any]], Any], prompts: list[Any]) -> Any:
    """What the engine's `tokenize` gives for all prompts, from the distinct ones where they are text alone."""
    keys = [json.dumps(prompt) for prompt in prompts]
    distinct = dict(zip(keys, prompts, strict=True))
    token_ids, images, fields = tokenize(list(distinct.values()))
    if images is not None or fields:
        return tokenize(prompts)
    of_prompt = dict(zip(distinct, token_ids, strict=True))
    return [list(of_prompt[key]) for key in keys], None, {}
