"""Thinking that does no work: empty, the same for everybody, or in contradiction to the answers."""

import numpy as np

from setwise.audit.answers import habit
from setwise.audit.chance import FEWEST, TOLERATED, is_habit
from setwise.audit.registry import Found, finding
from setwise.audit.table import NOTHING, Mask
from setwise.audit.view import AuditView
from setwise.records.audit import Severity

NEARLY_ALL = 0.9
"""Share of completions at which a habit of thinking is the model's only one, and says nothing about the answers."""
FEW_WORDS = 2
MANY_WORDS = 10
LOOKED_AT = 20
ECHO = 0.05
"""Share of its words by which a thought must fit its own question better than another to be about it."""
WITHOUT_QUESTIONS = 0.02
"""Share of problems that may get the same thought if it cannot be checked against their questions."""
SLIPS = 0.005


@finding("empty_thinking", label="No thinking", severity=Severity.WARNING, counted="left out")
def empty_thinking(view: AuditView) -> Found | None:
    """Completions without a word of thought, or with one or two if the usual thought has ten or more, or whose thought
    only repeats itself or the question. Only a note if nine tenths are like this: the model then does not think at all,
    which is a choice of its training."""
    short = view.answered & (view["thought_words"] <= FEW_WORDS) & (view.median_words >= MANY_WORDS)
    rows = view.table.mask("empty_thinking") | short
    count, of = int(rows.sum()), int(view.answered.sum())
    if not is_habit(count, of) or view.problems_of(rows) < FEWEST:
        return None
    message = f"{count:,} of {of:,} completions think nothing ({count / of:.1%})"
    return Found(message=message, rows=rows, of=of, sign="empty_thinking", only_a_note=count >= NEARLY_ALL * of)


@finding("template_thinking", label="The same thought for everybody", severity=Severity.WARNING, counted="left out")
def template_thinking(view: AuditView) -> Found | None:
    """Thoughts that recur word for word, ignoring numbers and the set's own answers, and fit their questions no better
    than other questions. Only a note if a few of them are all there is."""
    thought = view.answered & (view["thought"] != NOTHING)
    of = int(view.answered.sum())
    if not thought.any():
        return None
    flagged, shown = np.zeros(len(view), bool), ""
    questions = view.questions_of(thought)
    tally = view.tally("thought", thought)
    for key in tally.keys[:LOOKED_AT]:
        rows = thought & (view["thought"] == key)
        if _is_template(view, rows, questions):
            flagged |= rows
            shown = shown or " ".join(view.text(key))[:120]
    if not flagged.any():
        return None
    count = int(flagged.sum())
    message = f'{count:,} of {of:,} completions think one of a few fixed thoughts ({count / of:.1%}), first: "{shown}"'
    quotes = [(int(row), " ".join(view.text(view["thought"][row]))[:200]) for row in np.flatnonzero(flagged)[:20]]
    return Found(message=message, rows=flagged, of=of, quotes=quotes, only_a_note=count >= NEARLY_ALL * of)


@finding("contradicting_thinking", label="Thinking against the answers", severity=Severity.WARNING, counted="left out")
def contradicting_thinking(view: AuditView) -> Found | None:
    """Thoughts that name answers of the task but none of the set's, rule out an answer in the set, or conclude with one
    that is not in it. Looked for if answers come from a list."""
    return habit(view, "contradiction", "completions think against their own answers", SLIPS)


def _is_template(view: AuditView, rows: Mask, questions: int) -> bool:
    own = view.questions_of(rows)
    echoes = view["echo"][rows]
    echoes = echoes[~np.isnan(echoes)]
    if view.has_questions:
        return is_habit(own, questions, TOLERATED) and (not echoes.size or float(echoes.mean()) < ECHO)
    return is_habit(own, questions, WITHOUT_QUESTIONS)
