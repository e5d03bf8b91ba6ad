"""A real model of the transformers library, asked and served in this process."""

import json
import threading
from pathlib import Path

import pytest

from setwise.errors import InputError
from setwise.objectives import Objective
from setwise.prompting import lesson
from setwise.records.manifest import Manifest
from setwise.serving import Choices, load
from setwise.serving.engines import warm_up
from tests.models.tiny_model import save_tiny_model
from tests.serving.running import running


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run folder with a model in it, as training leaves it."""
    folder = tmp_path_factory.mktemp("tiny")
    save_tiny_model(folder / "model")
    Manifest(taught=(lesson(Objective("rlcr-multi", 2)),), instruction="Be quick.").write(folder / "model")
    return folder


def test_a_run_folder_is_asked_and_a_seed_repeats_it(run: Path):
    model = load(run, choices=Choices(max_tokens=8))
    assert (model.k, model.short_name) == (2, run.name)
    first, second = (model.ask("Who?", samples=2, seed=3) for _ in range(2))
    assert first == second
    assert first.samples == 2
    assert first.malformed is not None, "its weights are random"


def test_it_is_served_in_batches_with_settings_of_each_request(run: Path):
    model = load(run, choices=Choices(max_tokens=4))
    warm_up(model)
    usage: dict[int, int] = {}
    with running(model) as server:

        def ask(tokens: int) -> None:
            status, said = server.chat("Who?", max_tokens=tokens, temperature=0)
            assert status == 200, said
            usage[tokens] = said["usage"]["completion_tokens"]

        threads = [threading.Thread(target=ask, args=(tokens,)) for tokens in (1, 2, 3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        told = json.loads(server.send("GET", "/v1/setwise/about")[2])
    assert all(used <= tokens for tokens, used in usage.items())
    assert usage.keys() == {1, 2, 3}
    assert (told["instruction"], told["k"]) == ("Be quick.", 2)


def test_weights_that_cannot_be_loaded_are_one_line_before_anything_is_served(tmp_path: Path):
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    with pytest.raises(InputError, match="can be loaded"):
        warm_up(load(tmp_path))
