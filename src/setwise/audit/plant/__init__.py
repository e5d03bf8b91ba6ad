"""Honest completions turned into cheating ones, at a given rate, so that an audit can be seen to work.

    planted = plant(parts, "hedge_or", 0.1, scene)

Each kind rewrites the thinking, the answers or the confidences of one completion and leaves the rest. What it does
more than once it does alike: a fixed set is one set for the whole run.
"""

from setwise.audit.plant import answers, confidences, programs, thinking  # noqa: F401 (their cheats)
from setwise.audit.plant.cheat import CHEATS, Cheat, Parts, Scene, plant

__all__ = ["CHEATS", "Cheat", "Parts", "Scene", "plant"]
