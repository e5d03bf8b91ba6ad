"""What the demo trains from one start: every objective as in the paper, and sets again with credit per answer."""

from setwise.objectives import OBJECTIVES

PER_ANSWER = {"rlvr-multi-per-answer": "rlvr-multi", "rlcr-multi-per-answer": "rlcr-multi"}
"""The recipes with credit per answer, and the objective of each. Their models are asked like the paper's."""

TRAININGS = (*OBJECTIVES, *PER_ANSWER)
LONGEST_FIRST = (
    "rlcr-multi-per-answer",
    "rlcr-multi",
    "rlcr-single",
    "rlvr-multi-per-answer",
    "rlvr-multi",
    "rlvr-single",
)
