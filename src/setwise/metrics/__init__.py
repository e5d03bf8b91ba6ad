"""The numbers of an evaluation. Numbers in, numbers out.

registry      what a metric is, and the table of all of them
attempts      metrics of one set of answers; they need the standard library only
stated        metrics of stated confidences (Brier, ECE, AUROC); they need numpy
calibration, ranking, smooth, diversity, claims     the formulas
"""

from setwise.metrics.attempts import solved
from setwise.metrics.claims import set_confidence
from setwise.metrics.registry import METRICS, Metric, attempt_metrics, find_metric, metric

__all__ = ["METRICS", "Metric", "attempt_metrics", "find_metric", "metric", "set_confidence", "solved"]
