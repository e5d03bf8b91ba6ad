"""A comparison as markdown, LaTeX or JSON."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from setwise.evaluation.comparison import ALPHA, BESIDE, SET_LEVEL, SHOWN, Compared, Comparison, Flips
from setwise.evaluation.latex import comment, escape
from setwise.evaluation.measuring import Estimate

FORMATS = ("markdown", "latex", "json")
BLANK = "–"  # noqa: RUF001
LISTED_FLIPS = 20

Rows = list[list[str]]


def render(comparison: Comparison, form: str) -> str:
    """The whole comparison as text in one of `FORMATS`."""
    return {"markdown": _markdown, "latex": _latex, "json": _json}[form](comparison)


def metrics_shown(comparison: Comparison) -> list[str]:
    """The columns: every shown metric that some run has, each ECE followed by its floor."""
    budgets = dict.fromkeys(name for run in comparison.runs for name in run.estimates if "@" in name)
    columns = []
    for name in (*SHOWN, *budgets):
        if any(name in run.estimates for run in comparison.runs):
            columns += [name, BESIDE[name]] if name in BESIDE else [name]
    return columns


def value_rows(comparison: Comparison) -> Rows:
    columns = metrics_shown(comparison)
    rows = [["run", "method", "K", "sets", "confidences", *columns]]
    for run in comparison.runs:
        told = [run.name, run.method, str(run.k), str(run.construction), run.confidence]
        rows.append([*told, *(_cell(run, name) for name in columns)])
    return rows


def difference_rows(comparison: Comparison) -> Rows:
    rows = [["metric", "from", "to", "difference", "p", "p (Holm)", "survives"]]
    for each in comparison.differences:
        signed = _interval(each.value, signed=True)
        survives = "yes" if each.survives else "no"
        rows.append([each.metric, each.first, each.second, signed, _p(each.p), _p(each.p_holm), survives])
    return rows


def flip_rows(comparison: Comparison) -> Rows:
    rows = [["from", "to", "gained", "lost", "gained problems", "lost problems"]]
    return rows + [
        [each.first, each.second, str(len(each.gained)), str(len(each.lost)), *_listed(each)]
        for each in comparison.flips
    ]


def _listed(flips: Flips) -> list[str]:
    cells = []
    for problems in (flips.gained, flips.lost):
        more = f", and {len(problems) - LISTED_FLIPS} more" if len(problems) > LISTED_FLIPS else ""
        cells.append(", ".join(problems[:LISTED_FLIPS]) + more)
    return cells


def _markdown(comparison: Comparison) -> str:
    return _document(comparison, "### {}".format, lambda text: text, _markdown_table)


def _latex(comparison: Comparison) -> str:
    return _document(comparison, comment, comment, _latex_table)


def _document(
    comparison: Comparison,
    heading: Callable[[str], str],
    prose: Callable[[str], str],
    table: Callable[[Rows], str],
) -> str:
    parts = [
        heading(f"{comparison.task}, {comparison.problems} problems"),
        table(value_rows(comparison)),
        *map(prose, _notes(comparison)),
        heading("Paired differences"),
        table(difference_rows(comparison)),
        prose(
            f"Bootstrap by problem, Holm's correction over the {len(comparison.differences)} comparisons above; "
            f"a difference survives at {ALPHA:g}."
        ),
        heading("Problems that flipped (any answer right)"),
        table(flip_rows(comparison)),
    ]
    return "\n\n".join(parts) + "\n"


def _notes(comparison: Comparison) -> list[str]:
    notes = [
        f"{name}: {count} problems left out, since not every run has them."
        for name, count in comparison.left_out.items()
        if count
    ]
    if any(name.startswith(SET_LEVEL) for name in metrics_shown(comparison)):
        notes.append(
            "Pooled and set-level calibration are blank for sampled sets and compared only between sets made alike: "
            "they depend on how a set came about."
        )
    return notes


def _markdown_table(rows: Rows) -> str:
    escaped = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in escaped]
    lines.insert(1, "| " + " | ".join("---" for _ in rows[0]) + " |")
    return "\n".join(lines)


def _latex_table(rows: Rows) -> str:
    lines = [" & ".join(escape(cell) for cell in row) + r" \\" for row in rows]
    head = [rf"\begin{{tabular}}{{{'l' * len(rows[0])}}}", r"\toprule", lines[0], r"\midrule"]
    return "\n".join([*head, *lines[1:], r"\bottomrule", r"\end{tabular}"])


def _json(comparison: Comparison) -> str:
    record: dict[str, Any] = asdict(comparison)
    for each, difference in zip(record["differences"], comparison.differences, strict=True):
        each["survives"] = difference.survives
    return json.dumps(record, indent=1, allow_nan=False) + "\n"


def _cell(run: Compared, name: str) -> str:
    estimate = run.estimates.get(name)
    return BLANK if estimate is None else _interval(estimate)


def _interval(estimate: Estimate, *, signed: bool = False) -> str:
    digits = 1 if abs(estimate.value) >= 100 else 3
    text = f"{estimate.value:{'+' if signed else ''}.{digits}f}"
    if estimate.low is None or estimate.high is None:
        return text
    return f"{text} [{estimate.low:.{digits}f}, {estimate.high:.{digits}f}]"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
