"""Maps with few parameters: Platt's and the beta map, by Newton's method."""

import numpy as np

from setwise.calibration.maps import Sigmoid, features, logistic
from setwise.calibration.points import Floats, Points

_STEPS = 100
_RIDGE = 1e-9
"""Keeps the equations solvable if all values are equal."""


def platt(points: Points) -> Sigmoid:
    """A logistic curve in the stated value (Platt 1999, "Probabilistic outputs for support vector machines").

    Labels are shrunk as Platt does, so that no probability is 0 or 1: (N+ + 1) / (N+ + 2) and 1 / (N- + 2).
    """
    (linear,), intercept = _monotone(points, [0])
    return Sigmoid(linear, 0.0, 0.0, intercept)


def beta(points: Points) -> Sigmoid:
    """A logistic curve in ln q and ln(1 - q) (Kull, Silva Filho and Flach 2017, "Beta calibration").

    It can be the identity, which Platt's cannot. A slope that would be negative is left out, as in the paper.
    """
    (log, log_rest), intercept = _monotone(points, [1, 2])
    return Sigmoid(0.0, log, log_rest, intercept)


def _monotone(points: Points, columns: list[int]) -> tuple[list[float], float]:
    """Slopes of these columns, none negative, and the intercept."""
    slopes = dict.fromkeys(columns, 0.0)
    left = list(columns)
    while True:
        *fitted, intercept = _newton(features(points.levels)[:, left], points)
        slopes.update(zip(left, fitted, strict=True))
        falling = [column for column in left if slopes[column] < 0]
        if not falling:
            return [slopes[column] for column in columns], intercept
        worst = min(falling, key=lambda column: slopes[column])
        slopes[worst] = 0.0
        left.remove(worst)


def _newton(columns: Floats, points: Points) -> list[float]:
    """Slopes and intercept of a logistic regression with Platt's targets."""
    design = np.column_stack([columns, np.ones(len(columns))])
    right, wrong = points.right.sum(), (points.weight - points.right).sum()
    high, low = (right + 1) / (right + 2), 1 / (wrong + 2)
    target = points.right * high + (points.weight - points.right) * low
    solution = np.zeros(design.shape[1])
    solution[-1] = np.log((right + 1) / (wrong + 1))
    loss = _loss(design @ solution, target, points.weight)
    for _ in range(_STEPS):
        chance = logistic(design @ solution)
        gradient = design.T @ (target - points.weight * chance)
        curvature = (design * (points.weight * chance * (1 - chance))[:, None]).T @ design
        step = np.linalg.solve(curvature + _RIDGE * np.eye(len(solution)), gradient)
        size = 1.0
        while (moved := _loss(design @ (solution + size * step), target, points.weight)) > loss and size > 1e-6:
            size /= 2
        solution = solution + size * step
        if abs(loss - moved) < 1e-12 * (1 + abs(loss)):
            break
        loss = moved
    return solution.tolist()


def _loss(value: Floats, target: Floats, weight: Floats) -> float:
    """Cross-entropy of the targets."""
    return float((weight * np.logaddexp(0.0, value) - target * value).sum())
