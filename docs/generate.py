"""The pages of the reference that the code itself writes.

python docs/generate.py            # writes them
python docs/generate.py --check    # exit status 1 where one is not what the code gives
"""

import sys
from collections.abc import Iterator
from math import inf, isfinite
from pathlib import Path

import setwise.metrics.stated  # noqa: F401  (puts its entries into the table)
from setwise.metrics import METRICS, Metric
from setwise.training.watch.batch import LOGGED

HERE = Path(__file__).parent


def metrics_page() -> Iterator[str]:
    """Every metric with its range, direction and definition."""
    yield "# Metrics"
    yield ""
    yield "`python docs/generate.py` writes this page from the table of metrics. Means are first over a problem's sets,"
    yield "then over problems. Every value has a 95 % interval. [Evaluation](evaluation.md) explains the families"
    yield "`top1`, `pooled` and `set`; [Extending](extending.md) shows how to add your own metric."
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


PAGES = {"metrics.md": metrics_page}


def main(arguments: list[str]) -> int:
    stale = []
    for name, page in PAGES.items():
        text = "\n".join(page()) + "\n"
        path = HERE / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in arguments:
                path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"docs/{name}: {'is not what the code gives' if '--check' in arguments else 'written'}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
