"""Advantages of single tokens, for engines that take them. The arithmetic is that of `setwise train`.

An engine passes the token ids it sampled. They are decoded and scored here, and never encoded again.
"""

from collections.abc import Sequence
from typing import NamedTuple

from setwise.adapters.ground_truth import Grading
from setwise.contract import CUT_OFF
from setwise.credit import CompletionDecoder, TokenCrediting, credit_named
from setwise.errors import InputError
from setwise.scoring import score_batch


class Rollout(NamedTuple):
    """One completion of a group, as an engine holds it."""

    ids: Sequence[int]
    cut_off: bool = False
    """Whether it was cut off at a limit."""


def group_advantages(group: Sequence[Rollout], grading: Grading, decoder: CompletionDecoder) -> list[list[float]]:
    """For each completion of one problem, the advantage of each of its tokens.

    A completion that could not be scored gets zeros and counts in no mean, as in `setwise train`.
    """
    rule, objective, problem = grading.credit, grading.objective, grading.problem
    credit = credit_named(rule.name, objective, rule.later_gain, rule.confidence_score) if rule else None
    if rule is None or credit is None:
        raise InputError(
            "the rows say that every token of a completion is paid the same",
            place=f"problem {problem.id}",
            remedy="export them from a recipe with optimisation.credit: answer, or use the engine's own advantages",
        )
    crediting = TokenCrediting(objective, credit, decoder.tokens, rule.divide_by_std)
    sampled = decoder(own.ids for own in group)
    finished = [CUT_OFF if own.cut_off else None for own in group]
    texts, problems = [own.text for own in sampled], [problem] * len(group)
    scores = score_batch(texts, problems, objective, matcher=grading.matcher, finish_reasons=finished)
    return [paid.advantages.tolist() for paid in crediting.of_group(scores, problem, sampled)]
