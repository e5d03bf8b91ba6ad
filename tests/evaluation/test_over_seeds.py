"""Several trainings of each method side by side."""

import json
from pathlib import Path

import pytest

from setwise.cli import main
from setwise.errors import InputError
from setwise.evaluation.generation import Inquiry
from setwise.evaluation.methods import named_method
from setwise.evaluation.over_seeds import compare_over_seeds
from setwise.records.run import RunFolder
from tests.evaluation.made_up import MadeUpTask, multi_text, script, whole_run

SIZE = 40


def trained(path: Path, right: int, method: str = "rlcr-multi") -> Path:
    """A run whose first answers are right in so many problems."""
    said = {f"p{i}": [multi_text([f"gold {i}a" if i < right else "x", "y", "z"], [0.9, 0.1, 0.1])] for i in range(SIZE)}
    whole_run(RunFolder(path), Inquiry(MadeUpTask(SIZE), named_method(method)), script(said), resamples=20)
    return path


@pytest.fixture
def groups(tmp_path: Path) -> list[list[Path]]:
    """Two methods with two seeds each: 10 and 12 of 40 right, 30 and 32 of 40."""
    return [
        [trained(tmp_path / f"{name}-{seed}", right + 2 * seed) for seed in range(2)]
        for name, right in (("low", 10), ("high", 30))
    ]


def test_the_difference_is_that_of_the_means_and_lists_every_seed(groups: list[list[Path]]):
    found = {each.metric: each for each in compare_over_seeds(groups, resamples=500).differences}
    first = found["pass_at_1"]
    assert first.first_values == pytest.approx((10 / 40, 12 / 40))
    assert first.second_values == pytest.approx((30 / 40, 32 / 40))
    assert first.value.value == pytest.approx(0.5)
    assert first.survives
    assert first.value.low is not None
    assert 0 < first.value.low < 0.5


def test_seeds_that_disagree_leave_nothing_shown(tmp_path: Path):
    low = [trained(tmp_path / f"low-{seed}", right) for seed, right in enumerate((5, 30))]
    high = [trained(tmp_path / f"high-{seed}", right) for seed, right in enumerate((10, 38))]
    [first] = (
        each for each in compare_over_seeds([low, high], resamples=500).differences if each.metric == "pass_at_1"
    )
    assert not first.survives
    assert first.value.low is not None
    assert first.value.low < 0


def test_the_command_prints_every_seed_and_writes_json(
    groups: list[list[Path]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    words = ["compare", *(word for group in groups for word in ("--group", *map(str, group))), "--resamples", "200"]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "2 of rlcr-multi, 2 of rlcr-multi" in printed
    assert "| pass_at_1 | rlcr-multi | rlcr-multi | 0.250 0.300 -> 0.750 0.800 | +0.500 [" in printed
    assert main([*words, "--format", "json", "--out", str(tmp_path / "found.json")]) == 0
    record = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert record["groups"][0]["runs"] == ["low-0", "low-1"]
    assert main([*words, "--format", "latex"]) == 0
    assert r"\toprule" in capsys.readouterr().out


def test_groups_that_cannot_be_compared_are_refused_in_one_line(
    groups: list[list[Path]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(InputError, match="takes two runs or more"):
        compare_over_seeds([groups[0][:1], groups[1]], resamples=20)
    other = trained(tmp_path / "other", 10, "rlcr-zero-shot")
    with pytest.raises(InputError, match="one method and one K"):
        compare_over_seeds([[groups[0][0], other], groups[1]], resamples=20)
    assert main(["compare", str(other), "--group", *map(str, groups[0]), "--group", *map(str, groups[1])]) == 2
    assert "every run belongs to a group" in capsys.readouterr().err
