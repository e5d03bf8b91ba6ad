"""A report worked out: its tables and figures as values, ready to be written in any format."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from setwise.reports.figures import Figure, section_figures, styles_of, training_figures
from setwise.reports.figures.figure import Data
from setwise.reports.inputs import DatasetSection, OverlapExhibit, Report, Run
from setwise.reports.methods import order, source
from setwise.reports.paper import citation, note
from setwise.reports.rows import Table
from setwise.reports.tables import section_tables

TAKEN = (
    "training", "problems", "problem", "glossary", "content", "list", "found", "find", "theme", "tip", "index", "about",
    "filters", "against", "earlier", "later", "moved",
)  # fmt: skip
"""What the page calls its own parts."""
LEFT_OUT = {
    "incomplete_problems": "problems without all of their completions",
    "unjudged_attempts": "sets that could not be judged",
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
    """Pairs of chains, each under the label of its run."""


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    sections: Sequence[DocumentSection]
    runs: Data
    has_paper: bool
    """Whether some cell has a number in the paper."""
    citation: str = ""
    paper_note: str = ""

    @property
    def has_tables(self) -> bool:
        return any(section.tables for section in self.sections)

    @property
    def figures(self) -> list[Figure]:
        return [figure for section in self.sections for figure in section.figures]


def build_document(report: Report) -> Document:
    several = len({section.task for section in report.sections}) < len(report.sections)
    titles = [f"{each.task} ({each.regime})" if several else each.task for each in report.sections]
    keys = unique_slugs(titles, TAKEN)
    sections = [_section(*each) for each in zip(report.sections, titles, keys, strict=True)]
    if report.training:
        notes = [f"{run.name}, step {alarm.step}: {alarm.message}" for run in report.training for alarm in run.alarms]
        sections.append(DocumentSection("training", "Training", notes, figures=training_figures(report.training)))
    has_paper = any(
        cell.paper is not None for each in sections for table in each.tables for row in table.rows for cell in row.cells
    )
    return Document(
        report.title,
        sections,
        _runs(report.runs),
        has_paper,
        citation() if has_paper else "",
        note() if has_paper else "",
    )


def _section(section: DatasetSection, title: str, key: str) -> DocumentSection:
    styles = styles_of(section.runs)
    return DocumentSection(
        key,
        title,
        section.notes,
        [replace(table, key=f"{key}-{table.key}") for table in section_tables(section)],
        [replace(figure, key=f"{key}-{figure.key}") for figure in section_figures(section)],
        [(styles[exhibit.run].label, exhibit) for exhibit in section.overlap],
    )


def _runs(runs: Sequence[Run]) -> Data:
    header = (
        "run",
        "task",
        "method",
        "model",
        "K",
        "problems",
        "completions",
        "confidences",
        "could not be read",
        "left out",
    )
    rows = []
    for run in sorted(runs, key=lambda run: (run.task, *order(run))):
        lost = {name.partition("/")[2]: n for name, n in run.counts.items() if name.startswith("parse/")}
        reasons = ", ".join(
            f"{n:,} {reason}" for reason, n in sorted(lost.items(), key=lambda each: (-each[1], each[0]))
        )
        out = ", ".join(f"{run.counts[name]:,} {words}" for name, words in LEFT_OUT.items() if run.counts.get(name))
        counted = (f"{run.counts.get(name, 0):,}" for name in ("problems", "completions"))
        rows.append(
            (run.name, run.task, run.method, run.model, str(run.k), *counted, source(run) or "none", reasons, out)
        )
    return Data(header, rows)


def unique_slugs(texts: Sequence[str], taken: Sequence[str] = ()) -> list[str]:
    """A slug for each text, no two alike and none of those taken.

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
