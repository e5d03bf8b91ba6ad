"""The metrics of an evaluation. Numbers in, numbers out.

registry      what a metric is, and the table of all metrics
attempts      metrics of one answer set; need only the standard library
stated        metrics of stated confidences (Brier, ECE, AUROC); need numpy
calibration, ranking, smooth, diversity, claims     the formulas
"""

from setwise.metrics.attempts import solved
from setwise.metrics.claims import set_confidence
from setwise.metrics.registry import METRICS, Metric, attempt_metrics, find_metric, is_known, metric

__all__ = ["METRICS", "Metric", "attempt_metrics", "find_metric", "is_known", "metric", "set_confidence", "solved"]
