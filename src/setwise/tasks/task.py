"""What a task is: problems to iterate over, and what the later stages must know about them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from setwise.matching import exact
from setwise.matching.protocol import Matcher
from setwise.objectives import Regime
from setwise.questions import Problem

if TYPE_CHECKING:
    from setwise.tasks.clinic_world import World


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row that a named rule excludes from the problems."""

    rule: str
    place: str


@dataclass(frozen=True, eq=False)
class Task:
    """Problems, loaded afresh at every iteration, with their regime, matcher and instruction."""

    name: str
    """The name in tables and headings; for your own file, its file name."""
    regime: Regime
    """Whether several answers can be right."""
    instruction: str
    """One short sentence about the kind of answers wanted."""
    read: Callable[[], Iterable[Problem | LeftOut]]
    """Reads the rows; called at every iteration."""
    matcher: Matcher = exact
    """Judges the answers."""
    answer_names: tuple[str, ...] = ()
    """Every possible answer, if there is a closed list."""
    notes: tuple[str, ...] = ()
    """What was decided for the user and should be reported, such as an inferred regime."""
    world: "World | None" = None
    """What generated the problems, if that is known (clinic)."""
    source: str = ""
    """Identity of the data, the same on every machine."""
    kind: str = ""
    """The name it was requested by, such as `jsonl`. `load_task` sets this and the next two."""
    path: str | None = None
    """Where the data was read from on this machine."""
    fingerprint: str = ""
    """Hash of kind, source, split, subset and options."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Rows left out by the latest iteration, by rule."""

    def __iter__(self) -> Iterator[Problem]:
        left_out: Counter[str] = Counter()
        try:
            for row in self.read():
                if isinstance(row, LeftOut):
                    left_out[row.rule] += 1
                else:
                    yield row
        finally:
            self.left_out.clear()
            self.left_out.update(left_out)


Options = TypeVar("Options")


@dataclass(frozen=True, slots=True)
class NoOptions:
    """For tasks without options."""


@dataclass(frozen=True, slots=True)
class TaskRequest(Generic[Options]):
    """What a user asked `load_task` for, checked, as passed to the task's module."""

    task: str
    options: Options
    path: str | None = None
    split: str | None = None
    limit: int | None = None
    seed: int | None = None

    def described(self) -> dict[str, Any]:
        """Everything except the path, which differs between machines, and options left at their defaults."""
        options: Any = self.options
        changed = {f.name: value for f in fields(options) if (value := getattr(options, f.name)) != f.default}
        return {
            "task": self.task,
            "split": self.split,
            "limit": self.limit,
            "seed": self.seed,
            "options": changed,
        }


@dataclass(frozen=True, slots=True)
class TaskKind:
    """Opens tasks of one kind. Your own package offers one under the entry point `setwise.tasks`."""

    summary: str
    """One line for `setwise data --help`."""
    open: Callable[[TaskRequest[Any]], Task]
    """Makes the task that a user asked for."""
    splits: tuple[str, ...] = ()
    """Training reads the first one. Empty if the path decides."""
    options: type = NoOptions
    """A dataclass of the options, every field with a default."""
    splits_at: Callable[[str | None], tuple[str, ...]] | None = None
    """Which splits a path has, if not every path has all of them."""
