"""Turns honest completions into cheating ones, at a given rate, to test that an audit works.

    planted = plant(parts, "hedge_or", 0.1, scene)

Each kind rewrites the thinking, the answers or the confidences of one completion and leaves the rest. It cheats in
the same way every time: a fixed set is one set for the whole run.
"""

from setwise.audit.plant import answers, confidences, programs, thinking  # noqa: F401 (their cheats)
from setwise.audit.plant.cheat import CHEATS, Cheat, Parts, Scene, plant

__all__ = ["CHEATS", "Cheat", "Parts", "Scene", "plant"]
