"""Runs all findings over one run."""

from collections.abc import Sequence
from math import isfinite

import numpy as np

from setwise.audit import answers, confidences, disorder, drift, judging, programs, sets, thinking  # noqa: F401 (their findings)
from setwise.audit.curves import curves
from setwise.audit.look import look
from setwise.audit.recomputed import change
from setwise.audit.registry import FINDINGS, Finding, Found
from setwise.audit.said import AuditSource
from setwise.audit.view import AuditView
from setwise.records.audit import AuditRecord, FindingRecord, Instance, Severity

EXAMPLES = 5
QUOTED = 300
_GRAVEST_FIRST = {Severity.SERIOUS: 0, Severity.WARNING: 1, Severity.NOTE: 2}


def audit(source: AuditSource, names: Sequence[str] = ()) -> AuditRecord:
    """Everything found in a run, most severe first; with `names`, only those findings."""
    view = AuditView(look(source), source.context)
    chosen = [FINDINGS.find(name) for name in names] or list(FINDINGS.all())
    lacking = {each.name: missing for each in chosen if (missing := each.needs(view))}
    looked = [each for each in chosen if each.name not in lacking]
    found = [record for each in looked if (record := _recorded(view, each, each.find(view)))]
    return AuditRecord(
        run=source.context.name,
        problems=view.problems,
        completions=len(view),
        findings=sorted(found, key=lambda each: (_GRAVEST_FIRST[each.severity], -each.share)),
        looked_for=[each.name for each in looked],
        not_looked_for=lacking,
        facts={name: value for name, value in sets.set_facts(view).items() if isfinite(value)},
        curves=curves(view),
    )


def _recorded(view: AuditView, finding: Finding, found: Found | None) -> FindingRecord | None:
    if found is None:
        return None
    changed = change(view, found, finding.counted)
    severity = Severity.NOTE if found.only_a_note else finding.severity
    if severity is Severity.WARNING and changed is not None and changed.matters:
        severity = Severity.SERIOUS
    return FindingRecord(
        name=finding.name,
        label=finding.label,
        severity=severity,
        definition=finding.definition,
        message=found.message,
        count=int(found.rows.sum()),
        of=len(view) if found.of is None else found.of,
        problems=view.problems_of(found.rows),
        facts={name: float(value) for name, value in found.facts.items() if isfinite(value)},
        change=changed,
        examples=_examples(view, found),
    )


def _examples(view: AuditView, found: Found) -> list[Instance]:
    """A few completions that show it, from different problems, each with its evidence."""
    quotes = found.quotes or view.table.quotes.get(found.sign, [])
    rows = dict(quotes) or {int(row): "" for row in np.flatnonzero(found.rows)[: 20 * EXAMPLES]}
    chosen: dict[int, Instance] = {}
    for row, quote in rows.items():
        problem = int(view["problem"][row])
        if len(chosen) < EXAMPLES:
            shown = " ".join(quote.split())[:QUOTED]
            chosen.setdefault(problem, Instance(view.table.problems[problem], int(view["sample"][row]), shown))
    return list(chosen.values())
