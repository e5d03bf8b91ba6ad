"""The findings by name: each one's label, severity and meaning.

A finding is a function of a `AuditView` that returns what it found, or nothing. To add your own, write

    @finding("shouting", label="Answers in capitals", severity=Severity.NOTE)
    def shouting(view):
        \"\"\"Share of completions whose answers are all in capitals.\"\"\"
        ...

Its docstring is its definition.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from setwise.audit.table import Mask
from setwise.audit.view import AuditView
from setwise.plugins import Registry
from setwise.records.audit import Severity

Counted = Literal["left out", "wrong", "distinct", "brier", ""]
"""How the headline metric is recomputed: without the completions, with their answers counted as wrong, ..."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a finding found."""

    message: str
    rows: Mask
    """The completions that show it."""
    sign: str = ""
    """The sign that provides its examples, and whose answers are counted as wrong."""
    facts: Mapping[str, float] = field(default_factory=dict)
    quotes: Sequence[tuple[int, str]] = ()
    """Rows to show, each with its evidence; by default, the first rows with a quote."""
    only_a_note: bool = False
    of: int | None = None
    """Completions examined; by default, all of them."""


Find = Callable[[AuditView], Found | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing an audit looks for."""

    name: str
    label: str
    severity: Severity
    definition: str
    find: Find
    counted: Counted = ""
    needs: Callable[[AuditView], str] = lambda view: ""
    """What is missing from the records and makes looking useless; empty if nothing is."""


FINDINGS: Registry[Finding] = Registry(Finding, "a finding", "setwise.findings")


def finding(
    name: str,
    *,
    label: str,
    severity: Severity,
    counted: Counted = "",
    needs: Callable[[AuditView], str] = lambda view: "",
) -> Callable[[Find], Finding]:
    """Register a function of a view as a finding."""

    def named(find: Find) -> Finding:
        definition = " ".join((find.__doc__ or "").split())
        made = Finding(
            name=name,
            label=label,
            severity=severity,
            definition=definition,
            find=find,
            counted=counted,
            needs=needs,
        )
        return FINDINGS.add(name, made)

    return named
