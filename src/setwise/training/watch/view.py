"""Shows a run to a person: a live table on a terminal, otherwise a plain line now and then."""

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

from setwise.records.training_log import Alarm
from setwise.training.watch.listeners import View

SECONDS_BETWEEN_LINES = 10.0
TERM = "reward/"
SHOWN = {
    "coverage": "coverage",
    "pass_at_1": "pass@1",
    "uniqueness": "distinct",
    "confidence/mean": "confidence",
    "strictly_valid": "valid",
    "tokens": "tokens",
    "frac_reward_zero_std": "flat groups",
}
"""What is shown below the reward and its terms, if the log has it."""


class Pace:
    """Time left and tokens per second, from the steps this process has seen."""

    def __init__(self) -> None:
        self._seen: list[tuple[float, int, float]] = []

    def saw(self, step: int, tokens: float) -> None:
        self._seen = [*self._seen[-20:], (time.monotonic(), step, tokens)]

    def seconds_left(self, steps: int) -> float | None:
        seconds, done, _ = self._gone()
        return (steps - self._seen[-1][1]) * seconds / done if done else None

    def tokens_per_second(self) -> float | None:
        seconds, done, tokens = self._gone()
        return tokens / seconds if done and seconds else None

    def _gone(self) -> tuple[float, int, float]:
        first, last = self._seen[0], self._seen[-1]
        return last[0] - first[0], last[1] - first[1], last[2] - first[2]


@contextmanager
def open_view(stream: TextIO | None = None, *, quiet: bool = False) -> Iterator[View]:
    """The view that suits the output."""
    out = sys.stderr if stream is None else stream
    if quiet or not out.isatty():
        yield PlainView(out, SECONDS_BETWEEN_LINES if not quiet else float("inf"))
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(file=out), refresh_per_second=4) as live:
        yield LiveView(live)


class PlainView:
    """One line every few seconds; alarms at once."""

    def __init__(self, stream: TextIO, seconds_between_lines: float) -> None:
        self.stream, self.seconds, self._said_at, self._pace = stream, seconds_between_lines, -float("inf"), Pace()

    def note(self, text: str) -> None:
        if self.seconds < float("inf"):
            self._say(text)

    def step(self, step: int, steps: int, metrics: Mapping[str, float]) -> None:
        self._pace.saw(step, metrics.get("num_tokens", 0.0))
        last = step == steps and self.seconds < float("inf")
        if not last and time.monotonic() - self._said_at < self.seconds:
            return
        self._said_at = time.monotonic()
        shown = [f"{label.strip()} {value:.3g}" for label, value in rows(metrics)]
        self._say("  ".join([f"step {step}/{steps}", *shown, *pace_words(self._pace, steps)]))

    def alarm(self, alarm: Alarm) -> None:
        self._say(f"step {alarm.step}  ALARM {alarm.name}: {alarm.message}")

    def _say(self, line: str) -> None:
        self.stream.write(line + "\n")
        self.stream.flush()


class LiveView:
    """A table that is redrawn in place, with the alarms below it."""

    def __init__(self, live: Any) -> None:
        self.live, self._alarms, self._pace = live, [], Pace()

    def note(self, text: str) -> None:
        self.live.console.print(text, markup=False, highlight=False)

    def step(self, step: int, steps: int, metrics: Mapping[str, float]) -> None:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        self._pace.saw(step, metrics.get("num_tokens", 0.0))
        table = Table.grid(padding=(0, 2))
        table.add_row("step", f"{step}/{steps}", *pace_words(self._pace, steps))
        for label, value in rows(metrics):
            table.add_row(label, f"{value:.3f}")
        alarms = [f"[bold red]{alarm.name}[/] at step {alarm.step}: {alarm.message}" for alarm in self._alarms[-6:]]
        self.live.update(Group(ProgressBar(total=steps, completed=step), table, *alarms))

    def alarm(self, alarm: Alarm) -> None:
        self._alarms.append(alarm)


def rows(metrics: Mapping[str, float]) -> list[tuple[str, float]]:
    """The reward, its terms as logged, and a few metrics, each with its label."""
    labels = {"reward": "reward"}
    labels |= {name: f"  {name.removeprefix(TERM)}" for name in metrics if name.startswith(TERM)}
    labels |= SHOWN
    return [(label, metrics[name]) for name, label in labels.items() if name in metrics]


def pace_words(pace: Pace, steps: int) -> list[str]:
    left, speed = pace.seconds_left(steps), pace.tokens_per_second()
    words = [] if left is None else [f"{_duration(left)} left"]
    return words if speed is None else [*words, f"{speed:,.0f} tokens/s"]


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02d}m" if hours else f"{minutes}m{seconds:02d}s"
