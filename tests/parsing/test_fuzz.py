"""Nothing a model writes can raise, and nothing it writes costs more than its length."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from setwise import AnswerSet, Malformed, Objective, Problem, parse, score
from tests.parsing.hostile import mutated

OBJECTIVES = [
    Objective("rlvr-single"),
    Objective("rlcr-single"),
    Objective("rlcr-single", analysis=False, think_opened=True),
    Objective("rlvr-multi", k=2),
    Objective("rlcr-multi", k=3),
    Objective("rlcr-multi", k=3, preset="released"),
]
MUTANTS_EACH = 4_000


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda o: f"{o.name}-{o.preset.name}-{o.think_opened}")
def test_no_mutant_raises_and_lenient_never_pays_more(objective: Objective):
    chance = random.Random(f"{objective.name}{objective.preset.name}{objective.think_opened}")
    problem = Problem("1", "?", ["Gout", "C++", "-0.5"])
    seen: set[str] = set()
    for _ in range(MUTANTS_EACH):
        text = mutated(objective, chance)
        strict, lenient = parse(text, objective), parse(text, objective, strict=False)
        if isinstance(strict, Malformed):
            seen.add(strict.reason)
            assert isinstance(lenient, Malformed) or lenient.repairs == (strict.reason,)
        else:
            assert len(strict.candidates) == objective.k
            assert lenient == strict
        for candidate in lenient.candidates if isinstance(lenient, AnswerSet) else ():
            assert candidate.text.strip()
            assert candidate.confidence is None or 0 <= candidate.confidence <= 1
        paid, paid_leniently = (score(text, problem, objective, strict=s).reward for s in (True, False))
        assert paid == paid_leniently
        assert paid is not None
        assert paid >= 0
    assert len(seen) >= 6, "the vandals are too tame"


def test_long_texts_cost_linear_time():
    """Quadratic work on these texts would take hours; 20 s of CPU time are several times what linear takes."""
    program = """
import resource
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
from tests.parsing.hostile import huge
from setwise import Objective, Problem, score
problem = Problem("1", "?", ["A", "B"])
objectives = [Objective("rlcr-multi", k=2), Objective("rlvr-multi", k=2), Objective("rlcr-single")]
for text in huge(300_000).values():
    for objective in objectives:
        for strict in (True, False):
            score(text, problem, objective, strict=strict)
print("done")
"""
    root = Path(__file__).parents[2]
    finished = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True)
    assert finished.stdout == "done\n", finished.stderr[-500:]
