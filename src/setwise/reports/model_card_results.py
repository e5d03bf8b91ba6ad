"""The metrics on a model card: a table for each evaluation, and the index that hubs read."""

from collections.abc import Mapping
from typing import Any

from setwise.metrics import find_metric
from setwise.records.measured import RunMetrics
from setwise.reports.markdown import escape

SHOWN = (
    "coverage", "pass_at_k", "pass_at_1", "uniqueness", "tokens", "strictly_valid", "set/ece", "top1/ece", "pooled/ece",
    "top1/brier", "pooled/brier",
)  # fmt: skip


def results(runs: Mapping[str, RunMetrics], splits: Mapping[str, str]) -> list[str]:
    """What each run measured, with intervals, and what the metrics mean."""
    parts = []
    for name, run in runs.items():
        split = f" ({splits[name]})" if name in splits else ""
        problems = run.metrics.counts.get("problems", 0)
        temperature = f", temperature {run.sampling['temperature']:g}" if "temperature" in run.sampling else ""
        asked = escape(f"{run.task}{split}: {problems:,} problems, K = {run.k}{temperature}")
        parts.append(f"**{escape(run.method)}** on {asked}, judged by {escape(run.matcher or 'the task')}.")
        parts += [_table(run), *map(escape, run.metrics.doubts)]
    keys = dict.fromkeys(key for run in runs.values() for key in _shown(run))
    meanings = (f"- **{escape(metric.label)}**: {escape(metric.definition)}" for metric in map(find_metric, keys))
    return [*parts, "\n".join(meanings)] if parts else ["No evaluation was given when this card was written."]


def indexed(run: RunMetrics, split: str) -> dict[str, Any]:
    """One entry of the header's `model-index`."""
    dataset = {"name": run.task, "type": run.task, **({"split": split} if split else {})}
    metrics = [
        {"type": key, "name": find_metric(key).label, "value": round(run.metrics[key].value, 4)} for key in _shown(run)
    ]
    return {"task": {"type": "text-generation"}, "dataset": dataset, "metrics": metrics}


def _table(run: RunMetrics) -> str:
    lines = ["| metric | value | 95 % interval | for comparison |", "| --- | ---: | ---: | --- |"]
    for key in _shown(run):
        metric, number = find_metric(key), run.metrics[key]
        span = "" if number.span is None else " to ".join(map(metric.shown, number.span))
        other, words = metric.beside or ("", "")
        reference = run.metrics.get(other)
        beside = "" if reference is None else f"{words} {metric.shown(reference.value)}"
        lines.append(f"| {escape(metric.label + metric.arrow)} | {metric.shown(number.value)} | {span} | {beside} |")
    return "\n".join(lines)


def _shown(run: RunMetrics) -> list[str]:
    return [key for key in SHOWN if key in run.metrics]
