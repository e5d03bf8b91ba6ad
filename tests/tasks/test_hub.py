"""Datasets of the hub, read through `datasets` from local folders in the hub's own layouts."""

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("datasets", reason="reading from the hub needs datasets")

from setwise.errors import InputError
from setwise.tasks import Task, load_task
from tests.tasks.made_up import hotpot_hub_row, hotpot_row, mbpp_row, patient, write_ddxplus


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")


def write_config(folder: Path, config: str, splits: dict[str, list[dict[str, Any]]]) -> None:
    """Parquet files of one config, and the card that names them."""
    from datasets import Dataset

    (folder / config).mkdir(parents=True)
    card = ["---", "configs:", f"- config_name: {config}", "  data_files:"]
    for split, rows in splits.items():
        Dataset.from_list(rows).to_parquet(str(folder / config / f"{split}-00000-of-00001.parquet"))
        card += [f"  - split: {split}", f"    path: {config}/{split}-*"]
    (folder / "README.md").write_text("\n".join([*card, "---", ""]))


def load(name: str, folder: Path, **wishes: Any) -> Task:
    return load_task(name, path=f"hub:{folder}", **wishes)


def test_ddxplus_gives_the_same_problems_as_the_official_files(tmp_path: Path):
    rows = [patient(AGE=str(age)) for age in range(40)]
    folder = tmp_path / "ddxplus"
    official = write_ddxplus(folder, rows)
    write_ddxplus(folder, rows[:7], "validate.csv")
    write_ddxplus(folder, rows[:3], "test.csv")
    (folder / "README.md").write_text(
        "---\nconfigs:\n- config_name: default\n  data_files:\n"
        + "".join(f"  - split: {s}\n    path: {s}.csv\n" for s in ("train", "test", "validate"))
        + "---\n"
    )
    assert list(load("ddxplus", folder)) == list(load_task("ddxplus", path=official))
    assert len(list(load("ddxplus", folder, split="validate"))) == 7
    sample = load("ddxplus", folder, limit=6, seed=2)
    assert list(sample) == list(load_task("ddxplus", path=official, limit=6, seed=2))


def test_hotpotqa_has_dicts_of_lists_there_and_gives_the_same_problems(tmp_path: Path):
    rows = [hotpot_row(f"q{i}") for i in range(5)] + [hotpot_row("short", paragraphs=4)]
    (tmp_path / "train.json").write_text(json.dumps(rows))
    hub = list(map(hotpot_hub_row, rows))
    write_config(tmp_path / "hotpot_qa", "distractor", {"train": hub, "validation": hub[:2]})
    task = load("hotpotqa-modified", tmp_path / "hotpot_qa")
    assert list(task) == list(load_task("hotpotqa-modified", path=tmp_path / "train.json"))
    assert task.left_out == {"not 10 paragraphs": 1}
    assert len(list(load("hotpotqa-modified", tmp_path / "hotpot_qa", split="dev"))) == 2


def test_mbpp_has_a_config_for_each_version(tmp_path: Path):
    parts = {"train": [601, 602], "test": [11], "validation": [511], "prompt": [1]}
    write_config(tmp_path / "full", "full", {split: [mbpp_row(n) for n in ns] for split, ns in parts.items()})
    sanitized = [{"prompt": "Add.", "test_imports": ["import math"], **mbpp_row(602)}]
    for row in sanitized:
        del row["text"], row["test_setup_code"], row["challenge_test_list"]
    write_config(tmp_path / "clean", "sanitized", {"train": sanitized})
    assert [p.id for p in load("mbpp", tmp_path / "full")] == ["mbpp-601", "mbpp-602"]
    assert [p.id for p in load("mbpp", tmp_path / "full", split="prompt")] == ["mbpp-1"]
    assert len(list(load("mbpp", tmp_path / "full", split="all"))) == 5
    (clean,) = load("mbpp", tmp_path / "clean", version="sanitized")
    assert clean.setup == "import math"
    assert clean.question.text.startswith("Add.")


def test_a_dataset_that_cannot_be_read_is_one_clear_line(tmp_path: Path):
    folder = tmp_path / "hotpot_qa"
    write_config(folder, "distractor", {"train": [hotpot_hub_row(hotpot_row())]})
    with pytest.raises(InputError, match=r"hotpot_qa: the hub dataset could not be read, got .*; check the id"):
        list(load("hotpotqa-modified", folder, split="test"))


def test_a_damaged_file_of_a_hub_dataset_is_one_clear_line(tmp_path: Path):
    folder = tmp_path / "hotpot_qa"
    write_config(folder, "distractor", {"train": [hotpot_hub_row(hotpot_row())]})
    (folder / "distractor" / "train-00000-of-00001.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(InputError, match=r"hotpot_qa: the hub dataset could not be read, got .*; check the id"):
        list(load("hotpotqa-modified", folder))


def test_wrong_columns_of_a_hub_dataset_are_named(tmp_path: Path):
    folder = tmp_path / "ddxplus"
    write_ddxplus(folder, [["1", "M"]], columns=["AGE", "SEX"])
    with pytest.raises(InputError, match="missing: DIFFERENTIAL_DIAGNOSIS"):
        list(load("ddxplus", folder))


def test_a_missing_companion_of_a_hub_dataset_is_named(tmp_path: Path):
    folder = tmp_path / "ddxplus"
    write_ddxplus(folder, [patient()])
    (folder / "release_evidences.json").unlink()
    with pytest.raises(InputError, match=r"release_evidences.json must lie beside the patients"):
        load("ddxplus", folder)


def test_a_revision_is_part_of_the_fingerprint(tmp_path: Path):
    folder = tmp_path / "hotpot_qa"
    folder.mkdir()
    plain, pinned = (load_task("hotpotqa-modified", path=f"hub:{folder}{mark}") for mark in ("", "@abc"))
    assert plain.fingerprint != pinned.fingerprint
