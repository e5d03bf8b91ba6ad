"""The numbers of an evaluation: small pure functions, each with its formula. Numbers in, numbers out."""

from setwise.evaluation.metrics.calibration import (
    base_rate_brier,
    bin_index,
    brier,
    brier_skill,
    count_gap,
    debiased_ece,
    ece,
    ece_floor,
)
from setwise.evaluation.metrics.correctness import (
    attainable_coverage,
    coverage,
    most_confident,
    n_correct,
    pass_at_1,
    pass_at_k,
    recall,
    uniqueness,
)
from setwise.evaluation.metrics.diversity import ngram_overlaps, rarefaction, rarefaction_curve
from setwise.evaluation.metrics.ranking import auroc
from setwise.evaluation.metrics.sets import exceeds_one, set_confidence
from setwise.evaluation.metrics.smooth import smooth_ece

__all__ = [
    "attainable_coverage",
    "auroc",
    "base_rate_brier",
    "bin_index",
    "brier",
    "brier_skill",
    "count_gap",
    "coverage",
    "debiased_ece",
    "ece",
    "ece_floor",
    "exceeds_one",
    "most_confident",
    "n_correct",
    "ngram_overlaps",
    "pass_at_1",
    "pass_at_k",
    "rarefaction",
    "rarefaction_curve",
    "recall",
    "set_confidence",
    "smooth_ece",
    "uniqueness",
]
