"""The one function behind every adapter, and what an engine may want to know about its result."""

import re

from setwise.adapters.ground_truth import read_ground_truth
from setwise.errors import BrokenProblem, MachineryError
from setwise.scoring import Score, score, score_batch

END_OF_TURN = re.compile(r"\s*(?:<\|[^<>|\s]{1,40}\|>|</s>|<eos>|<end_of_turn>)\s*\Z")
_LONGEST_END = 64


def grade(completion: str, ground_truth: str, *, finish_reason: str | None = None) -> Score:
    """What one completion is worth. Raises `MachineryError` where even a second try gave no verdict, and
    `BrokenProblem` where none can be had; `setwise export` leaves such problems out.

    Most engines have no way to leave a completion out, and a broken sandbox is not a wrong answer; so it stops them.
    """
    grading = read_ground_truth(ground_truth)
    problem, objective, matcher = grading.problem, grading.objective, grading.matcher
    try:
        return score(completion, problem, objective, matcher=matcher, finish_reason=finish_reason)
    except BrokenProblem:
        raise
    except MachineryError:
        (result,) = score_batch([completion], [problem], objective, matcher=matcher, finish_reasons=[finish_reason])
        if result.error is not None:
            raise MachineryError(f"problem {problem.id}: {result.error}") from None
        return result


def total(score: Score) -> float:
    """The reward as a number; `grade` never returns a score without one."""
    assert score.reward is not None, "grade raises instead"
    return score.reward


def terms(score: Score) -> dict[str, float]:
    """What engines log beside the reward: its terms, and what they are made of. The same names for every completion."""
    counts = {"n_correct": sum(score.labels), "distinct": score.distinct, "strictly_valid": score.strictly_valid}
    return {name: float(value) for name, value in {**score.terms, **counts}.items()}


def without_end_of_turn(text: str) -> str:
    """A completion decoded with its special tokens, less the one that ended the turn.

    Left in place, it would be text outside the tags and cost every completion its reward.

    >>> without_end_of_turn("<answer>Ada</answer><|im_end|>")
    '<answer>Ada</answer>'
    """
    tail = END_OF_TURN.search(text, max(0, len(text) - _LONGEST_END))
    return text[: tail.start()] if tail else text
