"""Signs that a run is going wrong, from the logged metrics.

Each alarm is a function of the history (one mapping of metrics per logged step, oldest first) that returns a message or
nothing. It compares the latest window with a fixed bound or with the beginning of the run.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean

from setwise.answers import PARSE, Reason
from setwise.records.training_log import Alarm, Step
from setwise.training.watch.sign_alarms import MESSAGES, grown

WINDOW = 10
PROGRESS = "progress"
"""The share of the run that is done, among a step's metrics."""
INFORMED_AFTER = 0.75
"""The share of the run after which confidences should be informative. In good runs of 160 and 240 steps
(docs/results/ddxplus-credit-settings.md) they become so after 40 to 65 % of them."""
PASSING = 3 * WINDOW
"""Steps for which a set's confidences may all be alike. In eleven of thirteen published trainings where they fell
together while few answers were right, they parted again within 25 steps; those of single answers seldom did."""
FIRST_STEPS = 5
_SEE = "(run.log_completions=true)"

Metrics = Mapping[str, float]
History = Sequence[Metrics]


def confidence_collapse(history: History) -> str | None:
    """Every confidence is nearly the same number: the model states its base rate whatever it is asked."""
    single = _is_single(history)
    ends = range(len(history), len(history) - (WINDOW if single else PASSING), -WINDOW)
    spreads = [recent(history[: max(0, end)], "confidence/std") for end in ends]
    if any(spread is None or spread >= 0.03 for spread in spreads):
        return None
    mean = recent(history, "confidence/mean") or 0.0
    message = f"confidences have collapsed to about {mean:.2f} (standard deviation {spreads[0]:.3f})"
    if mean < 0.02 and single:
        # In a set, the Brier score is divided by K and correctness is not, so correctness still pays.
        message += (
            ": at 0 a right answer earns no more than a wrong one; with optimisation.credit=answer it does, and a "
            "start that is right more often may help"
        )
    return message


def confidences_without_information(history: History) -> str | None:
    """After a long time in training, right answers still get no higher confidences than wrong ones in the same
    place."""
    right, wrong = recent(history, "confidence/when_right"), recent(history, "confidence/when_wrong")
    auroc = recent(history, "confidence/auroc_within_places")
    early = history[-1].get(PROGRESS, 0.0) < INFORMED_AFTER
    if early or right is None or wrong is None or auroc is None or auroc >= 0.55:
        return None
    return (
        f"confidences do not tell right answers from wrong ones: {right:.2f} and {wrong:.2f} on average (AUROC within "
        f"places {auroc:.2f}); unless they are set, try optimisation.credit=answer, which pays each confidence for "
        "itself, and optimisation.calibration_warmup=0.33; if they are, try more steps"
    )


def confidences_pinned_to_one(history: History) -> str | None:
    """The confidences of nearly every set sum to 1: they divide a budget instead of stating beliefs."""
    share = recent(history, "confidence/sum_is_one")
    if share is None or share < 0.9 or _is_single(history):
        return None
    return f"the confidences of {share:.0%} of sets sum to 1"


def groups_without_variance(history: History) -> str | None:
    """All completions of a prompt earn the same, so the prompt teaches nothing."""
    share = recent(history, "frac_reward_zero_std")
    if share is None or share < 0.8:
        return None
    return f"{share:.0%} of groups have no variance in their reward and teach nothing"


def duplicate_answers(history: History) -> str | None:
    """Sets lose their whole reward because an answer is repeated."""
    share = recent(history, "rule/duplicates")
    if share is None or share < 0.3:
        return None
    return f"{share:.0%} of sets repeat an answer"


def length_drift(history: History) -> str | None:
    """Completions have become much longer or shorter than at the start."""
    start, now = beginning(history, "tokens"), recent(history, "tokens")
    if not start or now is None or 0.5 <= now / start <= 1.5:
        return None
    return f"completions went from {start:.0f} to {now:.0f} tokens"


def parse_rate_falling(history: History) -> str | None:
    """Fewer completions follow the format than at the run's best."""
    rates = [metrics["strictly_valid"] for metrics in history if "strictly_valid" in metrics]
    if len(rates) < 2 * WINDOW:
        return None
    best = max(fmean(rates[start : start + WINDOW]) for start in range(0, len(rates) - WINDOW, WINDOW))
    now = fmean(rates[-WINDOW:])
    if now >= best - 0.2:
        return None
    return f"strictly valid completions fell from {best:.0%} to {now:.0%}"


