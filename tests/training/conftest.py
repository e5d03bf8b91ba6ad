"""A model that can already keep every format and knows next to nothing else."""

from pathlib import Path

import pytest

from setwise.objectives import OBJECTIVES
from setwise.prompting import lesson
from setwise.settings import WarmStartSettings
from setwise.tasks import Task
from tests.once import made_once
from tests.training.tiny_clinic import THINKING, make_task, model_settings, objective_named


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Third-party warnings that nobody here can mend, in the tests that load those libraries."""
    for item in items:
        if "start" in getattr(item, "fixturenames", ()):
            for rule in ("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning"):
                item.add_marker(pytest.mark.filterwarnings(rule))
            item.add_marker(
                pytest.mark.filterwarnings("ignore::UserWarning:(torch|transformers|trl|accelerate|peft).*")
            )


@pytest.fixture(scope="session")
def task() -> Task:
    return make_task()


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A word-level model after a warm start that taught it all four formats, and a little of the task."""
    pytest.importorskip("trl")
    import torch

    from setwise.training.run.policy import hide_progress_bars
    from setwise.training.warm_start.stage import WarmStart, warm_start
    from setwise.training.warm_start.word_model import WordModelSize, build_word_model, task_words

    def make(folder: Path) -> None:
        task = make_task()
        problems = list(task)
        lessons = [lesson(objective_named(name, task), name) for name in OBJECTIVES]
        words = task_words(task, problems, lessons, THINKING)
        blank = build_word_model(words, folder / "blank", WordModelSize(layers=1, hidden=32, heads=2))
        warm_start(
            WarmStart(
                task=task,
                problems=problems,
                lessons=lessons,
                model=model_settings(blank),
                settings=WarmStartSettings(steps=150, batch=32, learning_rate=5e-3, thinking=THINKING, imitation=0.4),
                folder=folder / "taught",
            )
        )

    torch.set_num_threads(1)
    hide_progress_bars()
    return made_once(make, tmp_path_factory, "start") / "taught"
