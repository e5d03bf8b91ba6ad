"""A profile of a model whose confidences are a little too high."""

import random
from functools import cache

from setwise.calibration import Profile, profile_of
from setwise.objectives import Regime
from setwise.records.attempt import Attempt


@cache
def made_up_profile() -> Profile:
    """Of 400 problems with one right answer each; the model claims 0.9 in all and is right in three of four."""
    rng = random.Random(0)
    attempts = []
    for number in range(400):
        first = rng.choice([0.4, 0.5, 0.6, 0.7, 0.8])
        stated = (first, round((0.9 - first) * 0.7, 2), round((0.9 - first) * 0.3, 2))
        [right] = rng.choices([0, 1, 2, None], [0.85 * q for q in stated] + [1 - 0.85 * 0.9])
        correct, forms = zip(*((place == right, str(place)) for place in range(3)), strict=True)
        attempts.append(Attempt(f"problem {number}", correct, 3, confidences=stated, forms=forms))
    return profile_of(attempts, Regime.EXCLUSIVE)
