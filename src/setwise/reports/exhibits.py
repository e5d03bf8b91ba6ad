"""Which single problems are shown as examples: median ones, not the most flattering."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from setwise.reports.inputs import Chain, Cloud, CloudExhibit, CloudWord, OverlapExhibit, Run

Said = Sequence[tuple[str, bool]]
"""Everything a run answered to one problem: normal forms, and whether each was right."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two chains of thought for one problem, and the share of n-grams that they have in common."""

    problem: str
    chains: tuple[Chain, Chain]
    shared: float


def choose_pair(run: str, pairs: Sequence[Pair]) -> OverlapExhibit | None:
    """The pair of median overlap, preferably among those whose answers differ."""
    differing = [pair for pair in pairs if list(pair.chains[0].answers) != list(pair.chains[1].answers)]
    found = sorted(differing or pairs, key=lambda pair: pair.shared)
    if not found:
        return None
    median = found[len(found) // 2]
    return OverlapExhibit(run, median.problem, median.chains)


def cloud_runs(runs: Sequence[Run]) -> tuple[Run, Run] | None:
    """A single and a multi run of one family with equally many answers; the largest budget, RLVR first.

    None for code, which has no list of golds and whose answers no cloud can show.
    """
    pairs = [
        (single, multi)
        for family in ("rlvr", "rlcr", "base")
        for single in runs
        for multi in runs
        if single.method == f"{family}-single" and multi.method == f"{family}-multi"
        if single.budget == multi.budget > 1 and "recall" in multi.numbers
    ]
    return max(pairs, key=lambda pair: pair[0].budget, default=None)


def choose_clouds(runs: tuple[Run, Run], said: tuple[Mapping[str, Said], Mapping[str, Said]]) -> CloudExhibit | None:
    """Both runs' answers to the problem with the median gap in distinct answers."""
    single, multi = said
    gaps = {
        problem: len({form for form, _ in multi[problem]}) - len({form for form, _ in single[problem]})
        for problem in single
        if problem in multi
    }
    if not gaps:
        return None
    ordered = sorted(gaps, key=gaps.__getitem__)
    problem = ordered[len(ordered) // 2]
    clouds = [Cloud(run.name, _words(own[problem])) for run, own in zip(runs, said, strict=True)]
    return CloudExhibit(problem, clouds)


def _words(said: Said) -> list[CloudWord]:
    times = Counter(form for form, _ in said)
    right = {form for form, correct in said if correct}
    return [
        CloudWord(form, n, form in right) for form, n in sorted(times.items(), key=lambda each: (-each[1], each[0]))
    ]
