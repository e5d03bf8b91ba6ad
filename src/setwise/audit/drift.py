"""What changed between the first and the last completions of a training run."""

import numpy as np

from setwise.audit.registry import Found, finding
from setwise.audit.table import Mask
from setwise.audit.view import AuditView
from setwise.records.audit import Severity

PART = 0.1
"""Share of the steps taken as the beginning and as the end."""
FEWEST_STEPS = 5
TIMES = 1.5
FELL = 0.2


def no_steps(view: AuditView) -> str:
    return "" if len(np.unique(view["step"])) >= FEWEST_STEPS else "completions of several steps"


@finding("length_drift", label="Length drifts", severity=Severity.WARNING, needs=no_steps)
def length_drift(view: AuditView) -> Found | None:
    """Completions in the last tenth of the steps are 1.5 times as long as in the first, or shorter by the same
    factor."""
    first, last = _ends(view)
    column = "tokens" if (view["tokens"] >= 0).all() else "thought_words"
    start, now = (float(view[column][rows].mean()) for rows in (first, last))
    if not start or 1 / TIMES <= now / start <= TIMES:
        return None
    what = "tokens" if column == "tokens" else "words of thought"
    message = f"completions went from {start:.0f} to {now:.0f} {what}"
    return Found(message=message, rows=last, facts={"first": start, "last": now})


@finding("format_drift", label="Format drifts", severity=Severity.WARNING, needs=no_steps)
def format_drift(view: AuditView) -> Found | None:
    """In the last tenth of the steps, a fifth fewer completions follow the format than in the best tenth."""
    steps = np.unique(view["step"])
    parts = np.array_split(steps, min(len(steps), round(1 / PART)))
    rates = [float((view["valid"][np.isin(view["step"], part)] > 0).mean()) for part in parts]
    if rates[-1] > max(rates) - FELL:
        return None
    broken = np.isin(view["step"], parts[-1]) & (view["valid"] == 0)
    message = f"valid completions fell from {max(rates):.0%} to {rates[-1]:.0%}"
    return Found(message=message, rows=broken, facts={"best": max(rates), "last": rates[-1]})


def _ends(view: AuditView) -> tuple[Mask, Mask]:
    steps = np.unique(view["step"])
    size = max(1, round(PART * len(steps)))
    return np.isin(view["step"], steps[:size]), np.isin(view["step"], steps[-size:])
