"""Run folders in, a report out: joins what evaluation and training wrote with the pages that show it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from statistics import fmean
from typing import TypeVar

from setwise.answers import AnswerSet
from setwise.errors import InputError
from setwise.evaluation.compare import compare
from setwise.evaluation.judged_alike import require_judged_alike
from setwise.evaluation.measure import require_resamples
from setwise.evaluation.same_problems import require_same_problems
from setwise.evaluation.tally import Claims, Tally
from setwise.metrics import find_metric
from setwise.metrics.diversity import ngram_overlaps
from setwise.objectives import Objective
from setwise.parsing import parse
from setwise.records.attempt import Construction
from setwise.records.best_possible import BAYES, BestPossible
from setwise.records.comparison import Difference
from setwise.records.run import RunFolder, names_of
from setwise.records.sample import Sample
from setwise.records.sample_file import SampleFile
from setwise.reports import Report, Written, write_report
from setwise.reports.exhibits import Pair, Said, choose_clouds, choose_pair, cloud_runs
from setwise.reports.folders import read_training
from setwise.reports.inputs import Chain, CloudExhibit, DatasetSection, OverlapExhibit, Run, StatedPairs
from setwise.reports.methods import order
from setwise.reports.write import FORMATS
from setwise.statistics import RESAMPLES
from setwise.workflows.report_groups import Group, grouped
from setwise.workflows.report_problems import LoadedRun, read_problems
from setwise.workflows.report_profile import read_profile_curves

LOOKED_AT = 200
"""Problems whose chains of thought are compared; a mean over that many is steady, and comparing is slow."""
OVERLAP_LENGTHS = (1, 2, 3, 4, 6, 8)
COMPARED_CHAINS = 6

Number = TypeVar("Number")


def make_report(
    folders: Sequence[str | Path],
    out: str | Path,
    *,
    formats: Sequence[str] = FORMATS,
    resamples: int = RESAMPLES,
    title: str = "",
    on_progress: Callable[[int], None] = lambda done: None,
) -> Written:
    """Write a report on evaluation runs, training runs, or both. Asks no model and judges nothing anew."""
    report = read_report(folders, resamples=resamples, on_progress=on_progress)
    return write_report(replace(report, title=title or report.title), out, formats=formats)


def read_report(
    folders: Sequence[str | Path], *, resamples: int = RESAMPLES, on_progress: Callable[[int], None] = lambda done: None
) -> Report:
    """Everything a report shows; the texts of single problems are read when the report is written."""
    require_resamples(resamples, 1)
    paths = [Path(folder) for folder in folders]
    names = names_of(paths)
    training = [found for path, name in zip(paths, names, strict=True) if (found := read_training(path, name))]
    evaluated = [(p, n) for p, n in zip(paths, names, strict=True) if _is_evaluated(p, n, {t.name for t in training})]
    groups = grouped([_load(path, name) for path, name in evaluated])
    for group in groups:
        group.runs.sort(key=lambda loaded: order(loaded.run))
    sections = [_section(group, resamples) for group in groups]
    problems = read_problems([(group.title, group.runs) for group in groups], on_progress)
    return Report(sections, training, problems)


def _is_evaluated(path: Path, name: str, trained: set[str]) -> bool:
    folder = RunFolder(path)
    if folder.is_scored:
        return True
    if folder.samples.is_file():
        folder.require_scored()
    if name not in trained:
        raise InputError("a run folder holds metrics.json and scores.jsonl, or log.jsonl", place=path)
    return False


def _load(path: Path, name: str) -> LoadedRun:
    folder = RunFolder(path)
    told = folder.read_metrics()
    file = SampleFile.opened(folder.samples)
    if not file.offsets:
        raise InputError("there are no completions to show", place=folder.samples)
    config = folder.read_config()
    overlaps, chains = _overlaps(file, config.objective)
    tally, said, sums = _tallied(folder)
    possible = BestPossible.read(path, told.k)
    best = {metric: value.mean for metric, value in possible.values.items()} if possible else {}
    run = Run(
        name=name,
        task=told.task,
        regime=told.regime,
        model=told.model,
        method=told.method,
        k=told.k,
        construction=told.construction,
        confidence=told.confidence,
        numbers=_known(told.metrics.estimates, folder.metrics),
        counts=told.metrics.counts,
        analyses=told.analyses,
        top1=_pairs(tally.top1),
        pooled=_pairs(tally.pooled),
        sums=sums,
        overlaps=overlaps,
        best_possible=_known(best, path / BAYES),
        matcher=told.matcher,
        setwise=told.setwise,
        profile=read_profile_curves(path),
    )
    return LoadedRun(folder, run, file, config.objective, config.task, frozenset(tally.problems), said, chains)


def _known(numbers: Mapping[str, Number], place: Path) -> Mapping[str, Number]:
    """The numbers, each of a metric that has an entry; another would stand in no table."""
    try:
        for key in numbers:
            find_metric(key)
    except InputError as error:
        raise error.at(place) from None
    return numbers


def _tallied(folder: RunFolder) -> tuple[Tally, dict[str, Said], list[tuple[float, int]]]:
    """Confidences as evaluation counts them; everything answered, by problem; and the sums of written sets."""
    tally, sums = Tally(), []
    said: dict[str, list[tuple[str, bool]]] = {}
    for attempt in folder.attempts():
        tally.add(attempt)
        if attempt.construction is not Construction.VOTED and attempt.forms:
            pairs = zip(attempt.forms, attempt.correct, strict=True)
            said.setdefault(attempt.problem, []).extend((form, right) for form, right in pairs if form is not None)
        if attempt.construction is Construction.WRITTEN and attempt.confidences and None not in attempt.confidences:
            sums.append((sum(q for q in attempt.confidences if q is not None), sum(attempt.correct)))
    return tally, dict(said), sums


def _pairs(claims: Claims) -> StatedPairs:
    return StatedPairs(list(claims.confidence), [bool(c) for c in claims.correct])


def _overlaps(file: SampleFile, objective: Objective) -> tuple[dict[int, float], list[Pair]]:
    """By n, the mean share of a chain's n-grams that another chain of the same problem holds; and the pairs seen."""
    shares: dict[int, list[float]] = {n: [] for n in OVERLAP_LENGTHS}
    pairs = []
    for samples in islice(file.by_question(), LOOKED_AT):
        chains = [_chain(sample, objective) for sample in samples[:COMPARED_CHAINS]]
        if len(chains) < 2:
            return {}, []
        texts = [each.text for each in chains]
        for n in OVERLAP_LENGTHS:
            shares[n] += [share for share in ngram_overlaps(texts, n) if share is not None]
        for first, second in combinations(chains, 2):
            shared = [share for share in ngram_overlaps([first.text, second.text]) if share is not None]
            if shared and first.answers and second.answers:
                pairs.append(Pair(samples[0].id, (first, second), fmean(shared)))
    return {n: fmean(own) for n, own in shares.items() if own}, pairs


