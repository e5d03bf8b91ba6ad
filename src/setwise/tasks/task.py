"""What a task is: problems to iterate over, and what everything after them must know about them."""

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
    """A row that a named rule keeps out of the problems."""

    rule: str
    place: str


@dataclass(frozen=True, eq=False)
class Task:
    """Problems, loaded anew at every iteration, with their regime, matcher and instruction."""

    name: str
    """What tables and headings call it; for a file of your own, the file's name."""
    regime: Regime
    instruction: str
    """One short sentence that says what kind of answers are wanted."""
    read: Callable[[], Iterable[Problem | LeftOut]]
    matcher: Matcher = exact
    answer_names: tuple[str, ...] = ()
    """Every answer there can be, where that is a closed list."""
    notes: tuple[str, ...] = ()
    """What was decided for the user and should be said aloud, such as an inferred regime."""
    world: "World | None" = None
    """What generated the problems, where that is known (clinic)."""
    source: str = ""
    """Identity of the data that was read, the same on every machine."""
    kind: str = ""
    """The name it was asked for by, such as `jsonl`; `load_task` fills it in, and the next two."""
    path: str | None = None
    """Where the data was read, on this machine."""
    fingerprint: str = ""
    """Hash of kind, source, split, subset and options."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Rows that the latest iteration left out, by rule."""

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
    """For a task that leaves nothing to choose."""


@dataclass(frozen=True, slots=True)
class TaskRequest(Generic[Options]):
    """What a user asked `load_task` for, checked, as a task's module gets it."""

    task: str
    options: Options
    path: str | None = None
    split: str | None = None
    limit: int | None = None
    seed: int | None = None

    def described(self) -> dict[str, Any]:
        """Everything but the path, which is another one on every machine, and the options left as they are."""
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
    """What makes tasks of one kind; a package of your own offers one under the entry point `setwise.tasks`."""

    summary: str
    open: Callable[[TaskRequest[Any]], Task]
    splits: tuple[str, ...] = ()
    """The first one is what training reads; none where a path settles it."""
    options: type = NoOptions
    """A dataclass of what can be chosen, every field with its default."""
    splits_at: Callable[[str | None], tuple[str, ...]] | None = None
    """Which splits a path has, where not every path has all of them."""
