"""How far runs are, judged by what they have written so far."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from setwise.errors import InputError
from setwise.records.audit import AUDIT
from setwise.records.files import count_lines, read_json
from setwise.records.run import RunFolder
from setwise.records.training_log import ALARMS, LOG, TrainingLog
from setwise.reports.folders import read_recipe_sections

MARKS = (LOG, "metrics.json", "samples.jsonl", "config.yaml")
"""A folder with one of these is a run."""
WRITTEN = (LOG, ALARMS, "metrics.json", "scores.jsonl", "samples.jsonl", "profile.json", "bayes.json", AUDIT)
DEEPEST = 3


@dataclass(frozen=True, slots=True)
class RunProgress:
    name: str
    told: str
    share: float | None = None
    """Share of its work that is done; None if unknown."""
    reportable: bool = False
    """Whether it has something for a report."""


def run_folders(paths: Sequence[Path]) -> list[Path]:
    """The folders that are runs, and the runs below the others. A path without any stays as it is."""
    found: list[Path] = []
    for path in paths:
        found += [path] if _is_run(path) else sorted(_below(path, DEEPEST)) or [path]
    return list(dict.fromkeys(found))


def progress_of(folder: Path, name: str) -> RunProgress:
    """What a run is doing, as far as its files show."""
    run, log = RunFolder(folder), TrainingLog(folder)
    if run.is_scored:
        return RunProgress(name, "evaluated", 1.0, reportable=True)
    if run.samples.is_file():
        return _asking(run, name)
    if log.exists:
        return _training(folder, name)
    begun = (folder / "config.yaml").is_file() or run.config.is_file()
    return RunProgress(name, "begun, nothing logged yet" if begun else "not begun")


def stamps(folder: Path) -> tuple[tuple[int, int], ...]:
    """Changes whenever the run writes something that a report shows."""
    files = [folder / name for name in WRITTEN] + [folder / "model" / "setwise.json"]
    known = [file.stat() for file in files if file.is_file()]
    return tuple((each.st_mtime_ns, each.st_size) for each in known)


def _is_run(folder: Path) -> bool:
    return any((folder / mark).is_file() for mark in MARKS)


def _below(folder: Path, depth: int) -> Iterator[Path]:
    inside = [each for each in folder.iterdir() if each.is_dir()] if depth and folder.is_dir() else []
    for each in inside:
        if _is_run(each):
            yield each
        else:
            yield from _below(each, depth - 1)


def _asking(run: RunFolder, name: str) -> RunProgress:
    done, total = count_lines(run.samples) or 0, 0
    try:
        config = read_json(run.config)
        total = int(config["task"]["problems"]) * int(config["method"]["samples"])
    except (InputError, KeyError, TypeError, ValueError):
        pass
    if total and done >= total:
        return RunProgress(name, "being judged", 1.0)
    of = f" of {total:,}" if total else ""
    return RunProgress(name, f"{done:,}{of} completions", done / total if total else None)


def _training(folder: Path, name: str) -> RunProgress:
    steps = TrainingLog(folder).steps()
    done = int(steps[-1]["step"]) if steps else 0
    if (folder / "model" / "setwise.json").is_file():
        return RunProgress(name, f"trained, {done:,} steps", 1.0, reportable=True)
    optimisation = read_recipe_sections(folder / "config.yaml").get("optimisation")
    total = optimisation.get("steps") if isinstance(optimisation, dict) else None
    share = done / total if isinstance(total, int) and total else None
    return RunProgress(name, f"step {done:,}" + (f" of {total:,}" if share is not None else ""), share, bool(steps))
