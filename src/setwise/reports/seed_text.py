"""A comparison over seeds as markdown, LaTeX or JSON."""

import json

from setwise.records.comparison import ALPHA
from setwise.records.seed_comparison import SeedComparison, SeedDifference
from setwise.reports.comparison_text import Rows, digits_shown, latex_table, markdown_table, shown_p
from setwise.reports.latex import comment

HOW = (
    "Intervals are over seeds and problems: Student's t, with the variance between the runs of a group and that over "
    "resampled problems. Holm's correction covers the {count} comparisons above; a difference survives at {alpha:g}."
)


def render_over_seeds(comparison: SeedComparison, form: str) -> str:
    """The whole comparison as text, in one of `comparison_text.FORMATS`."""
    if form == "json":
        return json.dumps(comparison.to_record(), indent=1, allow_nan=False) + "\n"
    table, prose = (markdown_table, str) if form == "markdown" else (latex_table, comment)
    heading = f"{comparison.task}, {comparison.problems} problems, seeds: " + ", ".join(
        f"{len(group.runs)} of {group.name}" for group in comparison.groups
    )
    parts = [
        f"### {heading}" if form == "markdown" else comment(heading),
        table(_rows(comparison)),
        prose(HOW.format(count=len(comparison.differences), alpha=ALPHA)),
    ]
    return "\n\n".join(parts) + "\n"


def _rows(comparison: SeedComparison) -> Rows:
    head = ["metric", "from", "to", "by seed", "difference", "p", "p (Holm)", "survives"]
    return [head, *(_row(each) for each in comparison.differences)]


def _row(each: SeedDifference) -> list[str]:
    digits = digits_shown(each.value.value)
    seeds = " -> ".join(
        " ".join(f"{value:.{digits}f}" for value in values) for values in (each.first_values, each.second_values)
    )
    signed = each.value.text(digits, sign=True)
    survives = "yes" if each.survives else "no"
    return [each.metric, each.first, each.second, seeds, signed, shown_p(each.p), shown_p(each.p_holm), survives]
