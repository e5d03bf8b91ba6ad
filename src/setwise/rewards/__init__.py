"""Arithmetic on labels and confidences. It sees no text."""

from setwise.rewards.compose import Reward, nothing, reward, terms_of
from setwise.rewards.terms import TERMS, JudgedSet, Term, count_correct, multi_brier, term

__all__ = [
    "TERMS",
    "JudgedSet",
    "Reward",
    "Term",
    "count_correct",
    "multi_brier",
    "nothing",
    "reward",
    "term",
    "terms_of",
]
