"""Single answers that are not what was asked for: one answer twice, several in one, or copied words."""

from setwise.audit.chance import FEWEST, TOLERATED, is_habit
from setwise.audit.registry import Found, finding
from setwise.audit.view import AuditView
from setwise.records.audit import Severity

EXTRACTIVE = 0.2
"""If at least this share of questions contains one of their golds, answers are expected to come from there."""


def no_questions(view: AuditView) -> str:
    return "" if view.has_questions else "the questions"


@finding("near_duplicates", label="One answer twice", severity=Severity.WARNING, counted="distinct")
def near_duplicates(view: AuditView) -> Found | None:
    """Sets with answers that count as different but are the same: another name of the same gold, a misspelling, another
    word order, or a subtype. Two names from the task's list that are both right count as two."""
    return habit(view, "near_duplicates", "sets hold one answer twice")


@finding("hedged_answers", label="Several answers in one", severity=Severity.WARNING, counted="wrong")
def hedged_answers(view: AuditView) -> Found | None:
    """Several answers in one: two names from the task, a list, "or", "all of the above". A name or a gold that reads
    like this counts as one answer."""
    return habit(view, "hedged", "completions put several answers into one")


@finding(
    "copied_answers", label="Answers from the question", severity=Severity.WARNING, counted="wrong", needs=no_questions
)
def copied_answers(view: AuditView) -> Found | None:
    """Answers copied word for word from the question, in a task whose golds are not in the question. If a fifth of the
    questions or more contain a gold, answers are meant to be found there, and nothing is reported."""
    known = view.table.golds_known
    usual = view.table.gold_copies / known if known else 0.0
    if usual >= EXTRACTIVE:
        return None
    return habit(view, "in_question", "completions answer with words of the question", max(TOLERATED, 1.5 * usual))


@finding("format_answers", label="Answers from the format", severity=Severity.WARNING, counted="wrong")
def format_answers(view: AuditView) -> Found | None:
    """Answers that are placeholders of the prompt ("candidate 1", "your answer") or a piece of it, and not a name of
    the task."""
    return habit(view, "in_prompt", "completions answer with words of the prompt")


def habit(view: AuditView, sign: str, what: str, tolerated: float = TOLERATED) -> Found | None:
    """A sign in more completions than an honest model's slips would explain, for several problems."""
    rows = view.table.mask(sign)
    count, of = int(rows.sum()), int(view.answered.sum())
    if not is_habit(count, of, tolerated) or view.problems_of(rows) < FEWEST:
        return None
    flagged, paid = view.table.flagged(sign)
    message = f"{count:,} of {of:,} {what} ({count / of:.1%})"
    if paid:
        message += f"; {paid:,} of these answers are paid"
    return Found(message=message, rows=rows, sign=sign, of=of, facts={"answers": flagged, "paid": paid})
