"""The folder of an evaluation, and what it is called."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise import InputError
from setwise.evaluation.generation import Inquiry
from setwise.evaluation.methods import METHODS
from setwise.records.files import dump_record, parse_record, read_json, write_json
from setwise.records.run import RunConfig, RunFolder, names_of
from tests.evaluation.made_up import MadeUpTask, asked, script


def config_of(name: str) -> RunConfig:
    settings = {"split": "test", "limit": None, "options": {"policy": "rlcr"}}
    return Inquiry(MadeUpTask(1), METHODS[name], task_settings=settings).config("scripted", 1)


@pytest.mark.parametrize("name", METHODS)
def test_a_config_survives_the_round_trip(name: str):
    config = config_of(name)
    assert RunConfig.from_record(parse_record(dump_record(config.to_record()), "here")) == config


@pytest.mark.parametrize("name", ["rlcr-multi", "rlvr-single", "self-consistency"])
def test_a_run_of_version_1_goes_on(name: str, tmp_path: Path):
    folder, inquiry = RunFolder(tmp_path), Inquiry(MadeUpTask(1), METHODS[name])
    asked(folder, inquiry, script({"p0": ["x"]}))
    config = {**read_json(folder.config), "schema": 1}
    config["method"]["objective"] = config["objective"]["name"]
    del config["method"]["multi"]
    write_json(folder.config, config)
    folder.claim(inquiry.config("scripted", 1))
    assert folder.read_config() == inquiry.config("scripted", 1)
    assert folder.fingerprint() == "made-up-1"


@pytest.mark.parametrize("lacking", ["task", "model", "method", "objective", "sampling", "prompt_fingerprint"])
def test_a_config_that_lacks_something_is_refused_with_its_name(lacking: str):
    record = config_of("rlcr-multi").to_record()
    del record[lacking]
    with pytest.raises(InputError, match=rf"here: the file lacks what setwise eval writes \('{lacking}'\)"):
        RunConfig.from_record(record, "here")


def test_two_folders_of_one_name_are_told_apart_by_as_much_of_their_paths_as_it_takes(tmp_path: Path):
    paths = ["s0/eval/multi", "s0/train/multi", "s1/eval/multi", "s0/eval/single", "multi"]
    names = names_of([tmp_path / path for path in paths])
    assert names == ["s0/eval/multi", "train/multi", "s1/eval/multi", "single", f"{tmp_path.name}/multi"]
    assert names_of([tmp_path / "a", tmp_path]) == ["a", tmp_path.name]


@given(st.lists(st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map("/".join), min_size=1, unique=True))
def test_no_two_folders_have_one_name_and_each_name_ends_its_path(paths: list[str]):
    names = names_of([Path("/", path) for path in paths])
    assert len(set(names)) == len(names)
    assert all(f"/{path}".endswith(name) for path, name in zip(paths, names, strict=True))