def _chain(sample: Sample, objective: Objective) -> Chain:
    parsed = parse(sample.text, objective, strict=False, finish_reason=sample.finish_reason)
    return Chain(parsed.thinking, parsed.answers) if isinstance(parsed, AnswerSet) else Chain(sample.text, ())


def _section(group: Group, resamples: int) -> DatasetSection:
    loaded = group.runs
    runs = [each.run for each in loaded]
    differences: list[Difference] = []
    notes = []
    require_judged_alike({each.run.name: each.folder for each in loaded})
    if len(runs) > 1 and not frozenset.intersection(*(each.problems for each in loaded)):
        require_same_problems({each.run.name: each.folder for each in loaded})
        notes.append("The runs share no problems, so no differences are tested.")
    elif len(runs) > 1:
        comparison = compare([each.folder.path for each in loaded], all_pairs=True, resamples=resamples)
        own = {compared.name: run.name for compared, run in zip(comparison.runs, runs, strict=True)}
        differences = [replace(each, first=own[each.first], second=own[each.second]) for each in comparison.differences]
        if any(comparison.left_out.values()):
            notes.append(f"Differences are tested on the {comparison.problems:,} problems that all runs share.")
    overlap = [exhibit for each in loaded if (exhibit := choose_pair(each.run.name, each.chains))]
    return DatasetSection(
        group.task,
        group.regime,
        runs,
        differences,
        _two_exhibits(runs, overlap),
        _clouds(loaded),
        notes,
        group.data,
    )


def _two_exhibits(runs: Sequence[Run], found: Sequence[OverlapExhibit]) -> list[OverlapExhibit]:
    """One of repeated samples and one of written sets are enough to see the difference."""
    sampled = {run.name: run.is_sampled for run in runs}
    firsts = (next((each for each in found if sampled[each.run] is kind), None) for kind in (True, False))
    return [each for each in firsts if each is not None]


def _clouds(loaded: list[LoadedRun]) -> CloudExhibit | None:
    chosen = cloud_runs([each.run for each in loaded])
    if chosen is None:
        return None
    by_name = {each.run.name: each for each in loaded}
    single, multi = (by_name[run.name] for run in chosen)
    return choose_clouds(chosen, (single.said, multi.said))
