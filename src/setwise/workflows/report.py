"""Makes a report from run folders: joins what evaluation and training wrote with the pages that show it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from setwise.errors import InputError
from setwise.evaluation.compare import compare
from setwise.evaluation.judged_alike import require_judged_alike
from setwise.evaluation.measure import require_resamples
from setwise.evaluation.same_problems import require_same_problems
from setwise.records.comparison import Difference
from setwise.records.run import RunFolder, names_of
from setwise.reports import Report, Written, write_report
from setwise.reports.exhibits import choose_clouds, choose_pair, cloud_runs
from setwise.reports.folders import read_training
from setwise.reports.inputs import CloudExhibit, DatasetSection, OverlapExhibit, Run
from setwise.reports.methods import order
from setwise.reports.write import FORMATS
from setwise.statistics import RESAMPLES
from setwise.workflows.report_groups import Group, grouped
from setwise.workflows.report_problems import LoadedRun, read_problems
from setwise.workflows.report_runs import load_run
from setwise.workflows.report_telling import find_telling


def make_report(
    folders: Sequence[str | Path],
    out: str | Path,
    *,
    formats: Sequence[str] = FORMATS,
    resamples: int = RESAMPLES,
    title: str = "",
    on_progress: Callable[[int], None] = lambda done: None,
    on_note: Callable[[str], None] = lambda note: None,
) -> Written:
    """Write a report on evaluation runs, training runs, or both. Asks no model and judges nothing again."""
    report = read_report(folders, resamples=resamples, on_progress=on_progress)
    written = write_report(replace(report, title=title or report.title), out, formats=formats)
    for note in _left_out([run for section in report.sections for run in section.runs]):
        on_note(note)
    return written


def read_report(
    folders: Sequence[str | Path], *, resamples: int = RESAMPLES, on_progress: Callable[[int], None] = lambda done: None
) -> Report:
    """Everything a report shows. The texts of single problems are read when the report is written."""
    require_resamples(resamples, 1)
    paths = [Path(folder) for folder in folders]
    names = names_of(paths)
    training = [found for path, name in zip(paths, names, strict=True) if (found := read_training(path, name))]
    evaluated = [(p, n) for p, n in zip(paths, names, strict=True) if _is_evaluated(p, n, {t.name for t in training})]
    groups = grouped([load_run(path, name) for path, name in evaluated])
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


def _section(group: Group, resamples: int) -> DatasetSection:
    loaded = group.runs
    runs = [each.run for each in loaded]
    differences: list[Difference] = []
    notes = _left_out(runs)
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
    section = DatasetSection(
        group.task,
        group.regime,
        runs,
        differences,
        _two_exhibits(runs, overlap),
        _clouds(loaded),
        notes,
        group.data,
    )
    return replace(section, telling=find_telling(section, loaded))


def _left_out(runs: Sequence[Run]) -> list[str]:
    """At most one note, which names the metrics that nobody registered."""
    keys = sorted({key for run in runs for key in run.unknown})
    if not keys:
        return []
    which = "a metric that is" if len(keys) == 1 else "metrics that are"
    return [f"Left out: {', '.join(keys)}, {which} not loaded; to include your own, add --metric MODULE:NAME."]


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
