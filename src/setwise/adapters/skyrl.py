"""SkyRL: a single-turn environment, `setwise.adapters.skyrl:SetwiseEnv`, on skyrl-gym.

Register it where SkyRL's entry point starts its tasks: `skyrl_gym.register(id="setwise",
entry_point="setwise.adapters.skyrl:SetwiseEnv")`.
"""

from functools import lru_cache
from typing import Any

from setwise.adapters.examples import Example
from setwise.adapters.grade import grade, terms, total
from setwise.adapters.missing import imported

FORMAT = "parquet"
ENVIRONMENT = "setwise"


def __getattr__(name: str) -> Any:
    if name == "SetwiseEnv":
        return _environment()
    raise AttributeError(f"module {__name__} has no attribute {name}")


def step_output(action: str, ground_truth: str) -> dict[str, Any]:
    """What a step returns: the reward, and that the episode is over."""
    score = grade(action, ground_truth)
    return {
        "observations": [],
        "reward": total(score),
        "done": True,
        "metadata": {"reward": total(score), **terms(score)},
    }


def row(example: Example) -> dict[str, Any]:
    return {
        "data_source": f"setwise/{example.task}",
        "prompt": example.chat,
        "env_class": ENVIRONMENT,
        "reward_spec": {"method": "rule", "ground_truth": example.ground_truth},
        "extra_info": {"id": example.id, "index": example.index, "split": example.split},
    }


@lru_cache
def _environment() -> type:
    base: Any = imported("skyrl_gym.envs.base_text_env", adapter="skyrl", extra="skyrl").BaseTextEnv

    class SetwiseEnv(base):
        """Scores the one completion of an episode."""

        def __init__(self, env_config: Any = None, extras: dict[str, Any] | None = None) -> None:
            super().__init__()
            self.ground_truth: str = (extras or {})["reward_spec"]["ground_truth"]
            self._terms: dict[str, float] = {}

        def step(self, action: str) -> dict[str, Any]:
            output = step_output(action, self.ground_truth)
            self._terms = output["metadata"]
            return output

        def get_metrics(self) -> dict[str, float]:
            return self._terms

    SetwiseEnv.__module__, SetwiseEnv.__qualname__ = __name__, "SetwiseEnv"
    return SetwiseEnv
