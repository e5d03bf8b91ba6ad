"""The report's figures on matplotlib axes, for papers and notebooks: the same numbers, colours and names.

    from setwise import plots

    ax = plots.calibration("runs/rlcr-multi")
    plots.risk(["runs/rlcr-single", "runs/rlcr-multi"], ax=ax)

Each function takes a run folder of `setwise eval`, a run from `read_runs`, or several of them. It draws on the given
axes or on new ones, and returns the axes.
"""

from setwise.plots.budget import budget
from setwise.plots.calibration import calibration
from setwise.plots.confidence import risk, sums
from setwise.plots.runs import read_runs

__all__ = ["budget", "calibration", "read_runs", "risk", "sums"]
