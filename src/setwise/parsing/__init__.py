"""Completion text -> AnswerSet | Malformed(reason)."""

from setwise.answers import AnswerSet, Malformed, Reason
from setwise.contract import CUT_OFF
from setwise.objectives import Objective
from setwise.parsing.lenient import parse_leniently
from setwise.parsing.strict import parse_strictly

__all__ = ["parse"]


def parse(
    text: str, objective: Objective, *, strict: bool = True, finish_reason: str | None = None
) -> AnswerSet | Malformed:
    """Parse one completion.

    Strict parsing is what training rewards. Lenient parsing recovers what is unambiguous and lists what it overlooked
    in `AnswerSet.repairs`, which is empty if and only if the text is strictly valid. With a finish reason of "length",
    any malformed text is `truncated`; a complete text stays valid however it ended.

    >>> parse("<think>hm</think><answer>Gout</answer>", Objective("rlvr-single")).answers
    ['Gout']
    >>> parse("<think>hm</think>Gout", Objective("rlvr-single")).reason
    <Reason.MISSING_ANSWER: 'missing_answer'>
    """
    parsed = parse_strictly(text, objective)
    if isinstance(parsed, Malformed):
        if finish_reason == CUT_OFF and parsed.reason is not Reason.TRUNCATED:
            parsed = Malformed(Reason.TRUNCATED, parsed.detail)
        if not strict:
            parsed = parse_leniently(text, objective, parsed)
    return parsed
