"""The one function behind every adapter, and what engines may log about its result."""

import re

from setwise.adapters.ground_truth import read_ground_truth
from setwise.errors import BrokenProblem, MachineryError
from setwise.scoring import Score, score, score_batch

END_OF_TURN = re.compile(r"\s*(?:<\|[^<>|\s]{1,40}\|>|</s>|<eos>|<end_of_turn>)\s*\Z")
_LONGEST_END = 64


def grade(completion: str, ground_truth: str, *, finish_reason: str | None = None) -> Score:
    """Score one completion.

    Raises `MachineryError` if even a second try gave no verdict, and `BrokenProblem` if none is possible; `setwise
    export` leaves such problems out. Most engines cannot leave out a completion, and a broken sandbox is not a wrong
    answer, so the error stops them; verl logs it and goes on without the completion.
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
    """The reward as a number. `grade` never returns a score without one."""
    assert score.reward is not None, "grade raises instead"
    return score.reward


def terms(score: Score) -> dict[str, float]:
    """What engines log besides the reward: its terms and their inputs. The names are the same for every completion."""
    counts = {"n_correct": sum(score.labels), "distinct": score.distinct, "strictly_valid": score.strictly_valid}
    return {name: float(value) for name, value in {**score.terms, **counts}.items()}


def without_end_of_turn(text: str) -> str:
    """A completion decoded with its special tokens, without the one that ended the turn.

    Left in place, it would be text outside the tags and cost every completion its reward.

    >>> without_end_of_turn("<answer>Ada</answer><|im_end|>")
    '<answer>Ada</answer>'
    """
    tail = END_OF_TURN.search(text, max(0, len(text) - _LONGEST_END))
    return text[: tail.start()] if tail else text
