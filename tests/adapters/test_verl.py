"""With the real verl package, on a CPU: its config, its dataset class, its reward manager, its kind of worker."""

import asyncio
import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from setwise import Objective, Regime
from tests.adapters.byte_tokenizer import byte_tokenizer
from tests.adapters.cases import Case, completions_for, graded_pairs, our_scores
from tests.adapters.recipes import export, write_recipe

pytest.importorskip("verl", reason="verl is not installed here; `make test-verl` runs this")

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(params=["clinic", "mbpp"])
def case(request: pytest.FixtureRequest, every_case: list[Case]) -> Case:
    return next(case for case in every_case if case.name == request.param)


@pytest.fixture
def out(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    recipe = write_recipe(tmp_path, case)
    validation = ["--val-split", "train"] if case.name == "mbpp" else []
    assert export(monkeypatch, "verl", recipe, tmp_path / "out", "--gpus", 1, *validation) == 0
    return tmp_path / "out"


def config_of(out: Path) -> Any:
    """verl's own configuration with the flags of the launch file; an unknown flag is an error of verl's."""
    from hydra import compose, initialize_config_module  # pyright: ignore[reportMissingImports]

    words = shlex.split((out / "launch.sh").read_text(), comments=True)
    flags = [word for word in words[words.index("verl.trainer.main_ppo") + 1 :] if word not in ("$@", "\n")]
    with initialize_config_module("verl.trainer.config", version_base=None):
        return compose("ppo_trainer", overrides=flags)


def dataset_of(config: Any) -> Any:
    from verl.utils.dataset.rl_dataset import RLHFDataset  # pyright: ignore[reportMissingImports]

    return RLHFDataset(config.data.train_files, tokenizer=byte_tokenizer(), config=config.data)


def graded_by_verl(config: Any, row: dict[str, Any], text: str) -> dict[str, Any]:
    import numpy as np
    import torch
    from verl import DataProto  # pyright: ignore[reportMissingImports]
    from verl.trainer.ppo.reward import load_reward_manager  # pyright: ignore[reportMissingImports]

    tokenizer = byte_tokenizer()
    responses = torch.tensor([[*tokenizer.encode(text, add_special_tokens=False), tokenizer.eos_token_id]])
    item = DataProto.from_dict(
        tensors={"responses": responses, "attention_mask": torch.ones_like(responses)},
        non_tensors={
            name: np.array([row[name]], dtype=object) for name in ("data_source", "reward_model", "extra_info")
        },
    )

    async def run() -> dict[str, Any]:
        return await load_reward_manager(config, tokenizer).run_single(item)

    return asyncio.run(run())


def test_verl_accepts_every_flag_and_reads_the_paper_in_them(out: Path) -> None:
    from verl.utils.config import omega_conf_to_dataclass, validate_config  # pyright: ignore[reportMissingImports]

    config = config_of(out)
    validate_config(config, use_reference_policy=False, use_critic=False)
    for section in (config.actor_rollout_ref.actor, config.actor_rollout_ref.rollout, config.algorithm):
        omega_conf_to_dataclass(section)
    assert config.algorithm.adv_estimator == "grpo"
    assert config.algorithm.norm_adv_by_std_in_grpo is False
    assert config.actor_rollout_ref.actor.loss_agg_mode == "token-mean"
    assert (config.data.train_batch_size, config.actor_rollout_ref.rollout.n) == (2, 4)
    assert config.data.apply_chat_template_kwargs == {"enable_thinking": True}
    assert config.actor_rollout_ref.rollout.gpu_memory_utilization == 0.3


def test_its_dataset_class_reads_the_rows(case: Case, out: Path) -> None:
    problems = list(case.load())
    dataset = dataset_of(config_of(out))
    assert len(dataset) == len(problems)
    for number, problem in enumerate(problems):
        row = dataset[number]
        assert problem.question.text in row["raw_prompt"][-1]["content"]
        assert row["extra_info"]["id"] == problem.id


def test_its_reward_manager_gives_the_rewards_of_score_batch(case: Case, out: Path) -> None:
    config, source = config_of(out), case.load()
    problem = next(iter(source))
    objective = Objective("rlcr-multi", 3, regime=Regime(source.regime))
    texts = [text for text in completions_for(problem, objective) if text]
    row = dataset_of(config)[0]
    ours = our_scores(texts, [problem] * len(texts), objective, source)
    theirs = [graded_by_verl(config, row, text) for text in texts]
    assert [each["reward_score"] for each in theirs] == [score.reward for score in ours]
    assert [each["reward_extra_info"]["calibration"] for each in theirs] == [
        score.terms["calibration"] for score in ours
    ]
    assert len({each["reward_score"] for each in theirs}) > 2


def test_two_ray_workers_give_the_rewards_of_this_process(every_case: list[Case]) -> None:
    import ray  # pyright: ignore[reportMissingImports]

    class Worker:
        def rewards(self, pairs: list[tuple[str, str]]) -> tuple[int, list[float]]:
            from setwise.adapters.verl import compute_score

            return os.getpid(), [compute_score("setwise", *pair)["score"] for pair in pairs]

    pairs = [pair for case in every_case for pair in graded_pairs(case)]
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=80_000_000, log_to_driver=False)
    try:
        workers = [ray.remote(Worker).remote() for _ in range(2)]
        (first, theirs), (second, others) = ray.get([worker.rewards.remote(pairs) for worker in workers])
    finally:
        ray.shutdown()
    assert len({first, second, os.getpid()}) == 3
    assert theirs == others == Worker().rewards(pairs)[1]
    assert len(set(theirs)) > 2
