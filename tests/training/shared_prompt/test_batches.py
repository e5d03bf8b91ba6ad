import pytest
import torch

from setwise.training.shared_prompt.batches import keep_groups_together, read_rows
from tests.training.shared_prompt.cases import Shape, micro_batch


def test_rows_come_without_their_padding():
    batch = micro_batch(Shape(((3, (2, 0)), (5, (4,)))), shuffled=False)
    ids = torch.cat([batch["prompt_ids"], batch["completion_ids"]], dim=1)
    mask = torch.cat([batch["prompt_mask"], batch["completion_mask"]], dim=1)
    rows = read_rows(ids, mask, completion_width=4)
    assert rows is not None
    assert [(len(row.prompt), len(row.completion)) for row in rows] == [(3, 2), (3, 0), (5, 4)]
    assert rows[0].key == rows[1].key != rows[2].key
    assert rows[2].completion.tolist() == batch["completion_ids"][2].tolist()


@pytest.mark.parametrize(
    "mask", [[0, 0, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1]], ids=["no prompt", "hole in prompt", "hole in completion"]
)
def test_rows_that_packing_cannot_reproduce_are_refused(mask: list[int]):
    assert read_rows(torch.tensor([[5, 6, 7, 8]]), torch.tensor([mask]), completion_width=2) is None


def test_groups_are_whole_in_their_micro_batch_and_no_row_is_lost_or_torn():
    batch = micro_batch(Shape(tuple((4 + i, (3, 1, 2, 5)) for i in range(6))), seed=1)
    batch |= {"tag": [int(row.sum()) for row in batch["completion_ids"]], "absent": None}
    slices = [{key: _slice(value, start) for key, value in batch.items()} for start in range(0, 24, 8)]
    together = keep_groups_together(slices)
    for part in together:
        assert len(part["prompt_ids"]) == 8
        assert len({tuple(prompt) for prompt in part["prompt_ids"].tolist()}) == 2
        assert part["tag"] == part["completion_ids"].sum(1).tolist()
        assert part["num_items_in_batch"] == batch["num_items_in_batch"]
        assert part["absent"] is None
    before = sorted(zip(batch["completion_ids"].tolist(), batch["advantages"].tolist(), strict=True))
    after = sorted(
        row
        for part in together
        for row in zip(part["completion_ids"].tolist(), part["advantages"].tolist(), strict=True)
    )
    assert after == before


def _slice(value, start: int):
    return value if value is None or (isinstance(value, torch.Tensor) and value.ndim == 0) else value[start : start + 8]
