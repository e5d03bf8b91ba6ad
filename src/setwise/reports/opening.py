"""The opening of a report: what was compared, what won, by how much, and how certain that is.

Every claim is a lead in a table below it, so that nothing is claimed here without a test there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from setwise.reports.audits import changed_headlines
from setwise.reports.canvas.legend import Style
from setwise.reports.figures import Figure, styles_of
from setwise.reports.figures.section import hero_figure, main_runs
from setwise.reports.inputs import DatasetSection, Run, TellingProblem, TrainingRun
from setwise.reports.leads import Lead, leads
from setwise.reports.methods import block, by_own_prompt, order
from setwise.reports.opening_text import Sentence, alone, compared, confidences, found_in, how_sure
from setwise.reports.tables import CORRECTNESS

HEADLINE = "coverage"
SKILLS = ("pooled/brier_skill", "top1/brier_skill")
"""What confidences are judged by: over all answers if some run has that, otherwise over the first ones.

Not by the lowest Brier score or ECE: a model that is nearly always wrong and says so would win.
"""


@dataclass(frozen=True, slots=True)
class Opening:
    """The first thing a reader sees about one dataset."""

    title: str
    facts: Sequence[tuple[str, str]]
    compared: str
    found: Sequence[Sentence]
    sure: str
    hero: Figure | None
    """Coverage against tokens. The page shows it here and not in its section."""
    telling: TellingProblem | None
    styles: Mapping[str, Style]
    """Styles and labels of its runs, by name."""


def build_opening(section: DatasetSection, key: str, title: str, training: Sequence[TrainingRun]) -> Opening:
    """`key` and `title` are those of the section in the document."""
    runs = main_runs(section)
    styles = styles_of(runs)
    labels = {name: style.label for name, style in styles.items()}
    models, hero = _models(section, training), hero_figure(section)
    facts = (
        ("Dataset", title),
        ("Problems", _problems(runs)),
        ("Model" if len(models) == 1 else "Models", ", ".join(models)),
        ("Answers per set", ", ".join(map(str, _sizes(section)))),
    )
    return Opening(
        title,
        facts,
        compared(runs, _sizes(section), title, _problems(runs)),
        [*_found(section, labels), *_confidences(runs, labels), *([line] for line in changed_headlines(runs, labels))],
        how_sure(section, coverage_leads(section)),
        hero and replace(hero, key=f"{key}-{hero.key}"),
        section.telling,
        styles,
    )


def coverage_leads(section: DatasetSection) -> list[Lead]:
    """Within the blocks of the correctness table, or over all of it if no block has two runs."""
    return _leads_by_block(section) or _leads_over_all(section)


def _leads_by_block(section: DatasetSection) -> list[Lead]:
    return leads(section, by_own_prompt(main_runs(section)), CORRECTNESS, HEADLINE, block)


def _leads_over_all(section: DatasetSection) -> list[Lead]:
    return leads(section, by_own_prompt(main_runs(section)), CORRECTNESS, HEADLINE, lambda run: "")


def _found(section: DatasetSection, labels: Mapping[str, str]) -> list[Sentence]:
    if by_block := _leads_by_block(section):
        return [found_in(lead, labels, within=True) for lead in by_block]
    over_all = [found_in(lead, labels, within=False) for lead in _leads_over_all(section)]
    every = {name: style.label for name, style in styles_of(section.runs).items()}
    return over_all or [alone(run, HEADLINE, every) for run in sorted(by_own_prompt(section.runs), key=order)]


def _confidences(runs: Sequence[Run], labels: Mapping[str, str]) -> list[Sentence]:
    """For the runs that state a confidence for most of their answers."""
    for metric in SKILLS:
        family = metric.partition("/")[0]
        stating = [
            run
            for run in runs
            if metric in run.numbers and run.counts.get(f"{family}/n", 0) >= run.counts.get(f"{family}/n_excluded", 0)
        ]
        if stating:
            return [confidences(stating, metric, labels)]
    return []


def _models(section: DatasetSection, training: Sequence[TrainingRun]) -> list[str]:
    """The base models: from the runs, else from the training runs in the report, else the runs' own models."""
    known = [run.base_model for run in section.runs if run.base_model] or [run.base_model for run in training]
    own = [run.model.partition(":")[2] or run.model for run in section.runs]
    return list(dict.fromkeys(filter(None, known))) or list(dict.fromkeys(own))


def _sizes(section: DatasetSection) -> list[int]:
    return sorted({run.k for run in section.runs})


def _problems(runs: Sequence[Run]) -> str:
    counts = sorted({run.counts.get("problems", 0) for run in runs})
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
