"""What audits found in the runs of a report, and which headline metrics it changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from setwise.metrics import find_metric
from setwise.records.audit import AuditRecord, FindingRecord, Severity
from setwise.reports.figures import styles_of
from setwise.reports.figures.figure import Data
from setwise.reports.inputs import DatasetSection, Run

HEADER = ("run", "finding", "severity", "completions", "share", "problems", "number", "as it is", "without it")


@dataclass(frozen=True, slots=True)
class AuditedRun:
    """One run with its findings."""

    label: str
    task: str
    """The title of its dataset, by which the reader finds its problems."""
    record: AuditRecord


def audited_runs(sections: Sequence[DatasetSection]) -> list[AuditedRun]:
    """The audited runs, in the order of the report."""
    found = []
    for section in sections:
        styles = styles_of(section.runs)
        found += [AuditedRun(styles[run.name].label, section.title, run.audit) for run in section.runs if run.audit]
    return found


def audit_table(audited: Sequence[AuditedRun]) -> Data:
    """One row per finding. A run without findings has a row that says so."""
    rows = []
    for own in audited:
        rows += [_row(own, found) for found in own.record.findings]
        if not own.record.findings:
            rows.append((own.label, "nothing found", *[""] * (len(HEADER) - 2)))
    return Data(HEADER, rows)


def changed_headlines(runs: Sequence[Run], labels: Mapping[str, str]) -> list[str]:
    """A sentence for each finding that changes a headline metric."""
    return [
        f"{labels.get(run.name, run.name)}: {found.label.lower()} in {found.share:.0%} of completions; without it "
        f"{_told(found)}."
        for run in runs
        if run.audit
        for found in run.audit.findings
        if found.severity is Severity.SERIOUS
    ]


def _told(found: FindingRecord) -> str:
    change = found.change
    if change is None:
        return "nothing changes"
    metric = find_metric(change.metric)
    name = metric.label[:1].lower() + metric.label[1:]
    if change.after is None:
        return f"nothing is left of its {name} of {metric.shown(change.before)}"
    if change.error is None:
        return f"too few are left to know its {name} of {metric.shown(change.before)}"
    return f"{name} is {metric.shown(change.after)} and not {metric.shown(change.before)}"


def _row(own: AuditedRun, found: FindingRecord) -> tuple[str, ...]:
    counts = (f"{found.count:,} of {found.of:,}", f"{found.share:.1%}", f"{found.problems:,}")
    if found.change is None:
        numbers = ("", "", "")
    else:
        metric = find_metric(found.change.metric)
        numbers = (metric.label, f"{found.change.before:.3f}", found.change.without)
    return (own.label, found.label, str(found.severity), *counts, *numbers)
