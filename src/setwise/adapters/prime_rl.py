"""prime-rl: credit per answer, as an algorithm of its orchestrator.

prime-rl has no setting for an algorithm from another package. To replace `grpo` by this one, put two lines at the end
of its `orchestrator/algo/__init__.py`:

    from setwise.adapters.prime_rl import SetwiseAlgorithm
    ALGORITHM_CLASSES["grpo"] = SetwiseAlgorithm

GRPO still handles groups of other environments, and of rows that pay whole completions.
"""

import asyncio
from functools import lru_cache
from typing import Any

from setwise.adapters.missing import imported
from setwise.adapters.trace_credit import carries_credit, trace_advantages
from setwise.credit import CompletionDecoder


def __getattr__(name: str) -> Any:
    if name == "SetwiseAlgorithm":
        return _algorithm()
    raise AttributeError(f"module {__name__} has no attribute {name}")


@lru_cache
def _algorithm() -> type:
    base, grpo, routing = (
        imported(f"prime_rl.orchestrator.algo.{module}", adapter="prime-rl") for module in ("base", "grpo", "routing")
    )
    parent: Any = grpo.GRPOAlgorithm

    class SetwiseAlgorithm(parent):
        """Pays the tokens of each answer for that answer, and those of each confidence for that confidence."""

        async def setup(self) -> None:
            await super().setup()
            load = imported("renderers.base", adapter="prime-rl").load_tokenizer
            self.decoder = CompletionDecoder(await asyncio.to_thread(load, self.policy_pool.model_name))

        async def score_group(self, episodes: list[Any]) -> None:
            traces = [trace for _, trace in base.iter_trainable_traces(episodes)]
            if not all(map(carries_credit, traces)):
                await super().score_group(episodes)
                return
            advantages = await asyncio.to_thread(trace_advantages, traces, self.decoder)
            for trace, values in zip(traces, advantages, strict=True):
                routing.assign_advantages(trace, values)

    SetwiseAlgorithm.__module__, SetwiseAlgorithm.__qualname__ = __name__, "SetwiseAlgorithm"
    return SetwiseAlgorithm
