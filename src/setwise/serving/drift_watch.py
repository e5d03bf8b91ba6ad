"""Whether a server's questions are still like those its profile was learned from."""

import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from setwise.serving.answers import Answered

if TYPE_CHECKING:
    from setwise.calibration import Drift, Profile

REMEMBERED_SETS = 500
SECONDS_BETWEEN_TESTS = 60.0


@dataclass(slots=True)
class DriftWatch:
    """Remembers what the latest calibrated sets stated, and compares them with the profile's on request."""

    profile: "Profile"
    sets: deque[list[float]] = field(default_factory=lambda: deque(maxlen=REMEMBERED_SETS))
    drift: "Drift | None" = None
    tested_at: float = -SECONDS_BETWEEN_TESTS

    def see(self, answered: Answered) -> None:
        if answered.set_confidence is not None:
            self.sets.append([each.stated for each in answered.answers if each.stated is not None])

    @property
    def due(self) -> bool:
        return bool(self.sets) and time.monotonic() - self.tested_at >= SECONDS_BETWEEN_TESTS

    def test(self) -> None:
        """Takes a noticeable time, so it runs outside the server's loop, at most once a minute."""
        self.tested_at = time.monotonic()
        self.drift = self.profile.drift(list(self.sets))

    def lines(self) -> list[str]:
        """For Prometheus; empty before the first test."""
        if self.drift is None:
            return []
        return [
            "# HELP setwise_drift_p Chance of confidences this different from the profile's if nothing has changed.",
            "# TYPE setwise_drift_p gauge",
            f"setwise_drift_p {self.drift.p:g}",
            "# HELP setwise_drifted 1 where the latest confidences differ from the profile's: calibrate again.",
            "# TYPE setwise_drifted gauge",
            f"setwise_drifted {int(self.drift.drifted)}",
        ]
