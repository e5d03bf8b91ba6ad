"""One run folder as a report and a plot need it: metrics, stated confidences, sums, overlaps."""

from collections.abc import Mapping
from itertools import combinations, islice
from pathlib import Path
from statistics import fmean

from setwise.answers import AnswerSet
from setwise.errors import InputError
from setwise.evaluation.tally import Claims, Tally
from setwise.metrics import find_metric, is_known
from setwise.metrics.claims import shares_out_one, whole_claim
from setwise.metrics.diversity import ngram_overlaps
from setwise.objectives import Objective
from setwise.parsing import parse
from setwise.records.attempt import Construction
from setwise.records.audit import AUDIT, AuditRecord
from setwise.records.best_possible import BAYES, BestPossible
from setwise.records.run import RunFolder
from setwise.records.sample import Sample
from setwise.records.sample_file import SampleFile
from setwise.reports.exhibits import Pair, Said
from setwise.reports.inputs import Chain, Run, SetSum, StatedPairs
from setwise.workflows.report_models import base_model
from setwise.workflows.report_problems import LoadedRun
from setwise.workflows.report_profile import read_profile_curves

LOOKED_AT = 200
"""Problems whose chains of thought are compared. A mean over this many is stable, and comparing is slow."""
OVERLAP_LENGTHS = (1, 2, 3, 4, 6, 8)
COMPARED_CHAINS = 6


def load_run(path: Path, name: str) -> LoadedRun:
    """One scored run folder, with its metrics, its confidences and what is needed to read its texts."""
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
    numbers = {metric: number for metric, number in told.metrics.estimates.items() if is_known(metric)}
    run = Run(
        name=name,
        task=told.task,
        regime=told.regime,
        model=told.model,
        method=told.method,
        k=told.k,
        construction=told.construction,
        confidence=told.confidence,
        numbers=numbers,
        unknown=sorted(told.metrics.estimates.keys() - numbers),
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
        audit=AuditRecord.read(path / AUDIT) if (path / AUDIT).is_file() else None,
        base_model=base_model(told.model),
    )
    return LoadedRun(
        folder, run, file, config.objective, config.task, frozenset(tally.problems), said, chains, _right(tally)
    )


def _known(numbers: Mapping[str, float], place: Path) -> Mapping[str, float]:
    """The best possible values, each of a metric in the table; others would be shown nowhere."""
    try:
        for key in numbers:
            find_metric(key)
    except InputError as error:
        raise error.at(place) from None
    return numbers


def _tallied(folder: RunFolder) -> tuple[Tally, dict[str, Said], list[SetSum]]:
    """Confidences as evaluation counts them; all answers, by problem; and the sums of written sets."""
    tally, sums = Tally(), []
    said: dict[str, list[tuple[str, bool]]] = {}
    for attempt in folder.attempts():
        tally.add(attempt)
        if attempt.construction is not Construction.VOTED and attempt.forms:
            pairs = zip(attempt.forms, attempt.correct, strict=True)
            said.setdefault(attempt.problem, []).extend((form, right) for form, right in pairs if form is not None)
        claim = whole_claim(attempt)
        if claim and attempt.construction is Construction.WRITTEN:
            sums.append(SetSum(sum(claim), sum(attempt.correct), shares_out_one(claim)))
    return tally, dict(said), sums


def _right(tally: Tally) -> dict[str, float]:
    means = tally.means["n_correct"]
    return {problem: means.sums[place] / means.times[place] for problem, place in tally.problems.items()}


def _pairs(claims: Claims) -> StatedPairs:
    return StatedPairs(list(claims.confidence), [bool(c) for c in claims.correct])


def _overlaps(file: SampleFile, objective: Objective) -> tuple[dict[int, float], list[Pair]]:
    """By n, the mean share of a chain's n-grams that another chain for the same problem has; and the pairs seen."""
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
