"""Run folders in, a report out: joins what evaluation and training wrote with the pages that show it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, islice
from pathlib import Path
from statistics import fmean
from typing import Any

from setwise.answers import AnswerSet, Malformed
from setwise.errors import InputError
from setwise.evaluation.analyses import by_problem
from setwise.evaluation.attempts import Attempt, Construction
from setwise.evaluation.comparison import compare
from setwise.evaluation.metrics import ngram_overlaps
from setwise.evaluation.run import RunFolder
from setwise.evaluation.samples import Sample, SampleFile
from setwise.evaluation.statistics import RESAMPLES
from setwise.evaluation.tally import Pairs as TalliedPairs
from setwise.evaluation.tally import Tally
from setwise.objectives import Objective
from setwise.parsing import parse
from setwise.records import objective_from_record
from setwise.reports import Report, Written, write_report
from setwise.reports.alignment import Stream, aligned
from setwise.reports.exhibits import Pair, Said, choose_clouds, choose_pair, cloud_runs
from setwise.reports.folders import read_best_possible, read_training
from setwise.reports.inputs import (
    Answer,
    Chain,
    CloudExhibit,
    Difference,
    Number,
    OverlapExhibit,
    Pairs,
    Run,
    Section,
    ShownProblem,
    ShownRun,
    ShownSet,
)
from setwise.reports.methods import order
from setwise.reports.write import FORMATS

LOOKED_AT = 200
"""Problems whose chains of thought are compared; a mean over that many is steady, and comparing is slow."""
OVERLAP_LENGTHS = (1, 2, 3, 4, 6, 8)
COMPARED_CHAINS = 6


@dataclass(slots=True)
class _Loaded:
    """A run folder, read once for its numbers and open to be read again for its texts."""

    folder: RunFolder
    run: Run
    file: SampleFile
    objective: Objective
    said: dict[str, Said] = field(default_factory=dict)
    pairs: list[Pair] = field(default_factory=list)


def make_report(
    folders: Sequence[str | Path],
    out: str | Path,
    *,
    formats: Sequence[str] = FORMATS,
    resamples: int = RESAMPLES,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Written:
    """Write a report on evaluation runs, training runs, or both. Asks no model and judges nothing anew."""
    report = read_report(folders, resamples=resamples, on_progress=on_progress)
    return write_report(report, out, formats=formats)


def read_report(
    folders: Sequence[str | Path], *, resamples: int = RESAMPLES, on_progress: Callable[[int], None] = lambda done: None
) -> Report:
    """Everything a report shows; the texts of single problems are read when the report is written."""
    paths = [Path(folder) for folder in folders]
    names = _names(paths)
    training = [found for path, name in zip(paths, names, strict=True) if (found := read_training(path, name))]
    evaluated = [(p, n) for p, n in zip(paths, names, strict=True) if _is_evaluated(p, n, {t.name for t in training})]
    groups: dict[tuple[str, str], list[_Loaded]] = {}
    for path, name in evaluated:
        loaded = _load(path, name)
        groups.setdefault((loaded.run.task, loaded.run.regime), []).append(loaded)
    for own in groups.values():
        own.sort(key=lambda loaded: order(loaded.run))
    sections = [_section(task, regime, own, resamples) for (task, regime), own in groups.items()]
    problems = _problems(list(groups.values()), on_progress)
    return Report(sections, training, problems)


def _names(paths: Sequence[Path]) -> list[str]:
    names = [path.resolve().name for path in paths]
    if len(set(names)) < len(names):
        names = [str(path) for path in paths]
    if len(set(names)) < len(names):
        raise InputError("each run must be given once", value=names)
    return names


def _is_evaluated(path: Path, name: str, trained: set[str]) -> bool:
    folder = RunFolder(path)
    if folder.metrics.is_file() and folder.scores.is_file():
        return True
    if folder.samples.is_file():
        raise InputError("the run is not scored", place=path, remedy=f"setwise eval --out {path} --rescore")
    if name not in trained:
        raise InputError("a run folder holds metrics.json and scores.jsonl, or log.jsonl", place=path)
    return False


def _load(path: Path, name: str) -> _Loaded:
    folder = RunFolder(path)
    told, tally = folder.read_metrics(), Tally()
    file = SampleFile.opened(folder.samples)
    first = next(file.by_problem(), None)
    if not first:
        raise InputError("there are no completions to show", place=folder.samples)
    said: dict[str, list[tuple[str, bool]]] = {}
    sums = []
    for attempt in folder.attempts():
        tally.add(attempt)
        if attempt.construction is not Construction.VOTED and attempt.forms:
            pairs = zip(attempt.forms, attempt.correct, strict=True)
            said.setdefault(attempt.problem, []).extend((form, right) for form, right in pairs if form is not None)
        if attempt.construction is Construction.WRITTEN and attempt.confidences and None not in attempt.confidences:
            sums.append((sum(q for q in attempt.confidences if q is not None), sum(attempt.correct)))
    objective = objective_from_record(first[0].record["objective"])
    numbers = {metric: Number(**number) for metric, number in told["metrics"].items()}
    described = {key: told[key] for key in ("task", "regime", "model", "method", "k", "construction", "confidence")}
    loaded = _Loaded(folder, Run(name, numbers=numbers, **described), file, objective, dict(said))
    overlaps, loaded.pairs = _overlaps(loaded)
    loaded.run = Run(
        name,
        numbers=numbers,
        **described,
        counts=told["counts"],
        analyses=told["analyses"],
        top1=_pairs(tally.top1),
        pooled=_pairs(tally.pooled),
        sums=sums,
        overlaps=overlaps,
        best_possible=read_best_possible(path, told["k"]),
    )
    return loaded


def _pairs(pairs: TalliedPairs) -> Pairs:
    return Pairs(list(pairs.confidence), [bool(c) for c in pairs.correct])


def _overlaps(loaded: _Loaded) -> tuple[dict[int, float], list[Pair]]:
    """By n, the mean share of a chain's n-grams that another chain of the same problem holds; and the pairs seen."""
    shares: dict[int, list[float]] = {n: [] for n in OVERLAP_LENGTHS}
    pairs = []
    for samples in islice(loaded.file.by_problem(), LOOKED_AT):
        chains = [_chain(sample, loaded.objective) for sample in samples[:COMPARED_CHAINS]]
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


