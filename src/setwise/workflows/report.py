"""Run folders in, a report out: joins what evaluation and training wrote with the pages that show it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from itertools import combinations, islice
from pathlib import Path
from statistics import fmean

from setwise.answers import AnswerSet
from setwise.errors import InputError
from setwise.evaluation.attempts import Construction
from setwise.evaluation.comparison import compare
from setwise.evaluation.measuring import require_resamples
from setwise.evaluation.metrics import ngram_overlaps
from setwise.evaluation.run import RunFolder
from setwise.evaluation.run_names import names_of
from setwise.evaluation.same_problems import require_same_problems
from setwise.evaluation.samples import Sample, SampleFile
from setwise.evaluation.statistics import RESAMPLES
from setwise.evaluation.tally import Pairs as TalliedPairs
from setwise.evaluation.tally import Tally
from setwise.objectives import Objective
from setwise.parsing import parse
from setwise.records import objective_from_record, replacing
from setwise.reports import Report, Written, write_report
from setwise.reports.exhibits import Pair, Said, choose_clouds, choose_pair, cloud_runs
from setwise.reports.folders import BAYES, read_best_possible, read_training
from setwise.reports.inputs import (
    Chain,
    CloudExhibit,
    Difference,
    Number,
    OverlapExhibit,
    Pairs,
    Run,
    Section,
)
from setwise.reports.methods import order
from setwise.reports.write import FORMATS
from setwise.tasks.clinic_bayes import BayesBest
from setwise.workflows.report_problems import LoadedRun, read_problems

LOOKED_AT = 200
"""Problems whose chains of thought are compared; a mean over that many is steady, and comparing is slow."""
OVERLAP_LENGTHS = (1, 2, 3, 4, 6, 8)
COMPARED_CHAINS = 6
DESCRIBED = ("task", "regime", "model", "method", "k", "construction", "confidence")


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


def write_best_possible(folder: str | Path, best: BayesBest) -> Path:
    """Put the best possible values of a task whose truth is known into a run folder, where reports look for them."""
    path = Path(folder) / BAYES
    with replacing(path) as stream:
        stream.write(json.dumps(asdict(best), indent=1) + "\n")
    return path


def read_report(
    folders: Sequence[str | Path], *, resamples: int = RESAMPLES, on_progress: Callable[[int], None] = lambda done: None
) -> Report:
    """Everything a report shows; the texts of single problems are read when the report is written."""
    require_resamples(resamples, 1)
    paths = [Path(folder) for folder in folders]
    names = names_of(paths)
    training = [found for path, name in zip(paths, names, strict=True) if (found := read_training(path, name))]
    evaluated = [(p, n) for p, n in zip(paths, names, strict=True) if _is_evaluated(p, n, {t.name for t in training})]
    groups: dict[tuple[str, str], list[LoadedRun]] = {}
    for path, name in evaluated:
        loaded = _load(path, name)
        groups.setdefault((loaded.run.task, loaded.run.regime), []).append(loaded)
    for own in groups.values():
        own.sort(key=lambda loaded: order(loaded.run))
    sections = [_section(task, regime, own, resamples) for (task, regime), own in groups.items()]
    problems = read_problems(list(groups.values()), on_progress)
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
    first = next(file.by_problem(), None)
    if not first:
        raise InputError("there are no completions to show", place=folder.samples)
    objective = objective_from_record(first[0].record["objective"])
    overlaps, chains = _overlaps(file, objective)
    tally, said, sums = _tallied(folder)
    run = Run(
        name,
        **{key: told[key] for key in DESCRIBED},
        numbers={metric: Number(**number) for metric, number in told["metrics"].items()},
        counts=told["counts"],
        analyses=told["analyses"],
        top1=_pairs(tally.top1),
        pooled=_pairs(tally.pooled),
        sums=sums,
        overlaps=overlaps,
        best_possible=read_best_possible(path, told["k"]),
    )
    return LoadedRun(folder, run, file, objective, frozenset(tally.problems), said, chains)


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


def _pairs(pairs: TalliedPairs) -> Pairs:
    return Pairs(list(pairs.confidence), [bool(c) for c in pairs.correct])


def _overlaps(file: SampleFile, objective: Objective) -> tuple[dict[int, float], list[Pair]]:
    """By n, the mean share of a chain's n-grams that another chain of the same problem holds; and the pairs seen."""
    shares: dict[int, list[float]] = {n: [] for n in OVERLAP_LENGTHS}
    pairs = []
    for samples in islice(file.by_problem(), LOOKED_AT):
        chains = [_chain(sample, objective) for sample in samples[:COMPARED_CHAINS]]
        if len(chains) < 2:
            return {}, []
        texts = [each.text for each in chains]
        for n in OVERLAP_LENGTHS:
            shares[n] += [share for share in ngram_overlaps(texts, n) if share is not None]
        for first, second in combinations(chains, 2):
            shared = [share for share in ngram_overlaps([first.text, second.text]) if share is not None]
            if shared and first.answers and second.answers:
                pairs.append(Pair(samples[0].problem.id, (first, second), fmean(shared)))
    return {n: fmean(own) for n, own in shares.items() if own}, pairs


def _chain(sample: Sample, objective: Objective) -> Chain:
    parsed = parse(sample.text, objective, strict=False, finish_reason=sample.finish_reason)
    return Chain(parsed.thinking, parsed.answers) if isinstance(parsed, AnswerSet) else Chain(sample.text, ())


def _section(task: str, regime: str, loaded: list[LoadedRun], resamples: int) -> Section:
    runs = [each.run for each in loaded]
    differences: list[Difference] = []
    notes = []
    if len(runs) > 1 and not frozenset.intersection(*(each.problems for each in loaded)):
        require_same_problems({each.run.name: each.folder for each in loaded})
        notes.append("The runs share no problems, so no differences are tested.")
    elif len(runs) > 1:
        comparison = compare([each.folder.path for each in loaded], all_pairs=True, resamples=resamples)
        own = {compared.name: run.name for compared, run in zip(comparison.runs, runs, strict=True)}
        differences = [
            Difference(each.metric, own[each.first], own[each.second], each.value.value, each.p)
            for each in comparison.differences
        ]
        if any(comparison.left_out.values()):
            notes.append(f"Differences are tested on the {comparison.problems:,} problems that all runs share.")
    overlap = [exhibit for each in loaded if (exhibit := choose_pair(each.run.name, each.chains))]
    return Section(task, regime, runs, differences, _two_exhibits(runs, overlap), _clouds(loaded), notes)


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
