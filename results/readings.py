"""What tables read of one evaluation."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from setwise.evaluation.measure import evaluate
from setwise.metrics.claims import whole_claim
from setwise.records.attempt import Attempt
from setwise.records.measured import Metrics
from setwise.records.run import RunFolder


@cache
def metrics_of(run: Path) -> Metrics:
    """Cached, since several columns and tables show the same run."""
    return RunFolder(run).read_metrics().metrics


def full_claims(run: Path) -> Iterator[tuple[Sequence[float], Attempt]]:
    """The sets of K answers that state all of their confidences."""
    for attempt in RunFolder(run).attempts():
        claim = whole_claim(attempt)
        if claim is not None and len(claim) == attempt.k:
            yield claim, attempt


@cache
def within_places(run: Path) -> float | None:
    """AUROC of confidences within places; None without sets that state them. Older records lack it, and their attempts
    are measured again. Cached, since several tables show the same run."""
    name, recorded = "pooled/auroc_within_places", metrics_of(run)
    if "pooled/brier" not in recorded:
        return None
    found = recorded.get(name) or evaluate(RunFolder(run).attempts(), resamples=0).get(name)
    return found and found.value
