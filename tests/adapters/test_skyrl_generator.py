"""With the real SkyRL trainer, on a CPU: its generator, its batches, its registry of estimators, its advantages."""

import asyncio
import sys
import typing
from types import SimpleNamespace
from typing import Any

import pytest

from setwise import InputError
from setwise.adapters.grade import grade, total
from setwise.adapters.ground_truth import write_ground_truth
from setwise.matching import exact
from tests.adapters.byte_tokenizer import byte_tokenizer
from tests.adapters.credited import (
    CUT,
    GRADING,
    OBJECTIVE,
    PROBLEM,
    ROW,
    group_of,
    paid_in_training,
    tells_tokens_apart,
    tokens_of,
)

pytest.importorskip("skyrl", reason="SkyRL is not installed here; `make test-skyrl` runs this")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
PER_PROMPT = len(group_of())


@pytest.fixture(scope="module", autouse=True)
def importable() -> typing.Iterator[None]:
    """SkyRL 0.3 does not import on Python 3.11 as it is: pydantic refuses the standard library's TypedDict there."""
    if sys.version_info >= (3, 12):
        yield
        return
    import typing_extensions

    kept, typing.TypedDict = typing.TypedDict, typing_extensions.TypedDict
    import skyrl.train.trainer  # pyright: ignore[reportMissingImports]  # noqa: F401

    typing.TypedDict = kept
    yield


class ScriptedEngine:
    """Samples the completions of a group for every prompt; a session is named after its repetition."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer

    async def generate(self, request: Any, model: str | None = None) -> dict[str, Any]:
        (session,) = request["session_ids"]
        text = group_of()[int(session.rpartition("_")[2])]
        ids = tokens_of(text, self.tokenizer)
        stop = "length" if text == CUT else "stop"
        return {"responses": [text], "response_ids": [ids], "stop_reasons": [stop], "response_logprobs": None}

    async def finish_session(self, session_id: str) -> None: ...


@pytest.fixture
def config() -> Any:
    import skyrl_gym  # pyright: ignore[reportMissingImports]
    from skyrl.train.config import SkyRLTrainConfig  # pyright: ignore[reportMissingImports]

    from setwise.adapters.skyrl_generator import ESTIMATOR

    if "setwise" not in skyrl_gym.envs.registration.registry:
        skyrl_gym.register(id="setwise", entry_point="setwise.adapters.skyrl:SetwiseEnv")
    made = SkyRLTrainConfig()
    made.generator.n_samples_per_prompt = PER_PROMPT
    made.generator.sampling_params.logprobs = None
    made.generator.chat_template_kwargs = {}
    made.environment.skyrl_gym.max_env_workers = 0
    made.trainer.train_batch_size = made.trainer.policy_mini_batch_size = 2
    made.trainer.algorithm.advantage_estimator = ESTIMATOR
    return made


def generator(config: Any) -> Any:
    from setwise.adapters.skyrl_generator import SetwiseGenerator

    tokenizer = byte_tokenizer()
    return SetwiseGenerator(
        generator_cfg=config.generator,
        skyrl_gym_cfg=config.environment.skyrl_gym,
        inference_engine_client=ScriptedEngine(tokenizer),
        tokenizer=tokenizer,
    )


def generated(config: Any, phase: str, rows: list[str]) -> tuple[dict[str, Any], list[str]]:
    from skyrl.train.generators.utils import prepare_generator_input  # pyright: ignore[reportMissingImports]

    prompts = [
        {
            "prompt": [{"role": "user", "content": "Which?"}],
            "env_class": "setwise",
            "env_extras": {"reward_spec": {"method": "rule", "ground_truth": row}},
            "uid": f"uid-{number}",
        }
        for number, row in enumerate(rows)
    ]
    batch, uids = prepare_generator_input(prompts, PER_PROMPT, None, "setwise", phase, 1)
    return asyncio.run(generator(config).generate(batch, disable_tqdm=True)), uids


def trained_on(config: Any, output: dict[str, Any], uids: list[str]) -> Any:
    """The batch that SkyRL's trainer makes of what was generated, with its advantages."""
    from skyrl.train.trainer import RayPPOTrainer  # pyright: ignore[reportMissingImports]

    trainer = object.__new__(RayPPOTrainer)
    trainer.cfg, trainer.tokenizer, trainer.all_metrics = config, byte_tokenizer(), {}
    trainer.dispatch = SimpleNamespace(get_lcm_dp_size=lambda: 1)
    output, uids = trainer.postprocess_generator_output(output, uids)
    batch = trainer.convert_to_training_input(output, uids)
    batch["values"] = None
    return trainer.compute_advantages_and_returns(batch)


def test_skyrl_trains_on_the_advantages_of_setwise_train(config: Any) -> None:
    output, uids = generated(config, "train", [ROW, ROW])
    ours = paid_in_training(output["response_ids"][:PER_PROMPT], byte_tokenizer(), GRADING) * 2
    assert tells_tokens_apart(ours)
    batch = trained_on(config, output, uids)
    assert len(batch["advantages"]) == len(ours) == 2 * PER_PROMPT
    for row, own in zip(batch["advantages"], ours, strict=True):
        assert row[-len(own) :].tolist() == pytest.approx(own, abs=1e-6)
        assert not row[: -len(own)].any()


def test_its_own_estimators_are_still_there(config: Any) -> None:
    from skyrl.backends.skyrl_train.utils import ppo_utils  # pyright: ignore[reportMissingImports]

    generator(config)
    ppo_utils.repopulate_all_registries()
    assert {"setwise", "grpo", "gae"} <= set(ppo_utils.AdvantageEstimatorRegistry.list_available())


def test_evaluation_keeps_the_rewards(config: Any) -> None:
    output, _ = generated(config, "eval", [ROW])
    rewards = [total(grade(text, ROW)) for text in group_of()]
    assert [sum(own) for own in output["rewards"]] == pytest.approx(rewards)
    assert output["rollout_metrics"]["environment/reward"] == pytest.approx(sum(rewards) / len(rewards))


def test_rows_that_pay_whole_completions_are_refused(config: Any) -> None:
    with pytest.raises(InputError, match="the rows say that every token of a completion is paid the same"):
        generated(config, "train", [write_ground_truth(PROBLEM, OBJECTIVE, exact)])


def test_a_template_that_encodes_again_is_refused(config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "skyrl.train.generators.skyrl_gym_generator.get_custom_chat_template", lambda template: "{{ messages }}"
    )
    with pytest.raises(InputError, match=r"generator.chat_template: credit per answer needs the tokens"):
        generator(config)


def test_the_entry_point_sets_the_estimator_and_makes_the_generator() -> None:
    from setwise.adapters import skyrl_entry
    from setwise.adapters.skyrl_generator import SetwiseGenerator

    options = [
        "generator.n_samples_per_prompt=4",
        "trainer.logger=console",
        "trainer.algorithm.advantage_estimator=grpo",
    ]
    config = skyrl_entry.settings(options)
    assert (config.generator.n_samples_per_prompt, config.trainer.algorithm.advantage_estimator) == (4, "setwise")
    from skyrl.train.utils.utils import validate_cfg  # pyright: ignore[reportMissingImports]

    validate_cfg(config)
    experiment = object.__new__(skyrl_entry._experiment())
    tokenizer = byte_tokenizer()
    made = experiment.get_generator(config, tokenizer, ScriptedEngine(tokenizer))
    assert isinstance(made, SetwiseGenerator)
