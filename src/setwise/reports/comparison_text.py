"""A comparison as markdown, LaTeX or JSON."""

import json
from collections.abc import Callable

from setwise.metrics import METRICS, find_metric
from setwise.records.comparison import ALPHA, Compared, Comparison, Flips
from setwise.records.measured import Estimate
from setwise.reports.latex import comment, escape
from setwise.reports.rows import BLANK

FORMATS = ("markdown", "latex", "json")
LISTED_FLIPS = 20

Rows = list[list[str]]


def render(comparison: Comparison, form: str) -> str:
    """The whole comparison as text in one of `FORMATS`."""
    return {"markdown": _markdown, "latex": _latex, "json": _json}[form](comparison)


def metrics_shown(comparison: Comparison) -> list[str]:
    """The columns: every metric that runs are compared by and some run has, each followed by what belongs beside it."""
    measured = dict.fromkeys(name for run in comparison.runs for name in run.estimates)
    ordered = [name for name in METRICS.names() if name in measured] + [name for name in measured if "@" in name]
    columns = []
    for metric, name in ((find_metric(name), name) for name in ordered):
        if metric.tested:
            columns += [name, metric.beside[0]] if metric.beside else [name]
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
    if any(find_metric(name).set_level for name in metrics_shown(comparison)):
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
    return json.dumps(comparison.to_record(), indent=1, allow_nan=False) + "\n"


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
