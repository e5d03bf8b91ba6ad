"""Each engine's hook on a sample of what that engine passes, as its public source says (see docs/how-to/engines.md)."""

import asyncio
import enum
import inspect
import sys
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import pytest

from setwise import InputError, Objective, Problem
from setwise.adapters import nemo_rl, open_instruct, openrlhf, skyrl, slime
from setwise.adapters.ground_truth import write_ground_truth
from setwise.adapters.verl import compute_score
from setwise.matching import exact
from tests.adapters.cases import completions_for, our_scores

OBJECTIVE = Objective("rlcr-multi", 2)
PROBLEM = Problem("1", "Which?", ["Ada", "Grace"])
ROW = write_ground_truth(PROBLEM, OBJECTIVE, exact)
TEXTS = [text for text in completions_for(PROBLEM, OBJECTIVE) if text]
REWARDS = [s.reward for s in our_scores(TEXTS, [PROBLEM] * len(TEXTS), OBJECTIVE, SimpleNamespace(matcher=exact))]  # pyright: ignore[reportArgumentType]


def test_the_sample_tells_rewards_apart() -> None:
    assert len(set(REWARDS)) > 2


def test_verl_passes_four_names_and_more() -> None:
    calls = [
        compute_score(
            data_source="setwise/jsonl",
            solution_str=text,
            ground_truth=ROW,
            extra_info={"index": 0, "num_turns": None, "rollout_reward_scores": {}},
            reward_router_address=None,
        )
        for text in TEXTS
    ]
    assert [call["score"] for call in calls] == REWARDS
    assert all(isinstance(value, float) for call in calls for value in call.values())


def test_openrlhf_passes_prompt_and_response_with_special_tokens() -> None:
    torch = pytest.importorskip("torch", reason="OpenRLHF wants tensors; torch is not installed")
    prompt = "<|im_start|>user\nWhich?<|im_end|>\n<|im_start|>assistant\n"
    queries = [f"{prompt}{text}<|im_end|>" for text in TEXTS]
    returned = openrlhf.reward_func(queries, [prompt] * len(TEXTS), [ROW] * len(TEXTS))
    assert torch.allclose(returned["rewards"], torch.tensor(REWARDS))
    assert returned["scores"].min() >= 0
    assert returned["scores"].max() <= 1
    assert all(len(column) == len(TEXTS) for column in returned["extra_logs"].values())


def test_openrlhf_is_told_when_its_prompt_was_cut() -> None:
    with pytest.raises(InputError, match="a query must start with its prompt"):
        openrlhf.completion_of("hich?<think>", "Which?")


class Status(enum.Enum):
    COMPLETED = "completed"
    TRUNCATED = "truncated"


@dataclass
class Sample:
    """The fields of slime's own that a reward function reads."""

    prompt: list[dict[str, str]]
    response: str
    label: str
    status: Status = Status.COMPLETED
    metadata: dict[str, Any] = field(default_factory=dict)


def test_slime_passes_its_arguments_and_a_sample_or_a_list() -> None:
    samples = [Sample([], f"{text}<|im_end|>", ROW) for text in TEXTS]
    args = SimpleNamespace(custom_rm_path="setwise.adapters.slime.custom_rm")
    assert [asyncio.run(slime.custom_rm(args, sample)) for sample in samples] == REWARDS
    assert asyncio.run(slime.custom_rm(args, samples)) == REWARDS
    assert inspect.iscoroutinefunction(slime.custom_rm)


def test_slime_says_when_a_sample_was_cut() -> None:
    cut = Sample([], TEXTS[0][:-5], ROW, Status.TRUNCATED)
    assert asyncio.run(slime.custom_rm(SimpleNamespace(), cut)) == 0.0


def test_skyrl_steps_once_and_is_done() -> None:
    outputs = [skyrl.step_output(text, ROW) for text in TEXTS]
    assert [output["reward"] for output in outputs] == REWARDS
    assert all(output["done"] and output["observations"] == [] for output in outputs)


