"""Every formula over stated confidences, in the order of the table."""

from math import inf

from setwise.metrics.calibration import base_rate_brier, brier, brier_skill, debiased_ece, ece, ece_floor
from setwise.metrics.ranking import auroc, auroc_within_places
from setwise.metrics.registry import METRICS, Metric
from setwise.metrics.smooth import smooth_ece
from setwise.metrics.stated import sums
from setwise.metrics.stated.formulas import FAMILIES, StatedMetric, add_to_family

FORMULAS = (
    StatedMetric(
        name="brier",
        highest=inf,
        label="Brier",
        definition="Mean squared gap between confidence and correctness, over {over}.",
        value=lambda stated: brier(stated.q, stated.c),
        statistic=sums.squared_error,
        better="lower",
        tested_in=("top1", "pooled"),
        beside=("brier_base_rate", "base rate"),
    ),
    StatedMetric(
        name="brier_base_rate",
        label="Brier of the base rate",
        definition="The Brier score of always stating the base rate, without knowing anything about the single case.",
        value=lambda stated: base_rate_brier(stated.c),
        statistic=sums.base_rate,
    ),
    StatedMetric(
        name="brier_skill",
        lowest=-inf,
        label="Brier skill",
        definition="1 - Brier / Brier of the base rate: 0 for a model that only learned the base rate, 1 for a "
        "perfect one.",
        value=lambda stated: brier_skill(stated.q, stated.c),
        statistic=sums.skill,
        better="higher",
        digits=2,
    ),
    StatedMetric(
        name="ece",
        highest=inf,
        label="ECE",
        definition="Expected calibration error in 10 equal bins, over {over}: the mean gap between confidence and "
        "accuracy, weighted by bin size.",
        value=lambda stated: ece(stated.q, stated.c, stated.bins),
        statistic=sums.binned,
        better="lower",
        tested_in=("top1", "pooled", "set"),
        beside=("ece_floor", "floor"),
    ),
    StatedMetric(
        name="ece_floor",
        highest=inf,
        label="ECE floor",
        definition="The ECE that a perfectly calibrated model with the same confidences is expected to show on a "
        "sample of this size. An ECE near it is indistinguishable from perfect calibration.",
        value=lambda stated: ece_floor(stated.q, stated.bins),
        statistic=sums.floor,
    ),
    StatedMetric(
        name="ece_debiased",
        highest=inf,
        label="ECE, debiased",
        definition="ECE minus its estimated finite-sample bias, at least 0 (Kumar, Liang and Ma 2019).",
        value=lambda stated: debiased_ece(stated.q, stated.c, stated.bins),
        # It estimates the same quantity, so its interval is the same.
        statistic=sums.binned,
        better="lower",
    ),
    StatedMetric(
        name="smooth_ece",
        label="smooth ECE",
        definition="Calibration error after kernel smoothing instead of binning (Błasiok and Nakkiran 2024).",
        value=lambda stated: smooth_ece(stated.q, stated.c),
        statistic=sums.smooth,
        better="lower",
    ),
    StatedMetric(
        name="auroc",
        label="AUROC",
        definition="Probability that a right one has a higher confidence than a wrong one, over {over}. 0.5 is "
        "guessing.",
        value=lambda stated: auroc(stated.q, stated.c),
        statistic=sums.ranking,
        better="higher",
        digits=2,
    ),
    StatedMetric(
        name="auroc_within_places",
        label="AUROC within places",
        definition="AUROC among the first answers of sets, among the second ones and so on, averaged with more weight "
        "for places that have many right and many wrong answers. 0.5 if confidences only know which place is right "
        "more often.",
        value=lambda stated: auroc_within_places(stated.q, stated.c, stated.place),
        statistic=sums.ranking_within_places,
        better="higher",
        digits=2,
        families=("pooled",),
    ),
    StatedMetric(
        name="confidence",
        highest=inf,
        label="confidence",
        definition="Mean stated confidence, over {over}.",
        value=lambda stated: float(stated.q.mean()),
        statistic=sums.confidence,
        digits=2,
    ),
    StatedMetric(
        name="accuracy",
        label="accuracy",
        definition="Share that is right, over {over}, where a confidence was stated.",
        value=lambda stated: float(stated.c.mean()),
        statistic=sums.accuracy,
        better="higher",
        digits=2,
    ),
)
for _family in FAMILIES:
    for _formula in FORMULAS:
        if _family in _formula.families:
            add_to_family(_formula, _family)
METRICS.add(
    "set/ece_clipped",
    Metric(
        key="set/ece_clipped",
        label="Set ECE, clipped",
        definition="Set ECE with sums of confidences above 1 counted as 1. It can rank methods differently from set "
        "ECE.",
        better="lower",
        digits=3,
        lowest=0.0,
        set_level=True,
    ),
)