def nothing_earned(history: History) -> str | None:
    """No completion has earned anything for a right answer since the first step, so there is nothing to reinforce."""
    earned = [metrics.get("reward/correctness", metrics.get("pass_at_k")) for metrics in history]
    known = [value for value in earned if value is not None]
    if len(known) < FIRST_STEPS or any(known):
        return None
    valid, repeated = _mean_of(history, "strictly_valid"), _mean_of(history, "rule/duplicates")
    told = f"no answer has earned anything in {len(known)} steps, and {valid:.0%} of completions keep the format"
    if repeated >= 0.5:
        return f"{told}: {repeated:.0%} repeat an answer, which earns nothing"
    if valid >= 0.1:
        return f"{told}: see what it answers {_SEE}, and whether the matcher takes the golds (setwise data check)"
    rates = {name: _mean_of(history, name) for name in history[-1] if name.startswith(PARSE)}
    reason = max(rates, key=lambda name: rates[name], default="")
    if reason:
        told += f" ({rates[reason]:.0%} fail for {reason.removeprefix(PARSE)})"
    if reason == f"{PARSE}{Reason.TRUNCATED}":
        return f"{told}: raise generation.max_completion_tokens, or see why the model does not stop {_SEE}"
    return f"{told}: the model does not know this prompt or format; see what it writes {_SEE}, teach it with warm_start"


ALARMS: dict[str, Callable[[History], str | None]] = {
    "confidence_collapse": confidence_collapse,
    "confidences_without_information": confidences_without_information,
    "confidences_pinned_to_one": confidences_pinned_to_one,
    "groups_without_variance": groups_without_variance,
    "duplicate_answers": duplicate_answers,
    "length_drift": length_drift,
    "parse_rate_falling": parse_rate_falling,
    "nothing_earned": nothing_earned,
    **{name.removeprefix("sign/"): partial(grown, name=name) for name in MESSAGES},
}


@dataclass
class AlarmBoard:
    """Raises each alarm when it begins, not at every step it lasts. It is over after a whole window without it, so a
    value that wavers around its bound rings once."""

    history: list[Metrics] = field(default_factory=list)
    last_rung: dict[str, int] = field(default_factory=dict)
    """By alarm: how long the history was."""

    @classmethod
    def after(cls, logged: Sequence[Step], steps: int) -> "AlarmBoard":
        """The board of a run that resumes after these of its steps. What still lasts has rung already."""
        history: list[Metrics] = [{**metrics, PROGRESS: metrics["step"] / steps} for metrics in logged]
        board = cls(history[:-WINDOW])
        for metrics in history[-WINDOW:]:
            board.watch(int(metrics["step"]), metrics)
        return board

    def watch(self, step: int, metrics: Metrics) -> list[Alarm]:
        """The alarms that begin at this step."""
        self.history.append(metrics)
        messages = {name: message for name, alarm in ALARMS.items() if (message := alarm(self.history))}
        now = len(self.history)
        going_on = {name for name, last in self.last_rung.items() if now - last <= WINDOW}
        self.last_rung |= dict.fromkeys(messages, now)
        return [Alarm(name, step, message) for name, message in messages.items() if name not in going_on]


def recent(history: History, name: str) -> float | None:
    """Mean over the latest full window; None until there is one."""
    values = [metrics[name] for metrics in history[-WINDOW:] if name in metrics]
    return fmean(values) if len(values) >= WINDOW else None


def _is_single(history: History) -> bool:
    """Whether each completion has only one answer. Malformed sets count as none, so one step with more decides."""
    return max((metrics.get("uniqueness", 0.0) for metrics in history), default=0.0) <= 1


def beginning(history: History, name: str) -> float | None:
    """Mean over the first full window."""
    return recent(history[:WINDOW], name)


def _mean_of(history: History, name: str) -> float:
    """Mean over all steps that have it, however few; 0 if none has."""
    values = [metrics[name] for metrics in history if name in metrics]
    return fmean(values) if values else 0.0
