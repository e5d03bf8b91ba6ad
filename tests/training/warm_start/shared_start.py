"""A warm start in every process that accelerate has started; the tests beside it launch this and read the model."""

import os
import sys
from pathlib import Path

from tests.training.tiny_clinic import THINKING, make_task, model_settings, objective_named


def main(blank: str, out: str) -> None:
    import torch

    from setwise.prompting import lesson
    from setwise.settings import WarmStartSettings
    from setwise.training.warm_start.stage import WarmStart, warm_start

    torch.set_num_threads(1)
    task = make_task()
    warm_start(
        WarmStart(
            task=task,
            problems=list(task),
            lessons=[lesson(objective_named("rlcr-multi", task), "rlcr-multi")],
            model=model_settings(Path(blank)),
            settings=WarmStartSettings(steps=3, batch=8, learning_rate=5e-3, thinking=THINKING),
            folder=Path(out),
            processes=int(os.environ.get("WORLD_SIZE", "1")),
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
