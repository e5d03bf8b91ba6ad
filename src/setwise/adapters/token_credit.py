"""Advantages of single tokens, for the engines that take them. The arithmetic is that of `setwise train`.

An engine hands over the token ids it sampled. They are decoded and scored here, and never encoded again.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from setwise.adapters.ground_truth import Grading
from setwise.contract import CUT_OFF, THINK_CLOSE, THINK_OPEN
from setwise.credit import TokenCrediting, TokenText, Written, credit_named
from setwise.errors import InputError
from setwise.scoring import score_batch


class Sampled(NamedTuple):
    """One completion of a group, as an engine holds it."""

    ids: Sequence[int]
    cut_off: bool = False
    """Whether it ran into a limit rather than to its end."""


class SampledText:
    """The token ids of one tokenizer as text, as an inference server shows it: without special tokens, and without the
    one that ended the turn. Think tags are shown even where the tokenizer calls them special."""

    def __init__(self, tokenizer: Any) -> None:
        special = dict(zip(tokenizer.all_special_tokens, tokenizer.all_special_ids, strict=True))
        thinking = {THINK_OPEN, THINK_CLOSE} & set(special)
        self._tokenizer, self._skip_special = tokenizer, not thinking
        self._ends = frozenset(number for token, number in special.items() if token not in thinking)
        self.tokens = TokenText(self.decode)

    def decode(self, ids: Sequence[int]) -> str:
        return self._tokenizer.decode(list(ids), skip_special_tokens=self._skip_special)

    def written(self, ids: Sequence[int]) -> Written:
        shown = len(ids)
        while shown and ids[shown - 1] in self._ends:
            shown -= 1
        return Written(ids, self.decode(ids[:shown]), shown)


def group_advantages(group: Sequence[Sampled], grading: Grading, text: SampledText) -> list[list[float]]:
    """For each completion of one problem the advantage of each of its tokens.

    A completion that the machinery could not score gets zeros and counts in no mean, as in `setwise train`.
    """
    rule, objective, problem = grading.credit, grading.objective, grading.problem
    credit = credit_named(rule.name, objective, rule.later_gain) if rule else None
    if rule is None or credit is None:
        raise InputError(
            "the rows say that every token of a completion is paid the same",
            place=f"problem {problem.id}",
            remedy="export them from a recipe with optimisation.credit: answer, or use the engine's own advantages",
        )
    crediting = TokenCrediting(objective, credit, text.tokens, rule.divide_by_std)
    written = [text.written(own.ids) for own in group]
    finished = [CUT_OFF if own.cut_off else None for own in group]
    texts, problems = [own.text for own in written], [problem] * len(group)
    scores = score_batch(texts, problems, objective, matcher=grading.matcher, finish_reasons=finished)
    return [paid.advantages.tolist() for paid in crediting.of_group(scores, problem, written)]
