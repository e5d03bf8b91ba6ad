"""A batch's signs of a way around the reward, and the alarms when they grow."""

from setwise.matching.code import CodeMatcher
from setwise.objectives import Objective
from setwise.questions import Problem
from setwise.scoring import score_batch
from setwise.training.watch.alarms import WINDOW, AlarmBoard
from setwise.training.watch.batch import LOGGED
from setwise.training.watch.signs import SIGNS, sign_rates

NAMES = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot"]
OBJECTIVE = Objective("rlvr-multi", 2)


def rates(texts: list[str]) -> dict[str, float]:
    problems = [Problem(f"p{n}", f"chart {n}", [NAMES[n % 6]]) for n in range(len(texts))]
    return sign_rates(score_batch(texts, problems, OBJECTIVE), problems)


def completion(first: str, second: str, thought: str = "a thought of its own") -> str:
    return f"<think>{thought}</think><answer1>{first}</answer1><answer2>{second}</answer2>"


def test_an_honest_batch_shows_next_to_nothing():
    found = rates([completion(NAMES[n % 6], NAMES[(n + 2) % 6], f"chart {n} fits {n}th") for n in range(24)])
    assert found["sign/hedged"] == found["sign/near_duplicates"] == found["sign/empty_thinking"] == 0
    assert found["sign/one_set"] <= 0.25


def test_each_sign_is_counted():
    texts = [completion("alpha", "bravo", "") for _ in range(12)]
    texts += [completion("charlie or delta", "echo") for _ in range(6)]
    texts += [completion("foxtrot", "foxtrott") for _ in range(6)]
    found = rates(texts)
    assert found["sign/empty_thinking"] == 0.5
    assert found["sign/hedged"] == 0.25
    assert found["sign/near_duplicates"] == 0.25
    assert found["sign/one_set"] == 0.5
    assert set(found) <= set(SIGNS) <= set(LOGGED)


def test_a_program_that_is_paid_twice_in_other_words_is_counted():
    once, renamed, other = (
        f"def twice({name}): return {body}" for name, body in (("x", "2 * x"), ("n", "2 * n"), ("x", "x + x"))
    )
    texts = [completion(once, renamed), completion(once, other), completion(once, once), completion("x = 1", "y = 1")]
    problems = [Problem(f"p{n}", "double it", tests=["assert twice(2) == 4"]) for n in range(len(texts))]
    with CodeMatcher() as matcher:
        found = sign_rates(score_batch(texts, problems, OBJECTIVE, matcher=matcher), problems)
    assert found["sign/same_program"] == 0.25, (
        "not the one that repeats the text, nor wrong programs: they earn nothing"
    )


def test_a_sign_that_grows_rings_and_one_that_was_there_does_not():
    board = AlarmBoard()
    steps = [{"sign/hedged": 0.02, "sign/one_thought": 1.0}] * WINDOW + [
        {"sign/hedged": 0.4, "sign/one_thought": 1.0}
    ] * (2 * WINDOW)
    rung = [alarm for number, metrics in enumerate(steps) for alarm in board.watch(number, metrics)]
    assert [alarm.name for alarm in rung] == ["hedged"]
    assert "setwise audit" in rung[0].message
