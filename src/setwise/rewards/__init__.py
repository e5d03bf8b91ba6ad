"""Arithmetic on labels and confidences; sees no text."""

from setwise.rewards.compose import NOTHING, Broken, Reward, reward
from setwise.rewards.terms import any_correct, count_correct, multi_brier, sums_above_one

__all__ = ["NOTHING", "Broken", "Reward", "any_correct", "count_correct", "multi_brier", "reward", "sums_above_one"]
