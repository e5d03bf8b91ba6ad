"""Tasks, matchers, metrics and reward terms by name: ours, an installed package's, or your own.

A `Registry` looks for a name among what was added to it, then as `module:name` (an importable module, or a file as
`path/to/file.py:name`), then among the entry points of installed packages. docs/how-to/extend.md shows all four kinds.
"""

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from setwise.errors import InputError
from setwise.home import at_home

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Thing = TypeVar("Thing")


@dataclass(slots=True)
class Registry(Generic[Thing]):
    """Things of one kind, by name."""

    kind: type[Thing]
    what: str
    """How error messages name the kind: `a metric`."""
    group: str
    """The entry point group: `setwise.metrics`."""
    added: dict[str, Thing | str] = field(default_factory=dict)
    """Each thing, or the place to import it from."""
    _installed: "dict[str, EntryPoint] | None" = None

    def add(self, name: str, thing: Thing) -> Thing:
        if self.added.setdefault(name, thing) is not thing:
            raise InputError(f"{self.what} of this name already exists", value=name, remedy="choose another name")
        return thing

    def find(self, name: str) -> Thing:
        """The thing of that name. For an unknown name, the error suggests the closest known one."""
        found = self.added.get(name)
        if found is None and ":" in name:
            return self._checked(load(name, self.what), name)
        if found is None:
            if (entry := self._entries().get(name)) is None:
                remedy = suggestion(name, self.names()) or f"one of your own is module:name; known: {self.listed()}"
                raise InputError(f"{self.what} of this name is not known", value=name, remedy=remedy)
            found = self._loaded(entry)
        if isinstance(found, str):
            found = load(found, self.what)
        self.added[name] = checked = self._checked(found, name)
        return checked

    def __contains__(self, name: str) -> bool:
        """Whether the name is known. Does not import `module:name`."""
        return name in self.added or name in self._entries()

    def names(self) -> list[str]:
        return list(dict.fromkeys([*self.added, *self._entries()]))

    def listed(self) -> str:
        return ", ".join(self.names())

    def all(self) -> Iterator[Thing]:
        """Everything known; installed packages come last."""
        return (self.find(name) for name in self.names())

    def _entries(self) -> dict[str, "EntryPoint"]:
        if self._installed is None:
            from importlib.metadata import entry_points

            self._installed = {entry.name: entry for entry in entry_points(group=self.group)}
        return self._installed

    def _loaded(self, entry: "EntryPoint") -> Any:
        try:
            return entry.load()
        except Exception as error:
            raise _unloadable(f"{entry.name} = {entry.value}", self.what, error) from error

    def _checked(self, found: Any, name: str) -> Thing:
        if isinstance(found, self.kind):
            return found
        raise InputError(f"{self.what} must be a {self.kind.__name__}", place=name, value=type(found).__name__)


def load(spec: str, what: str) -> Any:
    """Import `module:name` or `file.py:name`.

    >>> load("math:pi", "a number")
    3.141592653589793
    """
    place, _, name = spec.rpartition(":")
    try:
        module = _module_of_file(Path(at_home(place))) if place.endswith(".py") else _imported(place)
        return getattr(module, name)
    except Exception as error:
        raise _unloadable(spec, what, error) from error


def suggestion(word: str, known: Any) -> str:
    """`did you mean ...?` if a similar name is known, else an empty string.

    >>> suggestion("ddxpls", ["clinic", "ddxplus"])
    'did you mean ddxplus?'
    """
    close = get_close_matches(str(word), list(known), n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else ""


def _imported(name: str) -> Any:
    """Import a module from the path or, like `python -m`, from the working directory."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    return importlib.import_module(name)


def _module_of_file(path: Path) -> Any:
    """Load a file once, under its own name, so that what it defines can be pickled wherever the file is importable."""
    name = f"setwise_file_{path.stem}"
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == str(path.resolve()):
        return known
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec is not None, "the suffix is .py"
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        loader: Any = spec.loader
        loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _unloadable(spec: str, what: str, error: Exception) -> InputError:
    reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
    return InputError(f"{what} cannot be loaded ({reason})", place=spec)
