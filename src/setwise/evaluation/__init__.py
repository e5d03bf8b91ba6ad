"""Records in, honest numbers out.

attempts  -> tally -> estimates -> measuring     the numbers, for any harness
methods, samples, generate, labelling, run       asking a model and labelling what it said
comparison, tables, analyses                     several runs side by side
"""

from setwise.evaluation.attempts import Attempt, Construction, attempt_from_record
from setwise.evaluation.measuring import Estimate, Metrics, evaluate

__all__ = ["Attempt", "Construction", "Estimate", "Metrics", "attempt_from_record", "evaluate"]
