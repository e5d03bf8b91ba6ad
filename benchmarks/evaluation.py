"""How fast the metrics of an evaluation are computed, against the plain way, in the same run.

    python benchmarks/evaluation.py            5,000 problems x 30 samples, 10,000 resamples
    python benchmarks/evaluation.py --small    a tenth of it

Three claims are measured. (1) From summed attempts, all metrics with 10,000-fold intervals take at most 1/50 of the
time of a loop that resamples problems and recomputes the same metrics with the library's own functions (timed on a
few resamples and extrapolated). (2) The processor time of scoring is linear in the records. (3) Scoring is streamed:
its memory does not grow with the completions. The exit status is 1 if a claim fails.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from setwise.evaluation.measure import metrics_of
from setwise.evaluation.score_run import score_run
from setwise.evaluation.tally import Tally
from setwise.matching import exact
from setwise.metrics.calibration import base_rate_brier, brier, brier_skill, debiased_ece, ece
from setwise.metrics.claims import set_confidence
from setwise.metrics.ranking import auroc, auroc_within_places
from setwise.metrics.smooth import smooth_ece
from setwise.objectives import Regime
from setwise.questions import Problem
from setwise.records.attempt import Attempt
from setwise.records.files import dump_record
from setwise.records.run import RunFolder
from setwise.records.sample import Sample
from setwise.workflows.evaluate import HowAsked, config_of_stored

K = 3
LEAST_SPEEDUP = 50.0
LOOPED = 3
CALIBRATION = (brier, brier_skill, ece, debiased_ece, smooth_ece, auroc)


def made_up_attempts(problems: int, samples: int) -> list[Attempt]:
    rng = np.random.default_rng(0)
    q = rng.integers(0, 101, (problems, samples, K)) / 100
    c = rng.random(q.shape) < q * 0.8
    forms = rng.integers(0, 8, q.shape)
    return [
        Attempt(
            f"p{p}",
            tuple(c[p, s].tolist()),
            K,
            tuple(c[p, s].tolist()),
            tuple(q[p, s].tolist()),
            tuple(f"answer {form}" for form in forms[p, s].tolist()),
            n_golds=4,
            tokens=200,
        )
        for p in range(problems)
        for s in range(samples)
    ]


def loop_seconds(
    attempts: Sequence[Attempt], problems: int, samples: int, metrics: Sequence[Callable[..., float]]
) -> float:
    """One resample the plain way: draw problems, gather their candidates, recompute every metric."""
    shape = (problems, samples, K)
    q = np.array([each.confidences for each in attempts], dtype=float).reshape(shape)
    c = np.array([each.correct for each in attempts], dtype=float).reshape(shape)
    sets = np.array([set_confidence(row, "inclusive") for row in q.reshape(-1, K).tolist()]).reshape(problems, samples)
    rng = np.random.default_rng(1)
    started = time.perf_counter()
    for _ in range(LOOPED):
        drawn = rng.integers(0, problems, problems)
        some_q, some_c = q[drawn], c[drawn]
        counts = some_c.sum(axis=2)
        means = [counts.mean() / K, (counts > 0).mean(), some_c[:, :, 0].mean(), counts.mean() / 4]
        families = (
            (some_q[:, :, 0].ravel(), some_c[:, :, 0].ravel()),
            (some_q.ravel(), some_c.ravel()),
            (sets[drawn].ravel(), (counts > 0).astype(float).ravel()),
        )
        for stated, right in families:
            means += [base_rate_brier(right), *(metric(stated, right) for metric in metrics)]
        means.append(auroc_within_places(*families[1], np.tile(np.arange(K), problems * samples)))
        assert np.isfinite(means).all()
    return (time.perf_counter() - started) / LOOPED


def write_samples(folder: Path, problems: int, samples: int) -> None:
    how = HowAsked(k=K, samples=samples)
    RunFolder(folder).claim(config_of_stored("made-up", "rlcr-multi", Regime.INCLUSIVE, how, "exact"))
    rng = np.random.default_rng(0)
    tags = "".join(f"<answer{i}>answer {{}}</answer{i}><confidence{i}>0.{{}}</confidence{i}>" for i in range(1, K + 1))
    with (folder / "samples.jsonl").open("w") as out:
        for p in range(problems):
            problem = Problem(f"p{p}", "?" * 400, ["answer 1", "answer 2", "answer 3"])
            for s in range(samples):
                text = "<think>" + "because of this and that " * 30 + "</think>" + tags
                text = text.format(*rng.integers(0, 10, 2 * K))
                sample = Sample(asked=problem, text=text, index=s, finish_reason="stop", tokens=200)
                out.write(dump_record(sample.to_record()))


def score_in_a_process(folder: Path) -> tuple[float, float]:
    """Processor seconds and peak MiB of scoring a folder, in a process that does nothing else."""
    words = [sys.executable, __file__, "--score", str(folder)]
    seconds, peak = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), float(peak)


def score(folder: Path) -> None:
    started = time.process_time()
    score_run(RunFolder(folder), exact, resamples=0)
    print(time.process_time() - started, peak_mebibytes())


def peak_mebibytes() -> float:
    """The peak of this program alone: `ru_maxrss` would count the process it was forked from."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    [line] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
    return float(line.split()[1]) / 1024


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--score", type=Path)
    args = parser.parse_args()
    if args.score:
        score(args.score)
        return 0
    problems, samples, resamples = (500, 30, 10_000) if args.small else (5_000, 30, 10_000)
    return int(not (intervals_are_fast(problems, samples, resamples) & scoring_is_linear_and_flat(problems // 10)))


def intervals_are_fast(problems: int, samples: int, resamples: int) -> bool:
    attempts = made_up_attempts(problems, samples)
    started = time.perf_counter()
    tally = Tally().add_all(attempts)
    tallied = time.perf_counter() - started
    started = time.perf_counter()
    metrics = metrics_of(tally, resamples=resamples)
    ours = time.perf_counter() - started
    theirs = loop_seconds(attempts, problems, samples, CALIBRATION) * resamples
    without = [metric for metric in CALIBRATION if metric is not smooth_ece]
    easier = loop_seconds(attempts, problems, samples, without) * resamples
    print(f"{problems:,} problems x {samples} samples, {len(metrics.estimates)} metrics, {resamples:,} resamples")
    print(f"  tally                 {tallied:8.1f} s")
    print(f"  metrics, intervals    {ours:8.1f} s")
    print(f"  plain loop            {theirs:8.0f} s ({LOOPED} resamples timed, times {resamples:,})")
    print(f"  ratio                 {theirs / ours:8.0f} (at least {LEAST_SPEEDUP:g})")
    print(f"  loop without smooth ECE, our time unchanged: {easier:.0f} s, ratio {easier / ours:.0f}")
    return theirs / ours >= LEAST_SPEEDUP


def scoring_is_linear_and_flat(problems: int) -> bool:
    """Two and four times the samples of the same problems."""
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        for samples in (5, 10, 20, 40):
            folder = Path(scratch) / str(samples)
            write_samples(folder, problems, samples)
            seconds, peak = score_in_a_process(folder)
            size = (folder / "samples.jsonl").stat().st_size / 2**20
            results.append((problems * samples, seconds, peak))
            print(f"scoring {problems * samples:7,} records ({size:5.1f} MiB): {seconds:6.2f} s, peak {peak:6.1f} MiB")
    (few, first, low), (many, last, high) = results[1], results[-1]
    linear = (last / many) / (first / few)
    grown = high - low
    print(f"  time per record, {many:,} against {few:,} records: {linear:.2f} (at most 1.3)")
    print(f"  memory, likewise: {grown:+.1f} MiB (at most 16)")
    return linear <= 1.3 and grown <= 16


if __name__ == "__main__":
    sys.exit(main())
