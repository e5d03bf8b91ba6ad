"""The tables of docs/results/decisions.md, from the splits that decisions.py measured."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, median

import numpy as np

from results.blocks import with_block
from results.trainings import DDXPLUS
from setwise.records.files import Record, read_records

DOCUMENT = Path(__file__).parents[1] / "docs" / "results" / "decisions.md"
TASKS = {
    "ddxplus-seed0": "DDXPlus",
    DDXPLUS.papers: "DDXPlus",
    **{archive: "DDXPlus" for archive, _ in DDXPLUS.ours},
    "hotpotqa-seed0": "HotPotQA-Modified",
    "mbpp-seed0": "MBPP",
}
RUNS = {
    "rlcr-multi": "RLCR-multi",
    **{run: f"RLCR-multi, 160 steps, seed {seed}" for seed, (_, run) in enumerate(DDXPLUS.of("rlcr-multi"))},
    **{run: f"RLCR-multi paid per answer, seed {seed}" for seed, (_, run) in enumerate(DDXPLUS.ours)},
    "rlvr-multi": "RLVR-multi",
    "rlvr-single": "RLVR-single",
}
SHOWN = ("0.2", "0.1")


def written_anew(measured: Path, document: Path = DOCUMENT) -> None:
    document.write_text(with_tables(document.read_text(encoding="utf-8"), measured), encoding="utf-8")


def with_tables(text: str, measured: Path) -> str:
    """The document with its tables as the splits give them."""
    cases: dict[tuple[str, str, int], list[Record]] = {}
    for _, record in read_records(measured):
        cases.setdefault((record["archive"], record["run"], record["samples"]), []).append(record)
    for name, table in (("promises", _promises), ("plain", _plain), ("brier", _brier)):
        rows = [row for case, splits in cases.items() for row in table(_named(*case), splits)]
        text = with_block(text, name, (*_HEADINGS[name], *rows))
    return text


_HEADINGS = {
    "promises": (
        "| dataset | sets | promised | splits that reach it | coverage (5 to 95 % of them) | answers kept | passed on "
        "| smallest alpha |",
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


def _named(archive: str, run: str, samples: int) -> str:
    joined = "1 completion" if samples == 1 else f"{samples} {'joined' if run.startswith('rlcr') else 'votes'}"
    return f"{TASKS[archive]} | {RUNS[run]}, {joined}"


def _promises(name: str, splits: Sequence[Record]) -> Iterator[str]:
    best = f"{median(1.0 if each['best_alpha'] is None else each['best_alpha'] for each in splits):.2f}"
    for alpha in SHOWN:
        done = [each["promises"][alpha] for each in splits if alpha in each["promises"]]
        done = [each for each in done if each["answered"] > 0]
        start = f"| {name} | {100 - 100 * float(alpha):.0f} % | {len(done)} of {len(splits)} |"
        if not done:
            yield f"{start} - | - | - | {best} |"
            continue
        low, high = np.quantile([each["right"] for each in done], [0.05, 0.95])
        coverage = f"{fmean(each['right'] for each in done):.3f} ({low:.2f} to {high:.2f})"
        size, passed_on = fmean(each["size"] for each in done), 1 - fmean(each["answered"] for each in done)
        yield f"{start} {coverage} | {size:.2f} | {100 * passed_on:.0f} % | {best} |"


def _plain(name: str, splits: Sequence[Record]) -> Iterator[str]:
    means = {key: fmean(each["plain"][key] for each in splits) for key in ("all", "size", "first")}
    yield f"| {name} | {means['all']:.3f} | {means['size']:.2f} | {means['first']:.3f} |"


def _brier(name: str, splits: Sequence[Record]) -> Iterator[str]:
    keys = ("answers_stated", "answers", "answers_base", "sets", "sets_base")
    yield f"| {name} | " + " | ".join(f"{fmean(each['brier'][key] for each in splits):.4f}" for key in keys) + " |"