def _section(task: str, regime: str, loaded: list[_Loaded], resamples: int) -> Section:
    runs = [each.run for each in loaded]
    differences: list[Difference] = []
    notes = []
    if len(runs) > 1:
        comparison = compare([each.folder.path for each in loaded], all_pairs=True, resamples=resamples)
        own = {compared.name: run.name for compared, run in zip(comparison.runs, runs, strict=True)}
        differences = [
            Difference(each.metric, own[each.first], own[each.second], each.value.value, each.p)
            for each in comparison.differences
        ]
        if any(comparison.left_out.values()):
            notes.append(f"Differences are tested on the {comparison.problems:,} problems that all runs share.")
    overlap = [exhibit for each in loaded if (exhibit := choose_pair(each.run.name, each.pairs))]
    return Section(task, regime, runs, differences, _two_exhibits(runs, overlap), _clouds(loaded), notes)


def _two_exhibits(runs: Sequence[Run], found: Sequence[OverlapExhibit]) -> list[OverlapExhibit]:
    """One of repeated samples and one of written sets are enough to see the difference."""
    sampled = {run.name: run.is_sampled for run in runs}
    firsts = (next((each for each in found if sampled[each.run] is kind), None) for kind in (True, False))
    return [each for each in firsts if each is not None]


def _clouds(loaded: list[_Loaded]) -> CloudExhibit | None:
    chosen = cloud_runs([each.run for each in loaded])
    if chosen is None:
        return None
    by_name = {each.run.name: each for each in loaded}
    single, multi = (by_name[run.name] for run in chosen)
    questions = {samples[0].problem.id: samples[0].problem.question for samples in islice(single.file.by_problem(), 1)}
    return choose_clouds(chosen, (single.said, multi.said), questions)


