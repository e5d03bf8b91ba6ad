"""The CPU time that another process has used."""

import time


def cpu_seconds_of(process: int) -> float:
    """Uses the clock id that the kernel derives from the process id; 0 for a process that is gone."""
    try:
        return time.clock_gettime(~process << 3 | 2)
    except OSError:
        return 0.0
