"""What makes a run's labels or problems doubtful, whatever the model did."""

from collections import Counter

import numpy as np

from setwise.audit.answers import habit
from setwise.audit.chance import LEVEL, tail
from setwise.audit.keys import key_of
from setwise.audit.registry import Found, finding
from setwise.audit.view import AuditView
from setwise.records.audit import Severity


def no_golds(view: AuditView) -> str:
    return "" if view.table.golds_known else "the golds"


def no_training_rows(view: AuditView) -> str:
    if not view.has_questions:
        return "the questions"
    return "" if view.context.training_rows else "the rows it was trained on"


@finding("lenient_matcher", label="Matcher forgives much", severity=Severity.WARNING, counted="wrong", needs=no_golds)
def lenient_matcher(view: AuditView) -> Found | None:
    """Answers that were accepted although they share less than 60 % of their words with any name of a gold, or that
    contain several names, one of them right. Not looked for if the math matcher compares values."""
    if view.context.matcher.partition(":")[0] in ("math", "code"):
        return None
    found = habit(view, "accepted_far", "completions have an accepted answer that resembles no gold")
    if found is None:
        return None
    return Found(
        message=found.message, rows=found.rows, sign=found.sign, facts=found.facts, of=found.of, quotes=_farthest(view)
    )


@finding(
    "leaked_rows",
    label="Training rows in the test",
    severity=Severity.WARNING,
    counted="left out",
    needs=no_training_rows,
)
def leaked_rows(view: AuditView) -> Found | None:
    """Test problems whose question was trained on, more of them than two independent draws would share by chance. The
    chance is the share of training rows that repeat the question of another training row."""
    rows = view.context.training_rows
    trained = Counter(map(key_of, rows))
    hit = np.isin(view["question"], np.fromiter(trained, np.int64, len(trained)))
    count, of = view.problems_of(hit), view.problems
    # If nothing leaked, a row is as likely to repeat one of its own split as one of the other split.
    by_chance = sum(n for n in trained.values() if n > 1) / len(rows)
    if count < 1 or tail(count, of, max(by_chance, 1e-9)) >= LEVEL:
        return None
    message = f"{count:,} of {of:,} problems were trained on ({count / of:.1%}; by chance {by_chance:.1%})"
    return Found(message=message, rows=hit, facts={"problems": count, "by_chance": by_chance})


@finding("unsatisfiable", label="Problems nobody can solve", severity=Severity.WARNING, counted="left out",
         needs=lambda view: "" if view.context.checked_golds else "a matcher to try the golds with")  # fmt: skip
def unsatisfiable(view: AuditView) -> Found | None:
    """Problems whose own golds earn nothing with the matcher, or whose reference fails its own tests."""
    broken = dict(view.context.broken)
    numbers = [number for number, name in enumerate(view.table.problems) if name in broken]
    if not broken:
        return None
    rows = np.isin(view["problem"], numbers)
    first, why = next(iter(broken.items()))
    message = f"{len(broken):,} of {max(view.problems, len(broken)):,} problems cannot be solved, first {first}: {why}"
    _, places = np.unique(view["problem"][rows], return_index=True)
    quotes = [
        (int(r), broken[view.table.problems[view["problem"][r]]]) for r in np.flatnonzero(rows)[np.sort(places)][:20]
    ]
    return Found(message=message, rows=rows, facts={"problems": len(broken)}, quotes=quotes)


def _farthest(view: AuditView) -> list[tuple[int, str]]:
    """The accepted pairs, most distant first."""
    return sorted(view.table.quotes["accepted_far"], key=lambda each: _alikeness(each[1]))


def _alikeness(quote: str) -> int:
    return int(quote.rpartition("(")[2].partition(" ")[0])
