"""A finished report: its tables and figures as values, ready to be written in any format."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from setwise.answers import PARSE
from setwise.reports.audits import AuditedRun, audited_runs
from setwise.reports.doubts import judged, judging_doubts, without_spread
from setwise.reports.figures import Figure, section_figures, styles_of, training_figures
from setwise.reports.figures.figure import Data
from setwise.reports.inputs import DatasetSection, OverlapExhibit, Report
from setwise.reports.left_out import left_out_of_tables
from setwise.reports.methods import order, source
from setwise.reports.opening import Opening, build_opening
from setwise.reports.paper import citation, note
from setwise.reports.rows import Table
from setwise.reports.tables import section_tables

TAKEN = (
    "training", "problems", "problem", "glossary", "content", "list", "found", "find", "theme", "tip", "index", "about",
    "filters", "against", "earlier", "later", "moved", "answer", "audit",
)  # fmt: skip
"""Names that the page uses for its own parts."""
LEFT_OUT = {
    "incomplete_problems": "problems without all of their completions",
    "unjudged_attempts": "sets that could not be judged",
    "broken_problems": "problems that are broken",
    "duplicate_samples": "completions stored twice",
}


@dataclass(frozen=True, slots=True)
class DocumentSection:
    key: str
    title: str
    notes: Sequence[str]
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    overlap: Sequence[tuple[str, OverlapExhibit]] = ()
    """Pairs of chains of thought, each under the label of its run."""


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    sections: Sequence[DocumentSection]
    runs: Data
    has_paper: bool
    """Whether the paper has a number for some cell."""
    citation: str = ""
    paper_note: str = ""
    openings: Sequence[Opening] = ()
    """One per dataset, before everything else."""
    audits: Sequence[AuditedRun] = ()

    @property
    def has_tables(self) -> bool:
        return any(section.tables for section in self.sections)

    @property
    def figures(self) -> list[Figure]:
        return [figure for section in self.sections for figure in section.figures]


def build_document(report: Report) -> Document:
    several = len({section.title for section in report.sections}) < len(report.sections)
    titles = [f"{each.title} ({each.regime})" if several else each.title for each in report.sections]
    keys = unique_slugs(titles, TAKEN)
    sections = [_section(*each) for each in zip(report.sections, titles, keys, strict=True)]
    openings = [
        build_opening(section, shown.key, shown.title, report.training)
        for section, shown in zip(report.sections, sections, strict=True)
    ]
    if report.training:
        notes = [f"{run.name}, step {alarm.step}: {alarm.message}" for run in report.training for alarm in run.alarms]
        sections.append(DocumentSection("training", "Training", notes, figures=training_figures(report.training)))
    has_paper = any(
        cell.paper is not None for each in sections for table in each.tables for row in table.rows for cell in row.cells
    )
    return Document(
        report.title,
        sections,
        _runs(report.sections),
        has_paper,
        citation() if has_paper else "",
        note() if has_paper else "",
        openings,
        audited_runs(report.sections),
    )


def _section(section: DatasetSection, title: str, key: str) -> DocumentSection:
    styles = styles_of(section.runs)
    tables = section_tables(section)
    return DocumentSection(
        key,
        title,
        [*section.notes, *_doubts(section, tables)],
        [replace(table, key=f"{key}-{table.key}") for table in tables],
        [replace(figure, key=f"{key}-{figure.key}") for figure in section_figures(section)],
        [(styles[exhibit.run].label, exhibit) for exhibit in section.overlap],
    )


def _doubts(section: DatasetSection, tables: Sequence[Table]) -> list[str]:
    """What a reader should know before the tables: what judged the runs, which are missing, what has no spread."""
    by = judged(section.runs).removeprefix(", ")
    single = [run.name for run in section.runs if run.counts.get("problems") == 1]
    return [
        *([f"{by[:1].upper()}{by[1:]}."] if by else []),
        *judging_doubts(section.runs),
        *left_out_of_tables(section),
        *([f"{', '.join(single)}: one problem gives no intervals."] if single else []),
        *without_spread(tables),
    ]


def _runs(sections: Sequence[DatasetSection]) -> Data:
    header = (
        "run",
        "task",
        "method",
        "model",
        "K",
        "problems",
        "completions",
        "confidences",
        "matcher",
        "could not be read",
        "left out",
    )
    rows = []
    titled = [(section.title, run) for section in sections for run in section.runs]
    for title, run in sorted(titled, key=lambda each: (each[0], *order(each[1]))):
        lost = {name.removeprefix(PARSE): n for name, n in run.counts.items() if name.startswith(PARSE)}
        reasons = ", ".join(
            f"{n:,} {reason}" for reason, n in sorted(lost.items(), key=lambda each: (-each[1], each[0]))
        )
        out = ", ".join(f"{run.counts[name]:,} {words}" for name, words in LEFT_OUT.items() if run.counts.get(name))
        counted = (f"{run.counts.get(name, 0):,}" for name in ("problems", "completions"))
        told = (run.name, title, run.method, run.model, str(run.k), *counted)
        rows.append((*told, source(run) or "none", run.matcher or "not on record", reasons, out))
    return Data(header, rows)


def unique_slugs(texts: Sequence[str], taken: Sequence[str] = ()) -> list[str]:
    """A distinct slug for each text, none of those taken.

    >>> unique_slugs(["My task", "my-task", "Problems"], ["problems"])
    ['my-task', 'my-task-2', 'problems-2']
    """
    used, found = set(taken), []
    for text in texts:
        key = slug(text)
        number = 2
        while key in used:
            key, number = f"{slug(text)}-{number}", number + 1
        used.add(key)
        found.append(key)
    return found


def slug(text: str) -> str:
    """A text as part of a file name or an anchor.

    >>> slug("HotPotQA (modified)")
    'hotpotqa-modified'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-") or "section"
