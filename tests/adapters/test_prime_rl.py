"""prime-rl's group scoring with real traces of verifiers: the algorithm that pays single answers.

Where prime-rl is installed, its own classes run (`make test-prime-rl PRIME_RL=a clone of its repository`). Elsewhere a
sample of what its orchestrator has at 559b447 stands in for them.
"""

import asyncio
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from setwise.adapters import prime_rl
from tests.adapters.cases import Case
from tests.adapters.credited import paid_in_training, tells_tokens_apart
from tests.adapters.training_rollouts import Group, exported_group

vf = pytest.importorskip("verifiers.v1", reason="verifiers is not installed here; `make test-verifiers` runs this")
pytest.importorskip("transformers", reason="its renderers need a tokenizer")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
INSTALLED = find_spec("prime_rl") is not None


def iter_trainable_traces(episodes: list[Any]) -> Iterator[tuple[Any, Any]]:
    for episode in episodes:
        for trace in episode.traces:
            if trace.ok and trace.agent.trainable and any(any(node.mask) for node in trace.nodes):
                yield episode, trace


def assign_advantages(trace: Any, values: float | list[float]) -> None:
    nodes = [node for node in trace.nodes if any(node.mask)]
    total = sum(sum(node.mask) for node in nodes)
    each = values if isinstance(values, list) else [values] * total
    assert len(each) == total
    for node in nodes:
        node.advantages, each = each[: sum(node.mask)], each[sum(node.mask) :]


class GRPOAlgorithm:
    def __init__(self, config: Any, policy_pool: Any) -> None:
        self.policy_pool = policy_pool

    async def setup(self) -> None: ...

    async def score_group(self, episodes: list[Any]) -> None:
        traces = [trace for _, trace in iter_trainable_traces(episodes)]
        mean = sum(trace.reward for trace in traces) / len(traces)
        for trace in traces:
            assign_advantages(trace, trace.reward - mean)

    async def finalize_group(self, episodes: list[Any]) -> None:
        await self.score_group(episodes)


SAMPLE = {
    "prime_rl": {},
    "prime_rl.orchestrator": {},
    "prime_rl.orchestrator.algo": {},
    "prime_rl.orchestrator.algo.base": {"iter_trainable_traces": iter_trainable_traces},
    "prime_rl.orchestrator.algo.grpo": {"GRPOAlgorithm": GRPOAlgorithm},
    "prime_rl.orchestrator.algo.routing": {"assign_advantages": assign_advantages},
}


@pytest.fixture(autouse=True)
def sample(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not INSTALLED:
        for name, contents in SAMPLE.items():
            module = ModuleType(name)
            module.__dict__.update(contents)
            monkeypatch.setitem(sys.modules, name, module)
        prime_rl._algorithm.cache_clear()
    yield
    if not INSTALLED:
        prime_rl._algorithm.cache_clear()


def finalized(group: Group, folder: Path) -> list[Any]:
    """The traces after the orchestrator has scored their group."""
    pool = SimpleNamespace(model_name=str(folder / "tokenizer"))
    algorithm = prime_rl.SetwiseAlgorithm(SimpleNamespace(length_penalty=None), pool)
    episodes = [vf.Episode(task=trace.task, traces=[trace], ok=True) for trace in group.traces]

    async def run() -> None:
        await algorithm.setup()
        await algorithm.finalize_group(episodes)

    asyncio.run(run())
    return [trace for episode in episodes for trace in episode.traces]


def test_a_group_is_paid_what_training_pays(
    every_case: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = exported_group(vf, every_case[0], tmp_path, monkeypatch)
    ours = paid_in_training(group.sampled, group.tokenizer, group.grading)
    assert tells_tokens_apart(ours)
    for trace, paid in zip(finalized(group, tmp_path), ours, strict=True):
        assert trace.branches[0].advantages[-len(paid) :] == pytest.approx(paid, abs=1e-6)


def test_rows_that_pay_whole_completions_are_left_to_grpo(
    every_case: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = exported_group(vf, every_case[0], tmp_path, monkeypatch, credit="completion")
    mean = sum(trace.reward for trace in group.traces) / len(group.traces)
    for trace, ids in zip(finalized(group, tmp_path), group.sampled, strict=True):
        assert trace.branches[0].advantages[-len(ids) :] == pytest.approx([trace.reward - mean] * len(ids), abs=1e-6)
