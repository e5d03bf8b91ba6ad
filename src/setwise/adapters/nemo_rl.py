"""NeMo-RL: a single-turn Ray environment.

Register it before the run is set up: `register_env("setwise", "setwise.adapters.nemo_rl.SetwiseEnvironment")` from
`nemo_rl.environments.utils`. NeMo-RL's data processors put a row's `output` into the metadata as `ground_truth`, and
take the system prompt from one file for the whole dataset.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from setwise.adapters.examples import Example
from setwise.adapters.grade import grade, total
from setwise.adapters.missing import imported
from setwise.scoring import Score

FORMAT = "jsonl"


def __getattr__(name: str) -> Any:
    if name == "SetwiseEnvironment":
        return _environment()
    raise AttributeError(f"module {__name__} has no attribute {name}")


def scores_of(
    message_logs: Sequence[Sequence[Mapping[str, Any]]], metadata: Sequence[Mapping[str, Any]]
) -> list[Score]:
    """One score per conversation."""
    completions = ["".join(str(said["content"]) for said in log if said["role"] == "assistant") for log in message_logs]
    return [grade(completion, about["ground_truth"]) for completion, about in zip(completions, metadata, strict=True)]


def row(example: Example) -> dict[str, Any]:
    return {"input": example.question, "output": example.ground_truth}


@lru_cache
def _environment() -> Any:
    interfaces = imported("nemo_rl.environments.interfaces", adapter="nemo-rl")
    ray, torch = imported("ray", adapter="nemo-rl"), imported("torch", adapter="nemo-rl")
    base: Any = interfaces.EnvironmentInterface

    class SetwiseEnvironment(base):
        """Scores the one completion of each episode."""

        def __init__(self, cfg: Mapping[str, Any] | None = None) -> None:
            self.cfg = cfg

        def step(self, message_log_batch: Any, metadata: Any, *_: Any, **__: Any) -> Any:
            scores = scores_of(message_log_batch, metadata)
            rewards = torch.tensor([total(score) for score in scores])
            returned: dict[str, Any] = {
                "observations": [{"role": "environment", "content": ""} for _ in scores],
                "metadata": metadata,
                "next_stop_strings": [None] * len(scores),
                "rewards": rewards,
                "terminateds": torch.ones_like(rewards),
                "answers": [" | ".join(score.answers) for score in scores],
                "reward_valid_mask": torch.ones_like(rewards, dtype=torch.bool),
            }
            # The last two fields came with later versions.
            kind = interfaces.EnvironmentReturn
            return kind(**{name: returned[name] for name in kind._fields})

        def global_post_process_and_metrics(self, batch: Any) -> tuple[Any, dict[str, float]]:
            return batch, {"reward": float(batch["rewards"].float().mean())}

        def shutdown(self) -> None:
            """There is nothing to shut down: the matcher ends with the process."""

    SetwiseEnvironment.__module__, SetwiseEnvironment.__qualname__ = __name__, "SetwiseEnvironment"
    return ray.remote(SetwiseEnvironment)
