"""The metrics of one attempt, in the order of the table.

`correct` has one entry per candidate *written*. A set that was cut short or could not be parsed has fewer than K
entries, and the missing ones count as wrong. `credited` counts a repeated right answer once.
"""

from collections.abc import Sequence

from setwise.metrics.claims import whole_claim
from setwise.metrics.registry import METRICS, Metric, metric
from setwise.objectives import sums_above_one
from setwise.records.attempt import Attempt, Construction


@metric("coverage", label="Coverage", better="higher", lowest=0.0, highest=1.0, tested=True)
def coverage(attempt: Attempt) -> float:
    """Right answers over K. A repeated right answer counts once, in written and in sampled sets."""
    return sum(attempt.credited) / attempt.k


@metric(
    "n_correct", label="Correct per set", better="higher", lowest=0.0, tested=True, tested_as="coverage", logged=False
)
def n_correct(attempt: Attempt) -> float:
    """Number of right answers in a set (coverage times K). If only one answer can be right, this is pass@K."""
    return sum(attempt.credited)


@metric("n_correct_with_repeats", label="Correct, repeats counted", better="higher", lowest=0.0, logged=False)
def n_correct_with_repeats(attempt: Attempt) -> float:
    """Number of right answers in a set, counting repeats every time (the paper's formula read literally)."""
    return sum(attempt.correct)


@metric("recall", label="Recall", better="higher", lowest=0.0, highest=1.0, logged=False)
def recall(attempt: Attempt) -> float | None:
    """Right answers over the number of golds."""
    return sum(attempt.credited) / attempt.n_golds if attempt.n_golds else None


@metric("attainable_coverage", label="Attainable coverage", better="higher", lowest=0.0, highest=1.0, logged=False)
def attainable_coverage(attempt: Attempt) -> float | None:
    """Right answers over the most that can be right, min(K, N)."""
    return sum(attempt.credited) / min(attempt.k, attempt.n_golds) if attempt.n_golds else None


@metric("pass_at_k", label="Pass@K", better="higher", lowest=0.0, highest=1.0, tested=True)
def pass_at_k(attempt: Attempt) -> float:
    """Share of sets with at least one right answer."""
    return float(any(attempt.credited))


def _runs_tests(attempt: Attempt) -> bool | None:
    return attempt.tests is not None if attempt.correct else None


@metric("best_at_k", label="Best@K", better="higher", lowest=0.0, highest=1.0, evidence=_runs_tests, logged=False)
def best_at_k(attempt: Attempt) -> float | None:
    """Largest share of the tests that one program of the set passes. Pass@K counts only programs that pass all."""
    return max(attempt.passed, default=0) / attempt.tests if attempt.tests else None


@metric("pass_at_1", label="Pass@1", better="higher", lowest=0.0, highest=1.0, tested=True)
def pass_at_1(attempt: Attempt) -> float:
    """Whether the answer that a user would take is right: the first of a written set, or a random one of K samples
    (their mean)."""
    if attempt.construction is Construction.SAMPLED:
        return sum(attempt.correct) / attempt.k
    return float(bool(attempt.correct) and attempt.correct[0])


def _states_confidences(attempt: Attempt) -> bool:
    return any(q is not None for q in attempt.confidences)


@metric(
    "pass_at_1/most_confident",
    label="Pass@1, most confident",
    better="higher",
    lowest=0.0,
    highest=1.0,
    evidence=_states_confidences,
    logged=False,
)
def most_confident(attempt: Attempt) -> float:
    """Whether the answer with the highest confidence is right."""
    claimed = [(q, -place) for place, q in enumerate(attempt.confidences) if q is not None]
    return float(attempt.correct[-max(claimed)[1]]) if claimed else 0.0


def _has_forms(attempt: Attempt) -> bool | None:
    return bool(attempt.forms) if attempt.correct else None


def _are_programs(attempt: Attempt) -> bool:
    return bool(attempt.canonical_forms)


def _known(attempt: Attempt) -> bool:
    """Whether the record shows which answers differ; None for a set without answers."""
    return bool(attempt.forms) or not attempt.correct


@metric("uniqueness", label="Distinct answers", better="higher", evidence=_has_forms, tested=True)
def uniqueness(attempt: Attempt) -> float | None:
    """Number of distinct answers in a set after normalisation; for code, of distinct syntax trees."""
    return len(attempt.distinct) if _known(attempt) else None


