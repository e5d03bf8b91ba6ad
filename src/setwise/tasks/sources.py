"""Where the rows of a task are: a file, a folder with one file per split, or a dataset on the Hugging Face hub."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from setwise.errors import InputError
from setwise.home import at_home
from setwise.tasks.task import TaskRequest

HUB_PREFIX = "hub:"
PATH = "a path (--path, path= in Python, task.path in a recipe)"
_EDGE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class HubSource:
    """`hub:OWNER/NAME` or `hub:OWNER/NAME@REVISION`. OWNER/NAME may also be a folder in the hub's layout."""

    repository: str
    revision: str | None

    @property
    def identity(self) -> str:
        name = Path(self.repository).name if Path(self.repository).is_dir() else self.repository
        return f"{HUB_PREFIX}{name}@{self.revision or ''}"


@dataclass(frozen=True, slots=True)
class FileSource:
    """One file on this machine."""

    path: Path

    @property
    def identity(self) -> str:
        return content_identity(self.path)


@dataclass(frozen=True, slots=True)
class FileLayout:
    """Which file names belong to which split, and where the files come from."""

    files: Mapping[str, Sequence[str]]
    origin: str
    hub: str = ""
    """The dataset's id on the hub; empty if the task cannot read from there."""
    hub_splits: tuple[str, ...] = ()
    """The splits on the hub; by default, all splits."""


def find_source(request: TaskRequest, layout: FileLayout) -> HubSource | FileSource:
    """The place to read from. If none was given, the error names the official source."""
    places = f"a file, a folder or {HUB_PREFIX}{layout.hub}" if layout.hub else "a file or a folder"
    origin = f"the files come from {layout.origin}"
    if request.path is None:
        raise InputError(f"{request.task} needs {PATH}, {places}", remedy=origin)
    if request.path.startswith(HUB_PREFIX):
        if not layout.hub:
            raise InputError(f"the path of {request.task} is {places}", value=request.path, remedy=origin)
        repository, _, revision = request.path.removeprefix(HUB_PREFIX).partition("@")
        if not repository:
            remedy = f"such as {HUB_PREFIX}{layout.hub}"
            raise InputError("a path of the hub is hub:OWNER/NAME", value=request.path, remedy=remedy)
        return HubSource(at_home(repository), revision or None)
    path = Path(request.path)
    if path.is_dir():
        return FileSource(_file_of_split(path, request.split or next(iter(layout.files)), layout))
    if not path.exists():
        raise InputError("no such file or folder", place=path, remedy=origin)
    return FileSource(path)


def splits_at(path: str | None, layout: FileLayout) -> tuple[str, ...]:
    """The splits that a path has: a folder by its files, a file by its name."""
    if path is None or path.startswith(HUB_PREFIX):
        return layout.hub_splits or tuple(layout.files)
    place = Path(path)
    there = {file.name for file in place.iterdir() if file.is_file()} if place.is_dir() else {place.name}
    return tuple(split for split, names in layout.files.items() if there.intersection(names))


def check_file_split(request: TaskRequest, source: FileSource, layout: FileLayout) -> None:
    """A path to one split's file can be asked for that split only."""
    split, path = request.split, source.path
    if split is not None and Path(request.path or "").is_file() and path.name not in layout.files[split]:
        raise InputError(
            f"{path.name} is one file, and not the {split} split's ({' or '.join(layout.files[split])})",
            value=split,
            remedy="give the folder, or leave split out",
        )


def content_identity(path: Path) -> str:
    """Hash of a file's size and its first and last megabyte: enough to tell releases apart, and cheap for a
    gigabyte."""
    size = path.stat().st_size
    digest = blake2b(str(size).encode(), digest_size=16)
    with path.open("rb") as file:
        digest.update(file.read(_EDGE_BYTES))
        file.seek(max(0, size - _EDGE_BYTES))
        digest.update(file.read(_EDGE_BYTES))
    return digest.hexdigest()


def _file_of_split(folder: Path, split: str, layout: FileLayout) -> Path:
    for name in layout.files[split]:
        if (folder / name).is_file():
            return folder / name
    raise InputError(
        f"the folder has no file for split {split}: {' or '.join(layout.files[split])}",
        place=folder,
        value=sorted(file.name for file in folder.iterdir())[:8],
        remedy=f"the files come from {layout.origin}",
    )
