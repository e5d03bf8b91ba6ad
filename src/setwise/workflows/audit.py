"""Audits runs: folders of evaluations and training runs, and logs of other engines."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from setwise.audit import audit
from setwise.audit.said import AuditSource, Context
from setwise.errors import InputError
from setwise.prompting import system_prompt
from setwise.questions import Problem
from setwise.records.audit import AUDIT, AuditRecord
from setwise.records.run import RunConfig, RunFolder, names_of
from setwise.records.sample_file import SampleFile
from setwise.signs.copies import padded
from setwise.tasks import load_task
from setwise.workflows.audited_golds import is_cheap, unsatisfiable
from setwise.workflows.audited_logs import is_log, log_source
from setwise.workflows.audited_run import FolderSource, right_answers
from setwise.workflows.audited_training import has_completions, training_source

RightByTask = Mapping[str, Mapping[str, frozenset[str]]]
"""By task fingerprint and problem, the forms of right answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions:
    """What may be known besides the runs, and how far to go."""

    trained_on: str | None = None
    """A file of problems, as `setwise data export` writes it."""
    check_tests: bool = False
    """Score the golds or references of every problem, even if that starts processes."""
    findings: Sequence[str] = ()


def audit_runs(
    paths: Sequence[str | Path],
    options: AuditOptions | None = None,
    *,
    write: bool = True,
    on_run: Callable[[AuditRecord, Path | None], None] = lambda record, written: None,
) -> list[AuditRecord]:
    """Audit every run by itself. In a run folder the result is kept as audit.json, for reports."""
    chosen = options or AuditOptions()
    places = [Path(path) for path in paths]
    records = []
    right = _right_by_task(places)
    for place, name in zip(places, names_of(places), strict=True):
        record = audit(source_of(place, name, chosen, right), chosen.findings)
        written = place / AUDIT if write and place.is_dir() else None
        if written is not None:
            record.write(written)
        on_run(record, written)
        records.append(record)
    return records


def source_of(place: Path, name: str, options: AuditOptions, right: RightByTask | None = None) -> AuditSource:
    folder = RunFolder(place)
    if folder.samples.is_file():
        source = _evaluation(folder, name, options)
        return replace(source, also_right=(right or {}).get(folder.fingerprint() or "", {}))
    if has_completions(place):
        return training_source(place, name)
    if place.exists() and is_log(place):
        return log_source(place, name)
    raise InputError(
        "an audit reads a run folder with samples.jsonl, a training with run.log_completions=true, an Inspect log or "
        "the traces.jsonl of verifiers",
        place=place,
    )


def _right_by_task(places: Sequence[Path]) -> RightByTask:
    """The right answers of several runs on the same problems. Together they know more golds than each alone."""
    alike: defaultdict[str, list[RunFolder]] = defaultdict(list)
    for folder in map(RunFolder, places):
        if folder.is_scored and (fingerprint := folder.fingerprint()):
            alike[fingerprint].append(folder)
    return {own: right_answers(folders) for own, folders in alike.items() if len(folders) > 1}


def _evaluation(folder: RunFolder, name: str, options: AuditOptions) -> FolderSource:
    folder.require_scored()
    config = folder.read_config()
    context = Context(
        name=name,
        objective=config.objective,
        prompt=_prompt(config),
        matcher=config.matcher,
        training_rows=_training_rows(options.trained_on),
    )
    source = FolderSource(
        folder, SampleFile.opened(folder.samples), context, config.method.construction, config.method.k
    )
    if not is_cheap(config.matcher) and not options.check_tests:
        return source
    problems = [asked for asked in source.asked() if isinstance(asked, Problem)]
    broken = tuple(unsatisfiable(problems, config.matcher, config.objective.regime))
    return replace(source, context=replace(context, broken=broken, checked_golds=bool(problems)))


def _prompt(config: RunConfig) -> str:
    return system_prompt(config.method.asked_objective(config.objective.regime), config.method.prompt)


def _training_rows(path: str | None) -> tuple[str, ...]:
    return tuple(padded(problem.question.text) for problem in load_task("jsonl", path=path)) if path else ()
