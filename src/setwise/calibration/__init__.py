"""From stated confidence to a decision: how reliable a run's confidences are, and what they can promise.

sets, table           labelled, ranked sets of a run, optionally merged from several completions
points, maps, isotonic, sigmoid     maps from a stated value to a probability: isotonic, Venn-Abers, Platt, beta
ranked, scale         a map by rank or for all ranks, chosen by cross-fitting; answers first, then prefixes of the set
rule                  which prefix is kept and when to abstain: split conformal prediction
held_out, drift       what calibration changes on other problems; whether new confidences resemble the old
learn, profile        all of it from a run, in one file
"""

from setwise.calibration.decision import Decision
from setwise.calibration.drift import Drift
from setwise.calibration.learn import learn_profile, profile_of
from setwise.calibration.profile import Profile

__all__ = ["Decision", "Drift", "Profile", "learn_profile", "profile_of"]
