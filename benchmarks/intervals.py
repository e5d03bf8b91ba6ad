"""How often our intervals and tests of an ECE are right, against the usual bootstrap, on simulated models.

    python benchmarks/intervals.py [TRIALS]

Each problem has one answer. Confidences take 19 values, and an answer is right with the stated probability minus
`too sure`. Coverage is how often the 95 % interval contains the true ECE; alarms are how often two models are called
different at p <= 0.05. The peers are the percentile and the basic bootstrap interval, and a plain bootstrap test of the
difference, on the same resamples.
"""

import sys

import numpy as np

from setwise.evaluation.quantities import quantities
from setwise.evaluation.tally import Tally
from setwise.records.attempt import Attempt
from setwise.statistics import Statistic, interval, left_of_difference, p_value, replicates

LEVELS = np.linspace(0.05, 0.95, 19)
RESAMPLES = 400


def draw(chance: np.random.Generator, problems: int, too_sure: float, constant: bool = False) -> Statistic:
    """The ECE of one sample of a model."""
    q = np.full(problems, 0.5) if constant else chance.choice(LEVELS, problems)
    right = chance.random(problems) < np.clip(q - too_sure, 0, 1)
    pairs = enumerate(zip(q.tolist(), right.tolist(), strict=True))
    tally = Tally().add_all(Attempt(str(i), (c,), 1, confidences=(p,)) for i, (p, c) in pairs)
    return quantities(tally)["top1/ece"].statistic


def resampled(statistic: Statistic) -> np.ndarray:
    return replicates({"ece": statistic}, resamples=RESAMPLES, seed=1)["ece"]


def true_ece(too_sure: float) -> float:
    bins = np.minimum((LEVELS * 10 + 1e-9).astype(int), 9)
    gaps = np.clip(LEVELS - too_sure, 0, 1) - LEVELS
    return float(sum(abs(gaps[bins == each].sum()) for each in set(bins)) / len(LEVELS))


def coverage(problems: int, too_sure: float, trials: int) -> None:
    chance, truth, held = np.random.default_rng(0), true_ece(too_sure), np.zeros(3)
    for _ in range(trials):
        statistic = draw(chance, problems, too_sure)
        drawn, point = resampled(statistic), statistic.point
        low, high = np.quantile(drawn, [0.025, 0.975])
        ours = interval(statistic, point, drawn)
        assert ours
        ends = ((low, high), (max(0.0, 2 * point - high), 2 * point - low), (ours.low, ours.high))
        held += [low <= truth <= high for low, high in ends]
    print(f"{problems:9,} {too_sure:9.2f} {truth:9.3f}" + "".join(f"{share:12.1%}" for share in held / trials))


def alarms(name: str, problems: int, first: tuple[float, bool], second: tuple[float, bool], trials: int) -> None:
    chance, rung = np.random.default_rng(0), np.zeros(2)
    for _ in range(trials):
        one, other = (draw(chance, problems, *each) for each in (first, second))
        value, drawn = other.point - one.point, resampled(other) - resampled(one)
        found = p_value(value, drawn), p_value(value, drawn, left_of_difference(one, other))
        rung += [p <= 0.05 for p in found]
    print(f"{name:34}{problems:9,}" + "".join(f"{share:12.1%}" for share in rung / trials))


def main(trials: int) -> None:
    print("coverage of 95 % intervals\n problems  too sure      true  percentile       basic        ours")
    for problems in (300, 1000):
        for too_sure in (0.0, 0.02, 0.05, 0.1, 0.2):
            coverage(problems, too_sure, trials)
    calibrated, sure = (0.0, False), (0.1, False)
    print(f"\ncalled different at p <= 0.05\n{'':34} problems       plain        ours")
    for problems in (300, 1000):
        alarms("both calibrated", problems, calibrated, calibrated, trials)
        alarms("both calibrated, one in one bin", problems, calibrated, (0.0, True), trials)
        alarms("both too sure by 0.1", problems, sure, sure, trials)
        alarms("one too sure by 0.1 (rightly so)", problems, calibrated, sure, trials)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
