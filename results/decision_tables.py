"""The tables of docs/results/decisions.md, from the splits that decisions.py measured."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, median

import numpy as np

from results.blocks import with_block
from results.decision_cases import Case, by_case
from results.trainings import DATASETS, Run
from setwise.records.files import Record

DOCUMENT = Path(__file__).parents[1] / "docs" / "results" / "decisions.md"
NAMES = {"rlcr-multi": "RLCR-multi", "rlvr-multi": "RLVR-multi", "rlvr-single": "RLVR-single"}
SHORTER = {"ddxplus-seed0": "DDXPlus", "hotpotqa-seed0": "HotPotQA-Modified", "mbpp-seed0": "MBPP"}
"""Archives of the trainings of 68, 52 and 36 steps."""
SHOWN = {"DDXPlus": ("0.2", "0.1"), "HotPotQA-Modified": ("0.3", "0.2"), "MBPP": ("0.3", "0.2")}
"""By dataset: the alphas of its promises."""


def _titles() -> Iterator[tuple[Run, tuple[str, str]]]:
    """Of every run: its dataset, and what its trainings are called together."""
    for archive, dataset in SHORTER.items():
        yield from (((archive, run), (dataset, name)) for run, name in NAMES.items())
    for title, trainings in DATASETS.items():
        dataset, steps = title.split(", ")
        yield from ((run, (dataset, f"RLCR-multi, {steps}")) for run in trainings.of("rlcr-multi"))
        yield from ((run, (dataset, f"RLCR-multi paid per answer, {steps}")) for run in trainings.ours)


TITLES = dict(_titles())


def written_anew(measured: Path, document: Path = DOCUMENT) -> None:
    document.write_text(with_tables(document.read_text(encoding="utf-8"), measured), encoding="utf-8")


def with_tables(text: str, measured: Path) -> str:
    """The document with its tables as the splits give them, with the seeds of a training side by side."""
    rows: dict[tuple[str, str], list[list[Record]]] = {}
    for case, splits in by_case(measured).items():
        dataset, name = TITLES[case.archive, case.run]
        rows.setdefault((dataset, f"{name}, {_joined(case)}"), []).append(splits)
    for name, table in (("promises", _promises), ("plain", _plain), ("brier", _brier)):
        lines = [line for (dataset, sets), seeds in rows.items() for line in table(dataset, sets, seeds)]
        text = with_block(text, name, (*_HEADINGS[name], *lines))
    return text


def _joined(case: Case) -> str:
    if case.samples == 1:
        return "1 completion"
    return f"{case.samples} {'joined' if case.run.startswith('rlcr') else 'votes'}"


_HEADINGS = {
    "promises": (
        "| dataset | sets | promised | splits that reach it, of 100 | coverage (5 to 95 % of them) | answers kept "
        "| passed on | smallest alpha |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ),
    "plain": (
        "| dataset | sets | all answers hold a right one | answers | first answer right |",
        "| --- | --- | ---: | ---: | ---: |",
    ),
    "brier": (
        "| dataset | sets | answers, stated | answers, calibrated | base rate | whole sets, calibrated | base rate |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ),
}


def _promises(dataset: str, sets: str, seeds: Sequence[Sequence[Record]]) -> Iterator[str]:
    best = ", ".join(f"{_smallest_alpha(splits):.2f}" for splits in seeds)
    for alpha in SHOWN[dataset]:
        columns = zip(*(_promise(splits, alpha) for splits in seeds), strict=True)
        cells = ["-" if set(column) == {"-"} else ", ".join(column) for column in columns]
        yield f"| {dataset} | {sets} | {_promised(alpha)} | {' | '.join(cells)} | {best} |"


def _smallest_alpha(splits: Sequence[Record]) -> float:
    return median(1.0 if each["best_alpha"] is None else each["best_alpha"] for each in splits)


def _promise(splits: Sequence[Record], alpha: str) -> tuple[str, str, str, str]:
    done = [each["promises"][alpha] for each in splits if alpha in each["promises"]]
    done = [each for each in done if each["answered"] > 0]
    if not done:
        return "0", "-", "-", "-"
    low, high = np.quantile([each["right"] for each in done], [0.05, 0.95])
    size, passed_on = fmean(each["size"] for each in done), 1 - fmean(each["answered"] for each in done)
    coverage = f"{fmean(each['right'] for each in done):.3f} ({low:.2f} to {high:.2f})"
    return str(len(done)), coverage, f"{size:.2f}", f"{100 * passed_on:.0f} %"


def _promised(alpha: str) -> str:
    return f"{100 - 100 * float(alpha):.0f} %"


def _plain(dataset: str, sets: str, seeds: Sequence[Sequence[Record]]) -> Iterator[str]:
    digits = {"all": 3, "size": 2, "first": 3}
    yield f"| {dataset} | {sets} | " + " | ".join(_means(seeds, "plain", key, digits[key]) for key in digits) + " |"


def _brier(dataset: str, sets: str, seeds: Sequence[Sequence[Record]]) -> Iterator[str]:
    keys = ("answers_stated", "answers", "answers_base", "sets", "sets_base")
    yield f"| {dataset} | {sets} | " + " | ".join(_means(seeds, "brier", key, 4) for key in keys) + " |"


def _means(seeds: Sequence[Sequence[Record]], part: str, key: str, digits: int) -> str:
    return ", ".join(f"{fmean(each[part][key] for each in splits):.{digits}f}" for splits in seeds)
