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
    """AUROC of confidences within places, of the attempts, since older records lack it; None without sets that state
    them. Cached, since several tables show the same run."""
    found = evaluate(RunFolder(run).attempts(), resamples=0).get("pooled/auroc_within_places")
    return found and found.value
