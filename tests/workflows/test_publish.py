"""A model card says what is on record and nothing else; a push is what the real client makes of it."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from setwise.errors import InputError
from setwise.evaluation.methods import METHODS
from setwise.objectives import Objective, Regime
from setwise.prompting import lesson
from setwise.records.files import dump_record
from setwise.records.manifest import Manifest
from setwise.records.run import RunFolder
from setwise.workflows.publish import CARD, Publication, write_card
from tests.reports.made_up import MadeUpTask, make_run
from tests.serving.made_up_profile import made_up_profile
from tests.workflows.hub import TOKEN, running_hub

INSTALL = Path(__file__).parents[2] / "docs" / "start" / "install.md"
WEIGHTS = b"weights" * 1000


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "eval-multi", MadeUpTask(12), METHODS["rlcr-multi"])


@pytest.fixture
def training(tmp_path: Path) -> Path:
    """A finished training, with a trainer's leftovers beside the weights."""
    model = tmp_path / "rlcr-multi" / "model"
    model.mkdir(parents=True)
    (model / "model.safetensors").write_bytes(WEIGHTS)
    (model / "training_args.bin").write_bytes(b"paths of this machine")
    recipe = {"task": {"name": "made-up", "path": "/somewhere/private.csv"}, "optimisation": {"steps": 80}}
    (model.parent / "config.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
    (model.parent / "alarms.jsonl").write_text(
        dump_record({"step": 12, "alarm": "duplicate_answers", "message": "31% of sets repeat an answer"})
    )
    Manifest(
        base_model="Qwen/Qwen3-8B",
        taught=(lesson(Objective("rlcr-multi", 3, regime=Regime.INCLUSIVE)),),
        instruction="Name what the patient may have.",
        task={"name": "made-up", "regime": "inclusive"},
    ).write(model)
    return model.parent


def header_of(card: str) -> dict[str, Any]:
    return yaml.safe_load(card.split("---\n")[1])


def test_every_number_on_a_card_is_that_of_the_run_with_its_interval(training: Path, run: Path):
    card = write_card(Publication(model=training, runs=[run])).read_text(encoding="utf-8")
    metrics = RunFolder(run).read_metrics().metrics
    coverage = metrics["coverage"]
    assert f"| Coverage ↑ | {coverage.value:.2f} | {coverage.low:.2f} to {coverage.high:.2f} |" in card
    assert f"base rate {metrics['pooled/brier_base_rate'].value:.3f}" in card
    [result] = header_of(card)["model-index"][0]["results"]
    indexed = {each["type"]: each["value"] for each in result["metrics"]}
    assert indexed == {key: round(metrics[key].value, 4) for key in indexed}
    assert indexed["coverage"] == round(coverage.value, 4)


def test_a_card_tells_how_to_ask_and_what_to_be_careful_about(training: Path):
    card = write_card(Publication(model=training, repository="me/clinic", license="mit")).read_text(encoding="utf-8")
    assert lesson(Objective("rlcr-multi", 3, regime=Regime.INCLUSIVE)).system_prompt in card
    assert "Name what the patient may have." in card
    assert "hf download me/clinic --local-dir clinic" in card
    [install] = re.findall(r"^(pip install .*?)  +# in a checkout of setwise$", card, re.MULTILINE)
    assert f"\n{install} " in INSTALL.read_text(encoding="utf-8")
    assert "step 12: 31% of sets repeat an answer" in card
    assert "No evaluation was given" in card
    assert (header_of(card)["base_model"], header_of(card)["license"]) == ("Qwen/Qwen3-8B", "mit")
    assert "private.csv" not in card


def test_the_profile_goes_with_the_weights(training: Path, tmp_path: Path):
    made_up_profile().write(tmp_path / "profile.json")
    card = write_card(Publication(model=training, profile=tmp_path / "profile.json")).read_text(encoding="utf-8")
    assert (training / "model" / "profile.json").read_bytes() == (tmp_path / "profile.json").read_bytes()
    assert re.search(r"\| 0\.\d\d \| [123]\.\d\d \| \d+% \|", card)


def test_the_same_command_writes_the_same_card_and_keeps_one_of_others(training: Path):
    card = write_card(Publication(model=training))
    first = card.read_bytes()
    assert write_card(Publication(model=training / "model")).read_bytes() == first
    card.write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="a card that setwise did not write; --replace-card"):
        write_card(Publication(model=training))
    assert card.read_text(encoding="utf-8") == "mine"
    assert write_card(Publication(model=training, replace_card=True)).read_bytes() == first


def test_numbers_of_another_model_are_refused(training: Path, tmp_path: Path):
    other = make_run(tmp_path / "other", MadeUpTask(2), METHODS["rlvr-multi"])
    with pytest.raises(InputError, match="trained as rlvr-multi, and this one was taught rlcr-multi"):
        write_card(Publication(model=training, runs=[other]))
    assert not (training / "model" / CARD).exists()


def test_a_folder_without_a_finished_model_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match=r"no setwise\.json lies in this folder; name a folder of setwise train"):
        write_card(Publication(model=tmp_path))


def publish(arguments: list[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """The command with the real client, away from any token of this machine."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    # Xet is a second protocol for large files, to another server; without it the client uses that of git.
    own = {"HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1", **environment}
    command = [sys.executable, "-m", "setwise", "publish", *arguments]
    return subprocess.run(command, env={**known, **own}, capture_output=True, text=True, check=False)


def test_a_push_takes_the_model_its_card_and_no_leftovers(training: Path, run: Path, tmp_path: Path):
    with running_hub() as hub:
        where = {"HF_ENDPOINT": hub.address, "HF_HOME": str(tmp_path / "home")}
        command = [str(training), "--run", str(run), "--to", "me/clinic", "--private"]
        pushed = publish(command, {**where, "HF_TOKEN": TOKEN})
        assert pushed.returncode == 0, pushed.stderr
        assert pushed.stdout.splitlines()[-1] == f"pushed: {hub.address}/me/clinic"
        assert hub.repositories["me/clinic"]["visibility"] == "private"
        assert set(hub.files) == {"README.md", "model.safetensors", "setwise.json"}
        assert hub.files["model.safetensors"] == WEIGHTS
        assert hub.files["README.md"] == (training / "model" / CARD).read_bytes()
        refused = publish(command, {**where, "HF_TOKEN": "wrong"})
        assert refused.returncode == 1
        assert "the hub did not take the model (Client error '401 Unauthorized'" in refused.stderr
        assert len(refused.stderr.splitlines()) == 1


def test_without_a_token_nothing_is_written(training: Path, tmp_path: Path):
    tokenless = publish([str(training), "--to", "me/clinic"], {"HF_HOME": str(tmp_path / "home")})
    assert tokenless.returncode == 2
    assert "no token to push with; set HF_TOKEN" in tokenless.stderr
    assert not (training / "model" / CARD).exists()
