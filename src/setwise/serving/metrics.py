"""Counts for Prometheus in its text format (version 0.0.4), which needs no package."""

import resource
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from setwise.serving.answers import Answered

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


@dataclass(slots=True)
class Histogram:
    """How often a value fell into each bucket."""

    bounds: tuple[float, ...]
    counts: list[int] = field(init=False)
    total: float = 0.0

    def __post_init__(self) -> None:
        self.counts = [0] * (len(self.bounds) + 1)

    def observe(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def lines(self, name: str) -> list[str]:
        """
        >>> histogram = Histogram((1, 2))
        >>> histogram.observe(2)
        >>> histogram.lines("n")[:2]
        ['n_bucket{le="1"} 0', 'n_bucket{le="2"} 1']
        """
        so_far, lines = 0, []
        for bound, count in zip((*self.bounds, "+Inf"), self.counts, strict=True):
            so_far += count
            shown = bound if isinstance(bound, str) else f"{bound:g}"
            lines.append(f'{name}_bucket{{le="{shown}"}} {so_far}')
        return [*lines, f"{name}_sum {self.total:g}", f"{name}_count {so_far}"]


@dataclass(slots=True)
class RequestTally:
    """What a server has done so far."""

    statuses: Counter[int] = field(default_factory=Counter)
    """Statuses of requests for completions."""
    seconds: Histogram = field(default_factory=lambda: Histogram(_SECONDS))
    batches: Histogram = field(default_factory=lambda: Histogram(_SIZES))
    """Completions asked for together from a model in this process."""
    completions: int = 0
    malformed: int = 0
    abstained: int = 0
    decided: int = 0
    kept: int = 0
    gone: int = 0
    """Clients that hung up before their answer was ready."""

    def count(self, answered: Answered) -> None:
        self.completions += answered.samples
        self.malformed += not answered.answers
        if answered.decision is not None:
            self.decided += 1
            self.abstained += answered.decision.abstained
            self.kept += answered.decision.kept

    def text(self, in_flight: int) -> str:
        lines: list[str] = []

        def add(name: str, kind: str, told: str, values: list[str]) -> None:
            lines.extend([f"# HELP {name} {told}", f"# TYPE {name} {kind}", *values])

        statuses = [f'setwise_requests_total{{status="{s}"}} {n}' for s, n in sorted(self.statuses.items())]
        add("setwise_requests_total", "counter", "Requests for completions, by status.", statuses)
        for name, value, told in (
            ("completions", self.completions, "Completions drawn."),
            ("malformed", self.malformed, "Requests whose completions held no readable answer."),
            ("decisions", self.decided, "Decisions made at an alpha."),
            ("abstentions", self.abstained, "Decisions that abstained."),
            ("answers_kept", self.kept, "Answers kept by decisions."),
            ("clients_gone", self.gone, "Clients that hung up before their answer."),
        ):
            add(f"setwise_{name}_total", "counter", told, [f"setwise_{name}_total {value}"])
        add("setwise_in_flight", "gauge", "Completions taken and not answered.", [f"setwise_in_flight {in_flight}"])
        for name, histogram, told in (
            ("setwise_request_seconds", self.seconds, "Seconds from a request to the end of its answer."),
            ("setwise_batch_completions", self.batches, "Completions asked for together of a local model."),
        ):
            add(name, "histogram", told, histogram.lines(name))
        memory = f"process_resident_memory_bytes {resident_bytes()}"
        add("process_resident_memory_bytes", "gauge", "Resident memory.", [memory])
        return "\n".join(lines) + "\n"


def resident_bytes() -> int:
    """Memory of this process; its peak if the system does not report the current value."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