def _problems(groups: list[list[_Loaded]], on_progress: Callable[[int], None]) -> Iterator[ShownProblem]:
    """Every problem with what each run said, one at a time."""
    first, done = 0, 0
    for loaded in groups:
        streams = [
            Stream(_shown(each, first + place), frozenset(each.file.offsets)) for place, each in enumerate(loaded)
        ]
        for _, found in aligned(streams):
            sample = next(iter(found.values()))[0]
            problem = sample.problem
            golds = [gold.text for gold in problem.golds] if problem.golds is not None else list(problem.tests)
            shown = [said for _, said in found.values()]
            yield ShownProblem(loaded[0].run.task, problem.id, problem.question, golds, shown)
            done += 1
            on_progress(done)
        first += len(loaded)


def _shown(loaded: _Loaded, place: int) -> Iterator[tuple[str, tuple[Sample, ShownRun]]]:
    """What one run said to each problem that was scored."""
    scored = by_problem(loaded.folder.attempts())
    upcoming = next(scored, None)
    for samples in loaded.file.by_problem():
        problem = samples[0].problem.id
        if upcoming is None or upcoming[0] != problem:
            continue
        attempts = upcoming[1]
        upcoming = next(scored, None)
        solved = 2 * sum(any(each.credited) for each in attempts) >= len(attempts)
        yield problem, (samples[0], ShownRun(place, solved, list(_sets(loaded, samples, attempts))))


def _sets(loaded: _Loaded, samples: list[Sample], attempts: list[Attempt]) -> Iterator[ShownSet]:
    construction = loaded.run.construction
    size = 1 if construction == Construction.WRITTEN else loaded.run.k if loaded.run.is_sampled else len(samples)
    parts = [samples[start : start + size] for start in range(0, len(samples), size)]
    # Where the machinery failed on a set, which of them is not on record: none of this problem's is shown as judged.
    verdicts: list[Attempt | None] = [*attempts] if len(attempts) == len(parts) else [None] * len(parts)
    for part, attempt in zip(parts, verdicts, strict=True):
        parsed = [parse(each.text, loaded.objective, strict=False, finish_reason=each.finish_reason) for each in part]
        reasons = dict.fromkeys(chain.from_iterable(map(_reasons, parsed)))
        known = [each.tokens for each in part if each.tokens is not None]
        reasoning = [
            each.thinking if isinstance(each, AnswerSet) else sample.text
            for sample, each in zip(part, parsed, strict=True)
        ]
        answers = _voted(attempt) if construction == Construction.VOTED else _answers(parsed, attempt)
        yield ShownSet(answers, list(reasons), sum(known) if len(known) == len(part) else None, reasoning)


def _reasons(parsed: AnswerSet | Malformed) -> list[str]:
    if isinstance(parsed, Malformed):
        return [str(parsed.reason)]
    return [f"repaired: {reason}" for reason in parsed.repairs]


def _answers(parsed: Sequence[AnswerSet | Malformed], attempt: Attempt | None) -> list[Answer]:
    candidates = [each for one in parsed if isinstance(one, AnswerSet) for each in one.candidates]
    if attempt is None or len(attempt.correct) != len(candidates):
        return [Answer(each.text, each.confidence) for each in candidates]
    credited: Sequence[Any] = attempt.credited or attempt.correct
    return [
        Answer(each.text, each.confidence, right, repeated=right and not earned)
        for each, right, earned in zip(candidates, attempt.correct, credited, strict=True)
    ]


def _voted(attempt: Attempt | None) -> list[Answer]:
    if attempt is None:
        return []
    rows = zip(attempt.forms, attempt.confidences, attempt.correct, strict=True)
    return [Answer(form or "", confidence, right) for form, confidence, right in rows]
