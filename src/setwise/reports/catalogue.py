"""Every number a report can show: its name, which way is better, and its definition."""

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

Better = Literal["higher", "lower", ""]


@dataclass(frozen=True, slots=True)
class Metric:
    key: str
    label: str
    better: Better
    definition: str
    digits: int = 2

    @property
    def arrow(self) -> str:
        return {"higher": "\N{NO-BREAK SPACE}↑", "lower": "\N{NO-BREAK SPACE}↓", "": ""}[self.better]

    def shown(self, value: float) -> str:
        """The value at the precision of its column.

        >>> METRICS["tokens"].shown(1190.6), METRICS["coverage"].shown(0.625)
        ('1,191', '0.62')
        """
        return f"{value:,.{self.digits}f}"


def _read() -> dict[str, Metric]:
    defined = json.loads((files("setwise.reports") / "definitions.json").read_text(encoding="utf-8"))
    return {key: Metric(key, **fields) for key, fields in defined.items()}


METRICS: dict[str, Metric] = _read()

CORRECTNESS = ("coverage", "n_correct", "uniqueness/fraction", "uniqueness", "tokens", "pass_at_1")
CALIBRATION = ("set/ece", "top1/ece", "pooled/ece", "top1/brier", "pooled/brier")
MORE_CORRECTNESS = (
    "pass_at_k",
    "recall",
    "attainable_coverage",
    "n_correct_with_repeats",
    "distinct_correct",
    "strictly_valid",
    "truncated",
    "reasoning_overlap",
)
BESIDE_CALIBRATION = (
    *(
        f"{family}/{name}"
        for family in ("set", "top1", "pooled")
        for name in ("ece_floor", "ece_debiased", "smooth_ece", "brier_base_rate", "brier_skill", "auroc")
    ),
    "pass_at_1/most_confident",
    "strictly_valid",
)
"""The last two depend on how confidences were asked for, so they stand with the runs that state them."""
SUMS = ("set/ece_clipped", "set/sum_above_one", "set/count_gap", "set/count_error")
SET_LEVEL = ("pooled/", "set/")
"""Metrics that mean something else for sets made of repeated samples, and are blank there."""

TESTED_AS = {"n_correct": "coverage", "uniqueness/fraction": "uniqueness"}
"""At one K the two are the same test; it is made once."""

BAYES_NAMES = {
    "coverage": "coverage",
    "n_correct": "n_correct",
    "pass@1": "pass_at_1",
    "brier_top1": "top1/brier",
    "brier_pooled": "pooled/brier",
    "brier_top1_best_constant": "top1/brier_base_rate",
    "brier_pooled_best_constant": "pooled/brier_base_rate",
    "ece_top1": "top1/ece",
    "ece_pooled": "pooled/ece",
    "set_ece": "set/ece",
    "set_confidence": "set/confidence",
}
"""The names of the best possible values in a `bayes.json`, and the metrics they belong to; `pass@K` is added by K."""
