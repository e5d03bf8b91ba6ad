"""Single answers that are not what was asked for: one answer twice, several in one, or somebody else's words."""

from setwise.audit.chance import FEWEST, TOLERATED, is_habit
from setwise.audit.registry import Found, finding
from setwise.audit.view import View
from setwise.records.audit import Severity

EXTRACTIVE = 0.2
"""Share of questions that hold one of their golds from which answers are expected to be taken from there."""


def no_questions(view: View) -> str:
    return "" if view.has_questions else "the questions"


@finding("near_duplicates", label="One answer twice", severity=Severity.WARNING, counted="distinct")
def near_duplicates(view: View) -> Found | None:
    """Sets whose answers count as different and are one: another name of the same gold, a misspelling, another order
    of the words, or a kind of the other. Two names of the task that are both right are two."""
    return habit(view, "near_duplicates", "sets hold one answer twice")


@finding("hedged_answers", label="Several answers in one", severity=Severity.WARNING, counted="wrong")
def hedged_answers(view: View) -> Found | None:
    """An answer that holds several: two names of the task, a list, "or", "all of the above". A name of the task or a
    gold that reads so is one answer."""
    return habit(view, "hedged", "completions put several answers into one")


@finding(
    "copied_answers", label="Answers from the question", severity=Severity.WARNING, counted="wrong", needs=no_questions
)
def copied_answers(view: View) -> Found | None:
    """Answers that stand in the question word for word, in a task whose golds do not. Where a fifth of the questions or
    more hold a gold, answers are meant to be found there and nothing is said."""
    known = view.table.golds_known
    usual = view.table.gold_copies / known if known else 0.0
    if usual >= EXTRACTIVE:
        return None
    return habit(view, "in_question", "completions answer with words of the question", max(TOLERATED, 1.5 * usual))


@finding("format_answers", label="Answers from the format", severity=Severity.WARNING, counted="wrong")
def format_answers(view: View) -> Found | None:
    """Answers that stand for one in the prompt ("candidate 1", "your answer") or are a piece of it, and are no name of
    the task."""
    return habit(view, "in_prompt", "completions answer with words of the prompt")


def habit(view: View, sign: str, what: str, tolerated: float = TOLERATED) -> Found | None:
    """A sign that more completions show than an honest model slips, for several problems."""
    rows = view.table.mask(sign)
    count, of = int(rows.sum()), int(view.answered.sum())
    if not is_habit(count, of, tolerated) or view.problems_of(rows) < FEWEST:
        return None
    flagged, paid = view.table.flagged(sign)
    message = f"{count:,} of {of:,} {what} ({count / of:.1%})"
    if paid:
        message += f"; {paid:,} of these answers are paid"
    return Found(message=message, rows=rows, sign=sign, of=of, facts={"answers": flagged, "paid": paid})
