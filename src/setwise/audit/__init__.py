"""Did the model find a way around the reward? Examines stored completions and reports findings and their effect.

said                 one completion as an audit sees it, with its labels
look, notes, table   completions -> columns of numbers, by the signs of `setwise.signs`
view                 a table as findings see it
chance               how unlikely a count is
registry             the findings by name
sets, fixed          the same set for everybody, and what a fixed set would earn
answers, thinking, programs, judging, drift      the findings of these kinds
confidences, claims, disorder                    those about confidences
recomputed, curves   a metric without what was found; the signs over a training run
run                  all findings over one run
plant                honest completions turned into cheating ones
"""

from setwise.audit.registry import FINDINGS, Finding
from setwise.audit.run import audit

__all__ = ["FINDINGS", "Finding", "audit"]
