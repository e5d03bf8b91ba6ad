"""How fast the pipeline scores, against a straightforward implementation in the same run.

    python benchmarks/scoring.py

DDXPlus-like sets: completions of about 600 tokens, K = 3, 9 golds, rlcr-multi, one core, CPU time. The peer is a
first implementation: every reward term parses the text again with a regular expression and compares every
candidate with every gold after normalising both. A second table has the time per character, from 1 KB to 1 MB, for
friendly and hostile text, relative to the same text at 1 KB.
"""

import random
import re
import string
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from setwise import Objective, Problem, score, score_batch
from tests.completions import completion
from tests.parsing.hostile import huge

COMPLETIONS = 4_000
OBJECTIVE = Objective("rlcr-multi", k=3)
CONDITIONS = [f"{kind} {organ}" for kind in ("acute", "chronic", "benign", "viral") for organ in
              ("bronchitis", "laryngitis", "pericarditis", "myocarditis", "sinusitis", "gastritis", "nephritis",
               "hepatitis", "dermatitis", "otitis", "colitis", "arthritis")]  # fmt: skip
WORDS = ["the", "patient", "has", "fever", "and", "a", "cough", "which", "may", "suggest", "an", "infection", "but"]


def make_cases(chance: random.Random) -> tuple[list[str], list[Problem]]:
    problems = [Problem(str(i), "?", chance.sample(CONDITIONS, 9)) for i in range(COMPLETIONS // 8)]
    problems = [problem for problem in problems for _ in range(8)]
    texts = [
        completion(
            OBJECTIVE,
            [name.capitalize() for name in chance.sample(CONDITIONS, 3)],
            [round(chance.random(), 2) for _ in range(3)],
            thinking=" ".join(chance.choices(WORDS, k=520)),
        )
        for _ in problems
    ]
    return texts, problems


def plain_reward(text: str, golds: list[str]) -> float:
    """The peer: one separate function per term."""
    return plain_format(text) + plain_correctness(text, golds) + plain_calibration(text, golds)


def plain_parse(text: str) -> tuple[list[str], list[float]] | None:
    pairs = "".join(rf"\s*<answer{i}>(.*?)</answer{i}>\s*<confidence{i}>(.*?)</confidence{i}>" for i in (1, 2, 3))
    found = re.match(rf"\s*<think>.*?</think>{pairs}\s*$", text, re.DOTALL)
    if not found:
        return None
    groups = [group.strip() for group in found.groups()]
    try:
        return groups[::2], [float(q) for q in groups[1::2]]
    except ValueError:
        return None


def plain_normalize(text: str) -> str:
    text = "".join(" " if c in string.punctuation else c for c in text.lower())
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def plain_equal(one: str, other: str) -> bool:
    return plain_normalize(one) == plain_normalize(other)


def plain_format(text: str) -> float:
    parsed = plain_parse(text)
    if parsed is None:
        return 0.0
    answers, confidences = parsed
    distinct = len({plain_normalize(answer) for answer in answers}) == len(answers)
    return float(distinct and all(0 <= q <= 1 for q in confidences))


def plain_correctness(text: str, golds: list[str]) -> float:
    parsed = plain_parse(text)
    if parsed is None or not plain_format(text):
        return 0.0
    return float(sum(any([plain_equal(answer, gold) for gold in golds]) for answer in parsed[0]))  # noqa: C419


def plain_calibration(text: str, golds: list[str]) -> float:
    parsed = plain_parse(text)
    if parsed is None or not plain_format(text):
        return 0.0
    labels = [any([plain_equal(answer, gold) for gold in golds]) for answer in parsed[0]]  # noqa: C419
    return -sum((q - label) ** 2 for q, label in zip(parsed[1], labels, strict=True)) / len(labels)


def cpu_seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def compare_with_plain() -> None:
    texts, problems = make_cases(random.Random(0))
    golds = [[gold.text for gold in problem.golds or ()] for problem in problems]
    few = COMPLETIONS // 8
    ours = [s.reward for s in score_batch(texts[:few], problems[:few], OBJECTIVE)]
    theirs = [plain_reward(text, names) for text, names in zip(texts[:few], golds[:few], strict=True)]
    assert all(abs((a or 0.0) - b) < 1e-9 for a, b in zip(ours, theirs, strict=True)), (
        "the two must agree before they race"
    )

    fast = min(cpu_seconds(lambda: score_batch(texts, problems, OBJECTIVE)) for _ in range(5)) / COMPLETIONS
    slow = min(
        cpu_seconds(lambda: [plain_reward(t, g) for t, g in zip(texts[:few], golds[:few], strict=True)])
        for _ in range(3)
    )
    slow /= few
    print(f"completions of {sum(map(len, texts)) // COMPLETIONS:,} characters, K = 3, 9 golds, one core")
    print(f"  straightforward     {1 / slow:>9,.0f} /s")
    print(f"  setwise.score_batch {1 / fast:>9,.0f} /s   {slow / fast:.1f}x  (target 5x, 10,000 /s)")


def time_per_character() -> None:
    problem = Problem("1", "?", ["A", "B"])
    objective = Objective("rlcr-multi", k=2)
    print("\nnanoseconds per character, strict and lenient parse together (growth: worst against 1 KB; target 1.5x)")
    sizes = (1_000, 10_000, 100_000, 1_000_000)
    print(f"  {'text':<16}" + "".join(f"{size:>12,}" for size in sizes) + "    growth")
    worst = 0.0
    for name in huge(1_000):
        costs = []
        for size in sizes:
            text = huge(size)[name]
            repeats = max(1, 300_000 // size)

            def work(text: str = text, repeats: int = repeats) -> None:
                for _ in range(repeats):
                    score(text, problem, objective)
                    score(text, problem, objective, strict=False)

            costs.append(min(cpu_seconds(work) for _ in range(3)) / repeats / len(text) * 1e9)
        growth = max(costs[1:]) / costs[0]
        worst = max(worst, growth)
        print(f"  {name:<16}" + "".join(f"{cost:>12.1f}" for cost in costs) + f"{growth:>9.2f}x")
    print(f"  worst growth {worst:.2f}x")


if __name__ == "__main__":
    compare_with_plain()
    time_per_character()
