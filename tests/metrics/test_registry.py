"""The table of metrics."""

import sys

import pytest

from setwise.errors import InputError
from setwise.evaluation.measure import evaluate
from setwise.metrics import METRICS, attempt_metrics, find_metric, metric
from setwise.metrics.stated import FAMILIES, STATED
from tests.evaluation.made_up import attempts


@pytest.fixture
def own_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test adds is gone after it."""
    monkeypatch.setattr(METRICS, "added", dict(METRICS.added))


@pytest.mark.parametrize(
    "key", ["coverge", "set/brie", "distinct@", "distinct@many", "brier", "", "math:pi", "antigravity:x"]
)
def test_a_key_without_an_entry_is_an_error(key: str):
    with pytest.raises(InputError, match=f'no metric has this name, got "{key}"'):
        find_metric(key)
    assert "antigravity" not in sys.modules, "keys come from files"


def test_an_unknown_key_is_told_the_nearest_one():
    with pytest.raises(InputError, match=r'got "coverge"; did you mean coverage\?'):
        find_metric("coverge")


def test_a_budget_is_part_of_the_key_and_not_of_the_entry():
    assert find_metric("distinct@30") is find_metric("distinct@6") is find_metric("distinct@B")
    assert find_metric("distinct_correct@30").key == "distinct_correct@B"


def test_every_number_of_an_evaluation_has_an_entry():
    for key in evaluate(attempts(3, 2), resamples=0).estimates:
        assert find_metric(key).key == key
        assert find_metric(key).label
        assert find_metric(key).definition.endswith(".")


def test_every_formula_over_confidences_is_in_its_families():
    assert {name for name, formula in STATED.items() if formula.families != tuple(FAMILIES)} == {"auroc_within_places"}
    for name, formula in STATED.items():
        for family in formula.families:
            entry = find_metric(f"{family}/{name}")
            assert (entry.of, entry.better, entry.set_level) == (None, formula.better, family != "top1")
            assert "{" not in entry.definition


def test_what_is_named_beside_a_metric_has_an_entry_too():
    for entry in METRICS.all():
        if entry.beside:
            assert find_metric(entry.beside[0]).key == entry.beside[0]
        if entry.tested_as:
            assert find_metric(entry.tested_as).tested


@pytest.mark.usefixtures("own_table")
def test_a_metric_of_ones_own_is_measured_like_ours():
    @metric("short", label="Short answers", better="higher", highest=1.0)
    def short(attempt) -> float:
        """Share of sets whose
        first answer is short."""
        return float(len(attempt.forms[0]) <= 8)

    assert find_metric("short") is short
    assert short.definition == "Share of sets whose first answer is short."
    assert attempt_metrics()[-1] is short
    assert evaluate(attempts(3, 2), resamples=0)["short"].value == 1
    with pytest.raises(InputError, match='a metric of this name already exists, got "short"'):
        metric("short", label="Again")(lambda attempt: 0.0)
