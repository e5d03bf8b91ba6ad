import numpy as np
import pytest

from setwise.training.shared_prompt.attention import dense_sight
from setwise.training.shared_prompt.packs import IGNORED, Row, idle_sequence, pack


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


@pytest.mark.parametrize("budget", [1, 20, 1000])
@pytest.mark.parametrize("seed", range(8))
def test_every_token_is_predicted_once_from_its_own_prompt_and_completion_alone(seed: int, budget: int):
    rows, seen = random_rows(seed), set()
    for sequence in pack(rows, budget):
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


def test_large_groups_stay_whole_where_there_is_little_room_for_several():
    rows = [Row(np.arange(i, i + 30), np.arange(8)) for i in range(4) for _ in range(5)]
    assert [len(sequence.token_ids) for sequence in pack(rows, budget=100, room=50)] == [69] * 4
    assert [len(sequence.token_ids) for sequence in pack(rows, budget=100, room=140)] == [138] * 2
