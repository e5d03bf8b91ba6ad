"""100,000 completions through verl's `compute_score`, one by one, against `score_batch` on the same ones.

    python benchmarks/adapters.py

`compute_score` gets a string per completion and must find or rebuild its problem; `score_batch` gets the problems. Both
run in turn, in one process, on the same completions; the problems are rebuilt in every round. The result is the ratio
of their best CPU times. Fails above 1.3.
"""

import gc
import random
import sys
import time
from collections.abc import Callable

from setwise import Objective, Problem, Regime, score_batch
from setwise.adapters.ground_truth import read_ground_truth, write_ground_truth
from setwise.adapters.verl import compute_score
from setwise.matching import exact

COMPLETIONS = 100_000
PROBLEMS = 3_125
"""32 completions each, as in a step of the paper."""
ROUNDS = 3
MOST = 1.3
OBJECTIVE = Objective("rlcr-multi", 3, regime=Regime.INCLUSIVE)
WORDS = ["acute", "chronic", "renal", "cardiac", "pulmonary", "viral", "bacterial", "syndrome", "reflux", "asthma"]


def made_up_problems() -> list[Problem]:
    rng = random.Random(0)
    return [
        Problem(str(i), "Which?", sorted({" ".join(rng.sample(WORDS, 3)) for _ in range(8)})) for i in range(PROBLEMS)
    ]


def completion(problem: Problem, rng: random.Random) -> str:
    thinking = " ".join(rng.choices(WORDS, k=400))
    golds = [gold.text for gold in problem.golds or ()]
    answers = [*rng.sample(golds, 2), " ".join(rng.sample(WORDS, 4))]
    tags = (
        f"<answer{i}> {answer} </answer{i}> <confidence{i}> {rng.random():.2f} </confidence{i}>"
        for i, answer in enumerate(answers, start=1)
    )
    return f"<think> {thinking} </think>\n" + "\n".join(tags)


def seconds(work: Callable[[], list[float | None]]) -> tuple[float, list[float | None]]:
    read_ground_truth.cache_clear()
    gc.collect()
    start = time.process_time()
    rewards = work()
    return time.process_time() - start, rewards


def main() -> int:
    rng = random.Random(1)
    problems = [problem for problem in made_up_problems() for _ in range(COMPLETIONS // PROBLEMS)]
    texts = [completion(problem, rng) for problem in problems]
    # A fresh string per completion, as an engine's workers get them.
    rows = [write_ground_truth(problem, OBJECTIVE, exact) for problem in problems]

    def together() -> list[float | None]:
        return [score.reward for score in score_batch(texts, problems, OBJECTIVE)]

    def one_by_one() -> list[float | None]:
        return [compute_score("setwise", text, row)["score"] for text, row in zip(texts, rows, strict=True)]

    best = {"score_batch": float("inf"), "compute_score": float("inf")}
    for _ in range(ROUNDS):
        (batch_seconds, ours), (verl_seconds, theirs) = seconds(together), seconds(one_by_one)
        if ours != theirs:
            print("the rewards differ")
            return 1
        best["score_batch"] = min(best["score_batch"], batch_seconds)
        best["compute_score"] = min(best["compute_score"], verl_seconds)
    ratio = best["compute_score"] / best["score_batch"]
    for name, taken in best.items():
        print(f"{name:<14} {taken:6.2f} s  {COMPLETIONS / taken:9,.0f} completions/s")
    print(f"compute_score / score_batch: {ratio:.2f} (at most {MOST})")
    return 0 if ratio <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
