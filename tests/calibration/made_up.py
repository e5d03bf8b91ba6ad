"""Answer sets whose truth is known: questions of which one answer at most is right, and confidences that exaggerate."""

import numpy as np

from setwise.calibration.sets import LabelledRanking, labelled_sets
from setwise.calibration.table import SetTable
from setwise.records.attempt import Attempt

K = 3


def attempts(problems: int, per_problem: int = 1, seed: int = 0, *, knows: float = 1.0) -> list[Attempt]:
    """Written sets. `knows` is how much a confidence says about the single question, from nothing to all there is."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(problems):
        reach = rng.beta(4, 1)
        chances = reach * np.sort(rng.dirichlet([3.0, 1.0, 0.5]))[::-1]
        shown = knows * chances + (1 - knows) * np.array([0.5, 0.2, 0.1])
        for _ in range(per_problem):
            # Told in steps of a tenth, as models do: many sets are level.
            stated = np.clip(np.round(np.sqrt(shown) + rng.normal(0, 0.03, K), 1), 0, 1)
            drawn = rng.choice(K + 1, p=[*chances, 1 - chances.sum()])
            right = tuple(place == drawn for place in range(K))
            forms = tuple(f"{number}-{place}" for place in range(K))
            made.append(Attempt(f"p{number}", right, K, right, tuple(stated.tolist()), forms))
    return made


def sets(problems: int, per_problem: int = 1, seed: int = 0, *, knows: float = 1.0) -> list[LabelledRanking]:
    return labelled_sets(attempts(problems, per_problem, seed, knows=knows))


def table(problems: int, per_problem: int = 1, seed: int = 0, *, knows: float = 1.0) -> SetTable:
    return SetTable.of(sets(problems, per_problem, seed, knows=knows), K)
