"""SkyRL's trainer with credit per answer: `python -m setwise.adapters.skyrl_entry`, followed by SkyRL's own options."""

import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from setwise.adapters.missing import imported
from setwise.adapters.skyrl import ENVIRONMENT
from setwise.adapters.skyrl_generator import ESTIMATOR


def main() -> None:
    ray, setup = imported("ray", adapter="skyrl"), imported("skyrl.train.utils.utils", adapter="skyrl")
    config = settings(sys.argv[1:])
    setup.validate_cfg(config)
    setup.initialize_ray(config)
    ray.get(ray.remote(num_cpus=1)(train).remote(config))


def settings(options: Sequence[str]) -> Any:
    """SkyRL's configuration with the estimator that takes advantages as they are."""
    _experiment()  # registers the estimator
    kind = imported("skyrl.train.config", adapter="skyrl").SkyRLTrainConfig
    return kind.from_cli_overrides([*options, f"trainer.algorithm.advantage_estimator={ESTIMATOR}"])


def train(config: Any) -> None:
    """What SkyRL runs as a separate task."""
    gym = imported("skyrl_gym", adapter="skyrl", extra="skyrl")
    gym.register(id=ENVIRONMENT, entry_point="setwise.adapters.skyrl:SetwiseEnv")
    _experiment()(config).run()


@lru_cache
def _experiment() -> type:
    from setwise.adapters.skyrl_generator import SetwiseGenerator

    base: Any = imported("skyrl.train.entrypoints.main_base", adapter="skyrl")

    class SetwiseExperiment(base.BasePPOExp):
        """SkyRL's own experiment, with the generator that pays single answers."""

        def get_generator(self, cfg: Any, tokenizer: Any, inference_engine_client: Any) -> Any:
            return SetwiseGenerator(
                generator_cfg=cfg.generator,
                skyrl_gym_cfg=cfg.environment.skyrl_gym,
                inference_engine_client=inference_engine_client,
                tokenizer=tokenizer,
                policy_model_name=base.resolve_policy_model_name(cfg),
            )

    SetwiseExperiment.__module__, SetwiseExperiment.__qualname__ = __name__, "SetwiseExperiment"
    return SetwiseExperiment


if __name__ == "__main__":
    main()
