"""Which runs of a report were asked the same data and share its tables, and what distinguishes such groups."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from setwise.records.run import AskedTask
from setwise.workflows.report_problems import LoadedRun


@dataclass(slots=True)
class Group:
    """Runs on the same data of one task."""

    task: str
    regime: str
    runs: list[LoadedRun] = field(default_factory=list)
    data: str = ""
    """What distinguishes it from the other groups of its task; empty if there are none."""

    @property
    def title(self) -> str:
        return f"{self.task} ({self.data})" if self.data else self.task


def grouped(loaded: Sequence[LoadedRun]) -> list[Group]:
    """The runs grouped by what they were asked, in the order given."""
    groups: list[Group] = []
    for each in loaded:
        own = next((group for group in groups if _belongs(each, group)), None)
        if own is None:
            own = Group(each.run.task, each.run.regime)
            groups.append(own)
        own.runs.append(each)
    for group in groups:
        alike = [other for other in groups if (other.task, other.regime) == (group.task, group.regime)]
        if len(alike) > 1 and not group.data:
            for other, text in zip(alike, _apart([other.runs[0].task for other in alike]), strict=True):
                other.data = text
    return groups


def _belongs(loaded: LoadedRun, group: Group) -> bool:
    same_task = (loaded.run.task, loaded.run.regime) == (group.task, group.regime)
    return same_task and any(_same_data(loaded.task, other.task) for other in group.runs)


def _same_data(first: AskedTask, second: AskedTask) -> bool:
    """Whether two runs of one task read the same file. Assumed if one has no record of what it read."""
    if first.fingerprint and first.fingerprint == second.fingerprint:
        return True
    if not (first.source and second.source) or first.source == second.source:
        return True
    # A file that has grown since is still the same one, and its problems are compared one by one.
    return bool(_path(first)) and _path(first) == _path(second) and _split(first) == _split(second)


def _apart(tasks: Sequence[AskedTask]) -> list[str]:
    """What differs between data of one name: the path, the split, or else the fingerprint."""
    ways: tuple[Callable[[AskedTask], str], ...] = (_path, _split, lambda task: (task.fingerprint or "")[:8])
    for way in ways:
        texts = [way(task) for task in tasks]
        if all(texts) and len(set(texts)) == len(texts):
            return _shortened(texts) if way is _path else texts
    return [str(number) for number in range(1, len(tasks) + 1)]


def _shortened(paths: Sequence[str]) -> list[str]:
    """The ends of paths, as long as needed to tell them apart.

    >>> _shortened(["a/qa/test.jsonl", "b/qa/test.jsonl"]), _shortened(["x/one.csv", "y/two.csv"])
    (['a/qa/test.jsonl', 'b/qa/test.jsonl'], ['one.csv', 'two.csv'])
    """
    parts = [PurePath(path).parts for path in paths]
    for size in range(1, max(map(len, parts)) + 1):
        ends = [str(PurePath(*own[-size:])) for own in parts]
        if len(set(ends)) == len(ends):
            return ends
    return list(paths)


def _path(task: AskedTask) -> str:
    return str(task.settings.get("path") or "")


def _split(task: AskedTask) -> str:
    return str(task.settings.get("split") or "")
