"""How the curves of training runs can be told apart."""

import pytest

from setwise.reports.canvas.legend import Style
from setwise.reports.figures.training import training_figures
from setwise.reports.inputs import TrainingRun

STEPS = [{"step": float(step), "coverage": step / 10} for step in range(1, 6)]


def looks(*names: str) -> dict[str, Style]:
    """By run: how it is drawn."""
    runs = [TrainingRun(name, name.split("-seed")[0], 1 if "single" in name else 3, STEPS) for name in names]
    curves = training_figures(runs)[-1]
    return dict(zip(names, curves.styles, strict=True))


def test_a_few_runs_have_a_colour_each():
    styles = looks("rlvr-single", "rlcr-multi-seed0", "rlcr-multi-seed1")
    assert len({style.colour for style in styles.values()}) == 3


def test_methods_keep_the_colours_that_they_have_elsewhere():
    styles = looks("rlvr-single", "rlcr-multi")
    assert [style.colour for style in styles.values()] == ["orange", "blue"]


@pytest.mark.parametrize("methods", [("rlvr-single", "rlvr-multi", "rlcr-multi"), [f"method-{n}" for n in range(9)]])
def test_seeds_share_a_colour_where_there_are_many_runs(methods: list[str]):
    styles = looks(*(f"{method}-seed{seed}" for method in methods for seed in (0, 1, 2)))
    for method in methods:
        assert len({styles[f"{method}-seed{seed}"].colour for seed in (0, 1, 2)}) == 1
    assert len({style.colour for style in styles.values()}) == min(len(methods), 8)


def test_no_two_of_many_runs_look_alike():
    styles = looks(*(f"method-{n}-seed{seed}" for n in range(8) for seed in range(4)))
    assert len({(style.colour, tuple(style.dash)) for style in styles.values()}) == 32