@metric(
    "uniqueness/fraction",
    label="Uniqueness / K",
    better="higher",
    evidence=_has_forms,
    tested_as="uniqueness",
    logged=False,
)
def uniqueness_fraction(attempt: Attempt) -> float | None:
    """Distinct answers over K, after normalisation; for code, distinct syntax trees."""
    return len(attempt.distinct) / attempt.k if _known(attempt) else None


@metric(
    "uniqueness/canonical",
    label="Distinct programs",
    better="higher",
    evidence=_are_programs,
    logged=False,
    reported=False,
)
def uniqueness_canonical(attempt: Attempt) -> float:
    """Number of distinct programs in a set, ignoring names and whatever does not change the result."""
    return len(attempt.distinct_canonical) if attempt.canonical_forms else 0


@metric("distinct_correct", label="Distinct correct", better="higher", evidence=_has_forms, logged=False)
def distinct_correct(attempt: Attempt) -> float | None:
    """Number of distinct right answers in a set."""
    return len(attempt.distinct_correct) if _known(attempt) else None


@metric(
    "distinct_correct/canonical",
    label="Distinct correct programs",
    better="higher",
    evidence=_are_programs,
    logged=False,
    reported=False,
)
def distinct_correct_canonical(attempt: Attempt) -> float:
    """Number of distinct right programs in a set, ignoring names and whatever does not change the result."""
    return len(attempt.distinct_correct_canonical) if attempt.canonical_forms else 0


@metric("tokens", label="Tokens per set", better="lower", digits=0, lowest=0.0, tested=True)
def tokens(attempt: Attempt) -> float | None:
    """Completion tokens per set, including the thinking: of one completion, or of all K samples."""
    return attempt.tokens


@metric("truncated", label="Truncated", better="lower", lowest=0.0, highest=1.0)
def truncated(attempt: Attempt) -> float | None:
    """Share of completions cut off at the token limit."""
    return _share(attempt.truncated, attempt.completions)


@metric("strictly_valid", label="Strictly valid", better="higher", lowest=0.0, highest=1.0)
def strictly_valid(attempt: Attempt) -> float | None:
    """Share of completions that follow the required format exactly. All other metrics read completions leniently."""
    return _share(attempt.strictly_valid, attempt.completions)


def _share(count: int | None, completions: int) -> float | None:
    return None if count is None or not completions else count / completions


@metric("reasoning_overlap", label="Reasoning overlap", better="lower", lowest=0.0, highest=1.0, logged=False)
def reasoning_overlap(attempt: Attempt) -> float | None:
    """Mean share of the 4-grams in a chain of thought that also occur in another one for the same problem."""
    return attempt.reasoning_overlap


@metric("set/count_gap", label="Claimed - right", set_level=True, logged=False)
def count_gap(attempt: Attempt) -> float | None:
    """Sum of the confidences minus the number of right answers, averaged over sets. Above 0 is overconfident."""
    claimed = whole_claim(attempt)
    return None if claimed is None else float(sum(claimed)) - sum(attempt.correct)


@metric("set/count_error", label="|Claimed - right|", better="lower", set_level=True, logged=False)
def count_error(attempt: Attempt) -> float | None:
    """Absolute gap between the sum of the confidences and the number of right answers, averaged over sets."""
    gap = count_gap(attempt)
    return None if gap is None else abs(gap)


@metric("set/sum_above_one", label="Sums above 1", lowest=0.0, highest=1.0, set_level=True, logged=False)
def sum_above_one(attempt: Attempt) -> float | None:
    """Share of sets whose confidences sum to more than 1."""
    claimed = whole_claim(attempt)
    return None if claimed is None else float(sums_above_one(claimed))


for _key, _label, _what in (
    ("distinct@B", "Distinct in B answers", "distinct answers"),
    ("distinct_correct@B", "Distinct correct in B answers", "distinct right answers"),
):
    METRICS.add(
        _key,
        Metric(
            key=_key,
            label=_label,
            definition=f"Expected number of {_what} among B answers, however many completions that takes (exact "
            "rarefaction).",
            better="higher",
            tested=True,
        ),
    )


def solved(attempts: Sequence[Attempt]) -> bool:
    """Whether a run solved a problem: at least half of its attempts have a right answer."""
    return 2 * sum(any(attempt.credited) for attempt in attempts) >= len(attempts)
