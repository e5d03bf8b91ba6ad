"""Every metric, from the table of metrics."""

from collections.abc import Iterator
from math import inf, isfinite

import setwise.metrics.stated  # noqa: F401  (puts its entries into the table)
from setwise.metrics import METRICS, Metric
from setwise.training.watch.batch import LOGGED


def metrics_page() -> Iterator[str]:
    """Every metric with its range, direction and definition."""
    yield "# Metrics"
    yield ""
    yield "This page is generated from the table of metrics. Means are first over a problem's sets, then over problems."
    yield "Every value has a 95 % interval. [Evaluate](../how-to/evaluate.md) explains the families `top1`, `pooled`"
    yield "and `set`; [Extend](../how-to/extend.md) shows how to add your own metric."
    yield ""
    yield "| metric | name | range | better | definition |"
    yield "| --- | --- | --- | --- | --- |"
    for metric in METRICS.all():
        definition = metric.definition.replace("|", "\\|")
        label = metric.label.replace("|", "\\|")
        yield f"| `{metric.key}` | {label} | {_range(metric)} | {metric.better or '-'} | {definition} |"
    yield ""
    yield "## In the training log"
    yield ""
    yield f"Training logs {_logged()} under the same names, each for one completion. It also logs:"
    yield ""
    yield "| name | definition |"
    yield "| --- | --- |"
    for name, definition in LOGGED.items():
        yield f"| `{name}` | {definition} |"


def _range(metric: Metric) -> str:
    low = "" if metric.lowest == -inf else f"{metric.lowest:g}"
    high = "" if metric.highest == inf else f"{metric.highest:g}"
    if isfinite(metric.lowest) and isfinite(metric.highest):
        return f"{low} to {high}"
    return f"at least {low}" if low else f"at most {high}" if high else "-"


def _logged() -> str:
    names = [f"`{metric.key}`" for metric in METRICS.all() if metric.of and metric.logged]
    return ", ".join(names[:-1]) + f" and {names[-1]}"
