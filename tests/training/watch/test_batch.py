"""What a training logs of a batch of completions."""

import pytest

from setwise.matching.code import CodeMatcher
from setwise.objectives import Objective
from setwise.questions import Problem
from setwise.scoring import score_batch
from setwise.training.watch.batch import Batch, batch_metrics

ANSWERS = ("alpha", "bravo", "charlie")


def logged(*stated: tuple[float, ...]) -> dict[str, float]:
    """Of one completion for each tuple of confidences."""
    objective = Objective("rlcr-multi", len(ANSWERS))
    texts = [
        "<think>hm</think>"
        + "".join(
            f"<answer{n}>{answer}</answer{n}><confidence{n}>{q}</confidence{n}>"
            for n, (answer, q) in enumerate(zip(ANSWERS, confidences, strict=True), start=1)
        )
        for confidences in stated
    ]
    problems = [Problem(f"p{n}", "which?", ["alpha"]) for n in range(len(texts))]
    scores = score_batch(texts, problems, objective)
    return batch_metrics(Batch(scores, problems, [9] * len(texts), [False] * len(texts), objective, group_size=1))


@pytest.mark.parametrize("confidences", [(0.5, 0.3, 0.2), (0.33, 0.33, 0.33), (0.333, 0.333, 0.333)])
def test_confidences_that_share_out_one_are_counted_also_if_they_are_rounded(confidences: tuple[float, ...]):
    assert logged(confidences, (0.9, 0.8, 0.7))["confidence/sum_is_one"] == 0.5


@pytest.mark.parametrize("confidences", [(0.35, 0.32, 0.32), (0.3, 0.3, 0.3), (1.0, 1.0, 1.0), (0.9, 0.05, 0.04)])
def test_other_confidences_near_one_are_beliefs(confidences: tuple[float, ...]):
    assert logged(confidences)["confidence/sum_is_one"] == 0


def test_a_program_that_does_not_parse_is_no_distinct_answer():
    objective = Objective("rlvr-multi", 2)
    texts = [
        f"<think>hm</think><answer1>{first}</answer1><answer2>{second}</answer2>"
        for first, second in (("def f(", "def g("), ("x = 1", "x=1"))
    ]
    problems = [Problem("p", "set x", tests=["assert x == 1"])] * 2
    with CodeMatcher() as matcher:
        scores = score_batch(texts, problems, objective, matcher=matcher)
    found = batch_metrics(Batch(scores, problems, [9, 9], [False, False], objective, group_size=2))
    assert (found["group/distinct"], found["uniqueness"]) == (1, 0.5)
