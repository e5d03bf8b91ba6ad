"""The paper's claims, one row per table of runs: what we found, and what the paper reports."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from results.differences import compared, over_seeds
from results.trainings import DATASETS, Run, evaluations
from setwise.errors import InputError
from setwise.records.comparison import Compared
from setwise.reports.comparison_text import shown_p
from setwise.reports.paper import printed

TABLES = {
    "ddxplus-seed0": "DDXPlus, seed 0",
    "ddxplus-seed1": "DDXPlus, seed 1",
    "hotpotqa-seed0": "HotPotQA-Modified",
    "mbpp-seed0": "MBPP",
}
"""By archive: the label of its row."""
SEEDS = ("ddxplus-seed0", "ddxplus-seed1")
"""Archives of DDXPlus whose training runs differ in their seed."""
OVER_SEEDS: Mapping[str, Callable[[str], list[Run]]] = {
    "DDXPlus, 68 steps": lambda method: [(archive, method) for archive in SEEDS],
    **{title: dataset.of for title, dataset in DATASETS.items()},
}
"""By title: the runs of a method, one for each seed."""


@dataclass(frozen=True, slots=True)
class Claim:
    """That a metric differs between two evaluations."""

    heading: str
    runs: tuple[str, str]
    metric: str
    as_printed: tuple[str, ...]
    """The paper's metrics that may show it; a ratio is the same for all."""


SETS = ("rlvr-single", "rlvr-multi")
CLAIMS = (
    Claim("Coverage: RLVR-single, RLVR-multi", SETS, "coverage", ("coverage", "n_correct")),
    Claim("Different answers of three", SETS, "uniqueness", ("uniqueness", "uniqueness/fraction")),
    Claim("Tokens for three answers", SETS, "tokens", ("tokens",)),
    Claim("Set ECE: RLVR-multi, RLCR-multi", ("rlvr-multi+prompt", "rlcr-multi"), "set/ece", ("set/ece",)),
)


def claims_table(folders: Mapping[str, Path]) -> Iterator[str]:
    if absent := TABLES.keys() - folders.keys():
        raise InputError("an archive is missing", value=sorted(absent))
    yield "| | " + " | ".join(claim.heading for claim in CLAIMS) + " |"
    yield "| --- |" + " ---: |" * len(CLAIMS)
    for archive, title in TABLES.items():
        cells = (_cell(folders[archive] / "eval", claim) for claim in CLAIMS)
        yield f"| {title} | " + " | ".join(cells) + " |"


def _cell(evaluations: Path, claim: Claim) -> str:
    runs = [evaluations / run for run in claim.runs]
    comparison = compared(*runs)
    before, after = (run.estimates[claim.metric].value for run in comparison.runs)
    [p] = (each.p_holm for each in comparison.differences if each.metric == claim.metric)
    paper_before, paper_after = (_printed(comparison.task, run, claim) for run in comparison.runs)
    return f"{before:.3g}, {after:.3g}: **{after / before:.2f}x**, p {p:.2g} (paper: {paper_after / paper_before:.2f}x)"


def _printed(task: str, run: Compared, claim: Claim) -> float:
    numbers = (printed(task, run.method, run.k, name) for name in claim.as_printed)
    [value, *_] = (number for number in numbers if number is not None)
    return value


def seeds_table(folders: Mapping[str, Path]) -> Iterator[str]:
    """The same claims with intervals over seeds and problems, for methods with more than one seed."""
    yield "| | values by seed | difference, 95 % interval over seeds and problems | p |"
    yield "| --- | ---: | ---: | ---: |"
    for title, trained in OVER_SEEDS.items():
        for claim in CLAIMS:
            groups = [evaluations(folders, trained(method)) for method in claim.runs]
            if min(map(len, groups)) < 2:
                continue
            each = over_seeds(claim.metric, *groups)
            by_seed = "; ".join(
                ", ".join(f"{value:.3g}" for value in values) for values in (each.first_values, each.second_values)
            )
            span = f"{each.value.value:+.3g} [{each.value.low:.3g}, {each.value.high:.3g}]"
            yield f"| {title}. {claim.heading} | {by_seed} | {span} | {shown_p(each.p)} |"
