"""A comparison as markdown, LaTeX or JSON."""

import json
from collections.abc import Callable

from setwise.metrics import METRICS, find_metric
from setwise.records.comparison import ALPHA, Compared, Comparison, Flips
from setwise.records.measured import NO_SPREAD, Estimate
from setwise.reports.doubts import cannot_show, judged, judging_doubts
from setwise.reports.latex import comment, escape
from setwise.reports.rows import BLANK
from setwise.statistics import EXACT_UP_TO

FORMATS = ("markdown", "latex", "json")
LISTED_FLIPS = 20

Rows = list[list[str]]


def render(comparison: Comparison, form: str) -> str:
    """The whole comparison as text, in one of `FORMATS`."""
    return {"markdown": _markdown, "latex": _latex, "json": _json}[form](comparison)


def metrics_shown(comparison: Comparison) -> list[str]:
    """The columns: every metric that runs are compared by and some run has, each followed by what belongs next to
    it."""
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
        signed = _interval(each.value, sign=True)
        survives = "yes" if each.survives else "no"
        rows.append([each.metric, each.first, each.second, signed, shown_p(each.p), shown_p(each.p_holm), survives])
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
    return _document(comparison, "### {}".format, lambda text: text, markdown_table)


def _latex(comparison: Comparison) -> str:
    return _document(comparison, comment, comment, latex_table)


def _document(
    comparison: Comparison,
    heading: Callable[[str], str],
    prose: Callable[[str], str],
    table: Callable[[Rows], str],
) -> str:
    parts = [
        heading(f"{comparison.task}, {comparison.problems} problems{judged(comparison.runs)}"),
        table(value_rows(comparison)),
        *map(prose, _notes(comparison)),
        heading("Paired differences"),
        table(difference_rows(comparison)),
        *map(prose, _how_tested(comparison)),
        heading("Problems that flipped (any answer right)"),
        table(flip_rows(comparison)),
    ]
    return "\n\n".join(parts) + "\n"


def _how_tested(comparison: Comparison) -> list[str]:
    differences = comparison.differences
    exact = sum(each.exact for each in differences)
    way = "Bootstrap by problem"
    if exact:
        all_exchanges = "of all exchanges of problems between the runs"
        few = f"where at most {EXACT_UP_TO} problems have a say"
        way = f"{way} (exact test {all_exchanges} {few})" if exact < len(differences) else f"Exact test {all_exchanges}"
    told = (
        f"{way}, Holm's correction over the {len(differences)} comparisons above; a difference survives at {ALPHA:g}."
    )
    rough = "Intervals of so few problems are rough; where they and p disagree, trust p." if exact else ""
    return [each for each in (told, cannot_show(differences, len(differences)), rough) if each]


def _notes(comparison: Comparison) -> list[str]:
    notes = [
        f"{name}: {count} problems left out, since not every run has them."
        for name, count in comparison.left_out.items()
        if count
    ]
    notes += judging_doubts(comparison.runs)
    if comparison.problems == 1:
        notes.append("One problem gives no intervals.")
    shown = metrics_shown(comparison)
    shown_numbers = [run.estimates[name] for run in comparison.runs for name in shown if name in run.estimates]
    if not all(each.has_spread for each in (*shown_numbers, *(each.value for each in comparison.differences))):
        notes.append(f"No spread: {NO_SPREAD}.")
    if any(find_metric(name).set_level for name in shown):
        notes.append(
            "Pooled and set-level calibration are blank for sampled sets and compared only between sets made alike: "
            "they depend on how a set came about."
        )
    return notes


def markdown_table(rows: Rows) -> str:
    """The first row is the header."""
    escaped = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in escaped]
    lines.insert(1, "| " + " | ".join("---" for _ in rows[0]) + " |")
    return "\n".join(lines)


def latex_table(rows: Rows) -> str:
    """A tabular with booktabs rules; the first row is the header."""
    lines = [" & ".join(escape(cell) for cell in row) + r" \\" for row in rows]
    head = [rf"\begin{{tabular}}{{{'l' * len(rows[0])}}}", r"\toprule", lines[0], r"\midrule"]
    return "\n".join([*head, *lines[1:], r"\bottomrule", r"\end{tabular}"])


def _json(comparison: Comparison) -> str:
    return json.dumps(comparison.to_record(), indent=1, allow_nan=False) + "\n"


def _cell(run: Compared, name: str) -> str:
    estimate = run.estimates.get(name)
    return BLANK if estimate is None else _interval(estimate)


def _interval(estimate: Estimate, *, sign: bool = False) -> str:
    return estimate.text(digits_shown(estimate.value), sign=sign)


def digits_shown(value: float) -> int:
    """Decimals: one for counts such as tokens, three for shares."""
    return 1 if abs(value) >= 100 else 3


def shown_p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
