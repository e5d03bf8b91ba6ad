from collections.abc import Callable

import numpy as np
import pytest

from setwise.training.shared_prompt.attention import dense_sight
from setwise.training.shared_prompt.packs import IGNORED, PackedSequence, Row, idle_sequence, pack, pack_side_by_side


def random_rows(seed: int, prompt: int = 12, completion: int = 9) -> list[Row]:
    chance = np.random.default_rng(seed)
    prompts = [chance.integers(3, 99, chance.integers(1, prompt)) for _ in range(chance.integers(1, 5))]
    rows = [
        Row(prompt, chance.integers(3, 99, chance.integers(0, completion)))
        for prompt in prompts
        for _ in range(chance.integers(1, 7))
    ]
    chance.shuffle(rows)  # pyright: ignore[reportArgumentType]
    return rows


def pack_in_batches(rows: list[Row], budget: int) -> list[PackedSequence]:
    return [sequence for batch in pack_side_by_side(rows, budget, cells=2_000) for sequence in batch]


@pytest.mark.parametrize("packed", [pack, pack_in_batches])
@pytest.mark.parametrize("budget", [1, 20, 1000])
@pytest.mark.parametrize("seed", range(8))
def test_every_token_is_predicted_once_from_its_own_prompt_and_completion_alone(
    seed: int, budget: int, packed: Callable[[list[Row], int], list[PackedSequence]]
):
    rows, seen = random_rows(seed), set()
    for sequence in packed(rows, budget):
        sight = dense_sight(sequence.segments)
        predicting = np.flatnonzero(sequence.labels != IGNORED)
        for position, index, column in zip(predicting, sequence.rows, sequence.columns, strict=True):
            row = rows[index]
            context = np.concatenate([row.prompt, row.completion[:column]])
            visible = sequence.token_ids[sight[position]]
            assert visible.tolist() == context.tolist()
            assert sequence.position_ids[sight[position]].tolist() == list(range(len(context)))
            assert sequence.labels[position] == row.completion[column]
            seen.add((index, column))
    assert seen == {(index, column) for index, row in enumerate(rows) for column in range(len(row.completion))}


@pytest.mark.parametrize("seed", range(8))
def test_with_room_enough_each_prompt_runs_once_and_nothing_is_padded(seed: int):
    rows = random_rows(seed)
    answered = {row.key: len(row.prompt) - 1 for row in rows if len(row.completion)}
    packed = pack(rows, budget=10_000)
    assert len(packed) <= 1
    tokens = sum(len(sequence.token_ids) for sequence in packed)
    assert tokens == sum(answered.values()) + sum(len(row.completion) for row in rows)


@pytest.mark.parametrize("seed", range(8))
def test_no_sequence_of_several_completions_is_over_the_budget(seed: int):
    for sequence in pack(random_rows(seed), budget=20):
        assert len(sequence.token_ids) <= 20 or len(set(sequence.rows.tolist())) == 1


def test_a_group_over_the_budget_runs_its_prompt_once_per_part():
    prompt = np.arange(11)
    packed = pack([Row(prompt, np.arange(20)) for _ in range(4)], budget=50)
    assert [len(sequence.token_ids) for sequence in packed] == [50, 50]


def test_a_group_of_empty_completions_costs_nothing():
    assert pack([Row(np.arange(5), np.arange(0))] * 3, budget=50) == []


def test_an_idle_sequence_predicts_nothing():
    idle = idle_sequence()
    assert len(idle.token_ids) == 1
    assert (idle.labels == IGNORED).all()


@pytest.mark.parametrize("cells", [1, 1_000, 5_000, 10**6])
@pytest.mark.parametrize("seed", range(8))
def test_a_batch_has_no_more_cells_than_allowed_and_less_padding_than_tokens(seed: int, cells: int):
    for batch in pack_side_by_side(random_rows(seed), budget=20, cells=cells):
        lengths = [sequence.tokens for sequence in batch]
        assert len(batch) == 1 or len(batch) * max(lengths) ** 2 <= cells
        assert max(lengths) <= 2 * min(lengths)


def test_side_by_side_each_group_is_one_sequence():
    rows = [Row(np.arange(i, i + 30), np.arange(8)) for i in range(4) for _ in range(5)]

    def batches(cells: int) -> list[list[int]]:
        return [[each.tokens for each in batch] for batch in pack_side_by_side(rows, budget=100, cells=cells)]

    assert batches(4 * 69**2) == [[69] * 4]
    assert batches(4 * 69**2 - 1) == [[69] * 3, [69]]
    assert batches(1) == [[69]] * 4
