"""Two processes do what one does with twice the accumulation: same order, whole groups, same gradients."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.training.launched import launch

WORKER = Path(__file__).with_name("two_processes.py")
GROUP = 8


def seen(out: Path, processes: int, rank: int) -> dict[str, Any]:
    return json.loads((out / f"seen-{processes}-{rank}.json").read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("credit", ["completion", "answer"])
def test_two_processes_do_what_one_does_with_twice_the_accumulation(start: Path, tmp_path: Path, credit: str):
    import torch

    for processes in (1, 2):
        launch(WORKER, processes, start, tmp_path, processes, credit)
    one, ranks = seen(tmp_path, 1, 0), [seen(tmp_path, 2, rank) for rank in (0, 1)]
    assert one["accumulation"] == 2 * ranks[0]["accumulation"]
    assert one["problems"] == ranks[0]["problems"] + ranks[1]["problems"]
    assert one["rewards"] == ranks[0]["rewards"] + ranks[1]["rewards"]
    for rank in ranks:
        groups = [set(rank["problems"][i : i + GROUP]) for i in range(0, len(rank["problems"]), GROUP)]
        assert all(len(group) == 1 for group in groups)
        assert rank["reward"] == pytest.approx(one["reward"])
    alone = torch.load(tmp_path / "gradients-1-0.pt")
    for rank in (0, 1):
        shared = torch.load(tmp_path / f"gradients-2-{rank}.pt")
        assert alone.keys() == shared.keys()
        for name, gradient in alone.items():
            torch.testing.assert_close(shared[name], gradient, rtol=1e-4, atol=1e-7)
    assert any(gradient.abs().max() > 0 for gradient in alone.values())
