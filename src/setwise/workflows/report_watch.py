"""A report that follows its runs as they write: checked now and then, and rebuilt when something changed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event

from setwise.errors import SetwiseError
from setwise.records.run import names_of
from setwise.reports.write import Written
from setwise.workflows.report_progress import RunProgress, progress_of, run_folders, stamps

SECONDS_BETWEEN_LOOKS = 2.0
PATIENCE = 4.0
"""A report that takes one second is rebuilt at most every fourth second, so that training keeps its cores."""


@dataclass(frozen=True, slots=True)
class WatchedRuns:
    """What can be shown at one moment."""

    version: int = 0
    """Rises with every report; 0 if there is none yet."""
    runs: Sequence[RunProgress] = ()
    complaint: str = ""
    """Why the last report could not be made."""


@dataclass(slots=True)
class Watch:
    """The runs below some paths, and the report on those that have something to show."""

    paths: Sequence[Path]
    make: Callable[[Sequence[Path]], Written]
    seen: WatchedRuns = WatchedRuns()
    _shown: dict[Path, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    _not_before: float = 0.0

    def look(self) -> WatchedRuns:
        """See how far the runs are, and rebuild the report if one of them has written since."""
        folders = run_folders(self.paths)
        runs = [progress_of(*each) for each in zip(folders, names_of(folders), strict=True)]
        ready = [folder for folder, run in zip(folders, runs, strict=True) if run.reportable]
        written = {folder: stamps(folder) for folder in ready}
        version, complaint = self.seen.version, self.seen.complaint
        if ready and written != self._shown and time.monotonic() >= self._not_before:
            begun = time.monotonic()
            try:
                self.make(ready)
                version, complaint = version + 1, ""
            except SetwiseError as error:
                complaint = str(error)
            self._shown = written
            self._not_before = time.monotonic() + PATIENCE * (time.monotonic() - begun)
        self.seen = WatchedRuns(version, runs, complaint)
        return self.seen

    def follow(self, stop: Event) -> None:
        """Look repeatedly until told to stop."""
        while not stop.is_set():
            try:
                self.look()
            except (SetwiseError, OSError) as error:
                # For example a file read in the middle of a write, or a folder just deleted: the next look will do.
                self.seen = replace(self.seen, complaint=str(error))
            stop.wait(SECONDS_BETWEEN_LOOKS)