def test_skyrl_makes_the_environment_by_its_name() -> None:
    gym = pytest.importorskip("skyrl_gym", reason="skyrl-gym is not installed here; `make test-verifiers` runs this")
    gym.register(id="setwise", entry_point="setwise.adapters.skyrl:SetwiseEnv")
    for text, reward in zip(TEXTS, REWARDS, strict=True):
        environment = gym.make(
            "setwise", env_config={}, extras={"reward_spec": {"method": "rule", "ground_truth": ROW}}
        )
        environment.init([{"role": "user", "content": "Which?"}])
        assert environment.step(text)["reward"] == reward
        assert environment.get_metrics()["distinct"] <= OBJECTIVE.k
        environment.close()


LOGS = [[{"role": "user", "content": "Which?"}, {"role": "assistant", "content": text}] for text in TEXTS]
METADATA = [{"ground_truth": ROW} for _ in TEXTS]


def test_nemo_rl_passes_message_logs_and_metadata() -> None:
    assert [score.reward for score in nemo_rl.scores_of(LOGS, METADATA)] == REWARDS


def _with_modules(monkeypatch: pytest.MonkeyPatch, **modules: dict[str, Any]) -> None:
    for name, contents in modules.items():
        path = name.replace("__", ".")
        module = ModuleType(path)
        module.__dict__.update(contents)
        monkeypatch.setitem(sys.modules, path, module)


class EarlyReturn(NamedTuple):
    observations: Any
    metadata: Any
    next_stop_strings: Any
    rewards: Any
    terminateds: Any


class LateReturn(NamedTuple):
    observations: Any
    metadata: Any
    next_stop_strings: Any
    rewards: Any
    terminateds: Any
    answers: Any
    reward_valid_mask: Any = None


@pytest.mark.parametrize("returned", [EarlyReturn, LateReturn])
def test_nemo_rl_gets_its_own_return_type(returned: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch", reason="NeMo-RL wants tensors; torch is not installed")
    interfaces = {"EnvironmentInterface": object, "EnvironmentReturn": returned}
    _with_modules(
        monkeypatch,
        nemo_rl={},
        nemo_rl__environments={},
        nemo_rl__environments__interfaces=interfaces,
        ray={"remote": lambda kind: kind},
    )
    nemo_rl._environment.cache_clear()
    try:
        environment = nemo_rl.SetwiseEnvironment({"num_workers": 1})
        step = environment.step(LOGS, METADATA)
    finally:
        nemo_rl._environment.cache_clear()
    assert torch.allclose(step.rewards, torch.tensor(REWARDS))
    assert step.terminateds.all()
    assert len(step.observations) == len(step.next_stop_strings) == len(TEXTS)
    assert environment.global_post_process_and_metrics({"rewards": step.rewards})[1]["reward"] > 0


@dataclass
class VerificationResult:
    score: float
    cost: float = 0.0
    reasoning: str | None = None


class VerifierFunction:
    def __init__(self, name: str, weight: float = 1.0, verifier_config: Any = None) -> None:
        self.name, self.weight, self.verifier_config = name, weight, verifier_config


def test_open_instruct_finds_the_verifier_among_its_subclasses(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {"VerifierFunction": VerifierFunction, "VerificationResult": VerificationResult}
    _with_modules(monkeypatch, open_instruct={}, open_instruct__ground_truth_utils=parts)
    open_instruct._verifier.cache_clear()
    try:
        made = open_instruct.SetwiseVerifier
    finally:
        open_instruct._verifier.cache_clear()
    assert made in VerifierFunction.__subclasses__()
    verifier = made(None)
    assert verifier.name == "setwise"
    results = [verifier([1, 2], text, ROW, "Which?", rollout_state=None) for text in TEXTS]
    assert [result.score for result in results] == REWARDS


def test_open_instruct_may_wrap_a_label_in_a_list() -> None:
    assert [open_instruct.verify(text, [ROW]) for text in TEXTS] == REWARDS
