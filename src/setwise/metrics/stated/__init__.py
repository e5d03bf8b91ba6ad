"""Metrics of stated confidences: formulas over (confidence, correct) pairs, with the sums that their intervals need.

There are three families: `top1` is the answer a user would take, `pooled` all answers of all sets, and `set` the set as
a whole. An entry of the table, such as `set/ece`, is one formula in one family.
"""

from setwise.metrics.stated.formulas import FAMILIES, STATED, StatedMetric, add_stated
from setwise.metrics.stated.pairs import Stated
from setwise.metrics.stated.table import FORMULAS

__all__ = ["FAMILIES", "FORMULAS", "STATED", "Stated", "StatedMetric", "add_stated"]
