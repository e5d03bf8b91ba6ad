"""RLVR-multi with 2 to 5 answers on DDXPlus, beside the same answers given to everybody."""

from functools import reduce
from itertools import combinations
from operator import or_
from pathlib import Path

import pytest

from results.rebuild import DOCS
from setwise.matching.normalize import normalize
from setwise.questions import Problem
from setwise.tasks import load_task
from tests.results.told import Told, prose
from tests.tasks.made_up import real

pytestmark = pytest.mark.slow

COMMONEST, BEST_FIXED = (0.490, 0.467, 0.4515, 0.4416), (0.720, 0.834, 0.904, 0.924)
"""By K, from 2 to 5, of the 500 test patients: what fixed answers would reach."""


def test_the_prose_about_more_answers_says_what_the_records_say(folders: dict[str, Path]):
    told = Told(folders["ddxplus-k"])
    ddxplus, page = (prose(DOCS / "results" / name) for name in ("ddxplus.md", "ddxplus-more.md"))
    right, coverage, any_right = (
        [told.value(f"k{k}", metric) for k in range(2, 6)] for metric in ("n_correct", "coverage", "pass_at_k")
    )
    assert f"a set holds {right[0]:.1f} to {right[-1]:.1f} right ones" in ddxplus
    assert f"falls from {coverage[0]:.2f} to {coverage[-1]:.2f}" in ddxplus
    assert "Any right does not grow: {:.2f}, {:.2f}, {:.2f} and {:.2f}.".format(*any_right) in page
    gained = [each - common for each, common in zip(coverage, COMMONEST, strict=True)]
    assert "would have a coverage of {:.3f}, {:.3f}, {:.3f} and {:.3f}, so".format(*COMMONEST) in page
    assert "gains {:.2f}, {:.2f}, {:.2f} and {:.2f} of coverage".format(*gained) in page
    assert "would reach {:.2f}, {:.2f}, {:.2f} and {:.2f}.".format(*BEST_FIXED) in page
    assert [fixed > model for fixed, model in zip(BEST_FIXED, any_right, strict=True)] == [False, False, True, True]


def test_what_fixed_answers_would_reach():
    patients = list(load_task("ddxplus", path=real("ddxplus"), split="test"))
    commonest, best = zip(*(fixed_answers(patients, k) for k in range(2, 6)), strict=True)
    assert commonest == pytest.approx(COMMONEST, abs=5e-4)
    assert best == pytest.approx(BEST_FIXED, abs=5e-4)


def fixed_answers(problems: list[Problem], k: int) -> tuple[float, float]:
    """Given to everybody: the coverage of the K commonest answers, and how often the best K hold any right one."""
    golds = [{normalize(gold.text) for gold in problem.golds or ()} for problem in problems]
    right = {name: sum(1 << place for place, own in enumerate(golds) if name in own) for name in set().union(*golds)}
    commonest = sorted((who.bit_count() for who in right.values()), reverse=True)[:k]
    best = max(reduce(or_, chosen).bit_count() for chosen in combinations(right.values(), k))
    return sum(commonest) / k / len(problems), best / len(problems)
