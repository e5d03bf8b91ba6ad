from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from setwise.evaluation.run_names import names_of


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
