"""What every task has in common: names, options, subsets, fingerprints."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.errors import InputError, MissingDependency
from setwise.tasks import load_task
from setwise.tasks.problem_file import export_problems
from setwise.tasks.subset import smallest, stable_hash
from tests.tasks.made_up import patient, write_ddxplus


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_ddxplus(tmp_path, [patient(AGE=str(age)) for age in range(100)])


def ids(path: Path, **wishes: Any) -> list[str]:
    return [problem.id for problem in load_task("ddxplus", path=path, **wishes)]


def test_a_task_can_be_iterated_again_and_gives_the_same(release: Path):
    task = load_task("ddxplus", path=release, limit=10, seed=1)
    assert list(task) == list(task)


def test_loading_is_lazy(release: Path):
    task = load_task("ddxplus", path=release)
    release.write_text(release.read_text().replace("E_1", "E_99"))
    with pytest.raises(InputError, match="E_99"):
        next(iter(task))


def test_a_limit_alone_is_the_first_rows_and_with_a_seed_a_sample(release: Path):
    everything = ids(release)
    assert ids(release, limit=5) == everything[:5]
    sample = ids(release, limit=30, seed=0)
    assert len(sample) == 30
    assert sample != everything[:30]
    assert sample == sorted(sample, key=everything.index)
    assert sample != ids(release, limit=30, seed=1)


def test_a_smaller_sample_lies_inside_a_larger_one(release: Path):
    assert set(ids(release, limit=10, seed=4)) < set(ids(release, limit=40, seed=4))


def test_a_limit_beyond_the_file_is_the_file(release: Path):
    assert ids(release, limit=1000, seed=0) == ids(release)


def test_another_process_draws_the_same_rows(release: Path):
    code = (
        "import sys; from setwise.tasks import load_task; "
        "print(*(p.id for p in load_task('ddxplus', path=sys.argv[1], limit=8, seed=2)))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, release],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "77", "PYTHONPATH": str(Path(__file__).parents[2] / "src")},
    )
    assert said.stdout.split() == ids(release, limit=8, seed=2)


def test_hashes_are_the_same_on_every_machine():
    assert stable_hash(0, "ddxplus-train-1") == 13106884083302349233


@given(st.lists(st.tuples(st.integers(0, 2**64), st.integers())), st.integers(0, 20))
def test_a_sample_is_the_smallest_keys_in_their_order(keyed: list[tuple[int, int]], size: int):
    ranked = sorted(range(len(keyed)), key=lambda i: (keyed[i][0], i))[:size]
    assert list(smallest(keyed, size)) == [keyed[i][1] for i in sorted(ranked)]


def test_a_fingerprint_changes_with_data_and_options_and_not_with_the_folder(release: Path, tmp_path: Path):
    def fingerprint(path: Path, **wishes: Any) -> str:
        return load_task("ddxplus", path=path, **wishes).fingerprint

    moved = write_ddxplus(tmp_path / "elsewhere", [patient(AGE=str(age)) for age in range(100)])
    assert fingerprint(moved) == fingerprint(release)
    others = [
        fingerprint(release, limit=5),
        fingerprint(release, limit=5, seed=1),
        fingerprint(release, min_probability=0.5),
        fingerprint(write_ddxplus(tmp_path / "other", [patient()])),
    ]
    assert len({fingerprint(release), *others}) == 5


@pytest.mark.parametrize(
    ("name", "wishes", "message"),
    [
        ("ddxpluss", {}, 'a task of this name is not known, got "ddxpluss"; did you mean ddxplus?'),
        ("xyz", {}, 'not known, got "xyz"; one of your own is module:name; known: clinic, ddxplus, .*, mbpp, jsonl'),
        ("clinic", {"split": "tests"}, 'a split of clinic is one of train, .*, got "tests"; did you mean test?'),
        ("clinic", {"findigs": 3}, "clinic: findigs is not an option of clinic; .*; did you mean findings?"),
        ("clinic", {"findings": "many"}, 'clinic: option findings must be a whole number, got "many"'),
        ("clinic", {"findings": True}, "clinic: option findings must be a whole number, got true"),
        ("clinic", {"findings": 99}, "clinic: findings must be 1 to 20"),
        ("clinic", {"seen": 0}, r"clinic: seen must lie in \(0, 1\], got 0"),
        ("clinic", {"limit": 0}, "limit must be a whole number of at least 1, got 0"),
        ("clinic", {"seed": -1}, "seed must be a whole number of at least 0, got -1"),
        ("clinic", {"path": "x"}, 'takes no path, got "x"'),
        ("ddxplus", {}, "ddxplus needs a path .--path, .* hub:aai530-group6/ddxplus; the files come from figshare.com"),
        ("hotpotqa-modified", {}, "needs a path .*, .* hub:hotpotqa/hotpot_qa; the files come from hotpotqa.github.io"),
        ("jsonl", {}, "jsonl needs a path .--path, path= in Python, task.path in a recipe"),
        ("mbpp", {"path": "hub:"}, 'is hub:OWNER/NAME, got "hub:"; such as hub:google-research-datasets/mbpp'),
        ("ddxplus", {"path": "/no/such/place"}, "/no/such/place: no such file or folder; the files come from"),
        ("ddxplus", {"path": "/", "min_probability": 2}, r"ddxplus: min_probability must lie in \[0, 1\], got 2"),
        ("hotpotqa-modified", {"path": "/", "policy": "all"}, 'policy must be one of paper, rlcr, got "all"'),
    ],
)
def test_a_wrong_wish_is_one_clear_line(name: str, wishes: dict[str, Any], message: str):
    with pytest.raises(InputError, match=message):
        load_task(name, **wishes)


def test_a_fingerprint_changes_with_the_decoding_tables(release: Path):
    before = load_task("ddxplus", path=release).fingerprint
    evidences = release.with_name("release_evidences.json")
    evidences.write_text(evidences.read_text().replace("Do you hum?", "Do you whistle?"))
    assert load_task("ddxplus", path=release).fingerprint != before


def test_an_option_written_out_as_its_default_changes_no_fingerprint(release: Path):
    written_out = load_task("ddxplus", path=release, min_probability=0.0)
    assert written_out.fingerprint == load_task("ddxplus", path=release).fingerprint


def test_a_task_can_be_sent_to_another_process(release: Path):
    for task in (load_task("ddxplus", path=release, limit=4, seed=0), load_task("clinic", limit=4)):
        assert list(pickle.loads(pickle.dumps(task))) == list(task)


@pytest.mark.parametrize(
    ("package", "load", "message"),
    [
        ("datasets", lambda folder: load_task("ddxplus", path=f"hub:{folder}"), "reading from the hub needs datasets"),
        ("pyarrow", lambda folder: load_task("jsonl", path=folder / "a.parquet"), "reading Parquet needs pyarrow"),
        ("pyarrow", lambda folder: export_problems([], folder / "b", "parquet"), "writing Parquet needs pyarrow"),
    ],
)
def test_a_missing_package_is_named_with_the_command_that_installs_it(
    release: Path, monkeypatch: pytest.MonkeyPatch, package: str, load: Callable[[Path], Any], message: str
):
    (release.parent / "a.parquet").touch()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingDependency, match=rf"{message}: pip install 'setwise\[data\]'"):
        next(iter(load(release.parent)))


def test_loading_a_task_imports_nothing_heavy():
    code = (
        "import sys; from setwise.tasks import load_task; list(load_task('clinic', limit=3)); "
        "print([m for m in ('datasets', 'pandas', 'pyarrow', 'torch', 'transformers') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_a_file_may_be_asked_for_its_own_split_and_no_other(release: Path):
    own = release.stem.removeprefix("release_").removesuffix("_patients")
    other = "train" if own != "train" else "test"
    assert len(ids(release, split=own)) == 100
    with pytest.raises(InputError, match=f"not the {other} split's"):
        load_task("ddxplus", path=release, split=other)
