"""Signs that a run is going wrong, read off the logged metrics.

Each alarm is a function of the history (one mapping of metrics per logged step, oldest first) that gives a message
or nothing. It compares the latest window with a fixed bound or with the run's own beginning.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from setwise.records.training_log import Alarm

WINDOW = 10

Metrics = Mapping[str, float]
History = Sequence[Metrics]


def confidence_collapse(history: History) -> str | None:
    """Every confidence is nearly the same number: the model says its base rate whatever it is asked."""
    spread = recent(history, "confidence/std")
    if spread is None or spread >= 0.03:
        return None
    mean = recent(history, "confidence/mean") or 0.0
    message = f"confidences have collapsed to about {mean:.2f} (standard deviation {spread:.3f})"
    if mean < 0.02 and _is_single(history):
        # In a set the Brier score is divided by K and being right is not, so there it still pays.
        message += (
            ": at 0 a right answer earns no more than a wrong one; with reward.weights.calibration=0.5 it would, "
            "and a start that is right more often may help"
        )
    return message


def confidences_pinned_to_one(history: History) -> str | None:
    """The confidences of nearly every set sum to exactly 1: a budget is being shared out, not a belief stated."""
    share = recent(history, "confidence/sum_is_one")
    if share is None or share < 0.9 or _is_single(history):
        return None
    return f"the confidences of {share:.0%} of sets sum to exactly 1"


def groups_without_variance(history: History) -> str | None:
    """All completions of a prompt earn the same, so the prompt teaches nothing."""
    share = recent(history, "frac_reward_zero_std")
    if share is None or share < 0.8:
        return None
    return f"{share:.0%} of groups have no variance in their reward and teach nothing"


def duplicate_answers(history: History) -> str | None:
    """Sets lose their whole reward to a repeated answer."""
    share = recent(history, "rule/duplicates")
    if share is None or share < 0.3:
        return None
    return f"{share:.0%} of sets repeat an answer"


def length_drift(history: History) -> str | None:
    """Completions have become much longer or shorter than they were at the start."""
    start, now = beginning(history, "tokens"), recent(history, "tokens")
    if not start or now is None or 0.5 <= now / start <= 1.5:
        return None
    return f"completions went from {start:.0f} to {now:.0f} tokens"


def parse_rate_falling(history: History) -> str | None:
    """Fewer completions keep the format than at the run's best."""
    rates = [metrics["strictly_valid"] for metrics in history if "strictly_valid" in metrics]
    if len(rates) < 2 * WINDOW:
        return None
    best = max(fmean(rates[start : start + WINDOW]) for start in range(0, len(rates) - WINDOW, WINDOW))
    now = fmean(rates[-WINDOW:])
    if now >= best - 0.2:
        return None
    return f"strictly valid completions fell from {best:.0%} to {now:.0%}"


ALARMS: dict[str, Callable[[History], str | None]] = {
    "confidence_collapse": confidence_collapse,
    "confidences_pinned_to_one": confidences_pinned_to_one,
    "groups_without_variance": groups_without_variance,
    "duplicate_answers": duplicate_answers,
    "length_drift": length_drift,
    "parse_rate_falling": parse_rate_falling,
}


@dataclass
class AlarmBoard:
    """Rings each alarm when it begins, not at every step it lasts."""

    history: list[Any] = field(default_factory=list)
    ringing: set[str] = field(default_factory=set)

    def watch(self, step: int, metrics: Metrics) -> list[Alarm]:
        """The alarms that begin with this step."""
        self.history.append(metrics)
        messages = {name: message for name, alarm in ALARMS.items() if (message := alarm(self.history))}
        begun = [Alarm(name, step, message) for name, message in messages.items() if name not in self.ringing]
        self.ringing = set(messages)
        return begun


def recent(history: History, name: str) -> float | None:
    """Mean over the latest full window; None until there is one."""
    return _mean([metrics[name] for metrics in history[-WINDOW:] if name in metrics])


def _is_single(history: History) -> bool:
    """Whether there is but one answer to a completion."""
    return (recent(history, "uniqueness") or 0.0) <= 1


def beginning(history: History, name: str) -> float | None:
    """Mean over the first full window."""
    return _mean([metrics[name] for metrics in history[:WINDOW] if name in metrics])


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if len(values) >= WINDOW else None
