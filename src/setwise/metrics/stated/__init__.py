"""Metrics of stated confidences: each a formula over (confidence, correct) pairs, and the sums its interval needs.

They come in three families: `top1`, the one answer a user would take; `pooled`, all answers of all sets; `set`, the set
as a whole. An entry of the table, such as `set/ece`, is one formula in one family.
"""

from setwise.metrics.stated.formulas import FAMILIES, STATED, StatedMetric, add_stated
from setwise.metrics.stated.pairs import Stated
from setwise.metrics.stated.table import FORMULAS

__all__ = ["FAMILIES", "FORMULAS", "STATED", "Stated", "StatedMetric", "add_stated"]
