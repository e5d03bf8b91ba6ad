"""The section on audits: counts, the meaning of each finding, and examples that open in the reader."""

from collections.abc import Sequence
from urllib.parse import quote

from setwise.records.audit import FindingRecord, Instance
from setwise.reports.audits import AuditedRun, audit_table
from setwise.reports.page.escapes import shown
from setwise.reports.page.table import data_html

KEPT = "!~*'()"
"""What JavaScript's encodeURIComponent leaves unchanged besides what Python's quote does."""


def audit_html(audited: Sequence[AuditedRun]) -> str:
    if not audited:
        return ""
    return (
        '<section id="audit" aria-labelledby="audit-title"><h2 id="audit-title">Audit</h2>'
        '<p class="remark">Ways around the reward that <code>setwise audit</code> looked for in stored completions. '
        "A note earns nothing; a warning is a way around the reward; serious changes a headline number.</p>"
        f"{data_html(audit_table(audited))}{''.join(map(_run, audited))}</section>"
    )


def _run(own: AuditedRun) -> str:
    if not own.record.findings:
        return ""
    found = "".join(_finding(own, each) for each in own.record.findings)
    title = f"{shown(own.label)}: {len(own.record.findings)} findings with examples"
    return f"<details><summary>{title}</summary>{found}</details>"


def _finding(own: AuditedRun, found: FindingRecord) -> str:
    examples = "".join(_example(own, each) for each in found.examples)
    return (
        f"<h3>{shown(found.label)} ({shown(found.severity)})</h3><p>{shown(found.message)}.</p>"
        f'<p class="caption">{shown(found.definition)}</p><ul class="evidence">{examples}</ul>'
    )


def _example(own: AuditedRun, example: Instance) -> str:
    anchor = quote(f"{own.task}/{example.problem}".encode("utf-8", "replace"), safe=KEPT)
    link = f'<a href="#problem={shown(anchor)}">{shown(example.problem)}, sample {example.sample}</a>'
    return f"<li>{link}{': ' if example.quote else ''}{shown(example.quote)}</li>"
