"""Datasets from the Hugging Face hub, or from a folder in the hub's layout, read through `datasets`.

`datasets` keeps a copy on disk and maps it into memory, so a row costs nothing until it is read.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from setwise.errors import InputError, MissingDependency
from setwise.tasks.rows import RawRow
from setwise.tasks.sources import HubSource


def open_hub(source: HubSource, split: str, config: str | None = None) -> Any:
    """The `datasets.Dataset` of one split."""
    try:
        import datasets
        from datasets.exceptions import DatasetsError
    except ImportError:
        raise MissingDependency("reading from the hub", package="datasets", extra="data") from None
    try:
        return datasets.load_dataset(source.repository, config, split=split, revision=source.revision)
    except (OSError, ValueError, DatasetsError) as error:
        raise _unreadable(source, error) from None


def hub_rows(source: HubSource, split: str, config: str | None = None) -> Iterator[RawRow]:
    """Every row of one split, in order."""
    for position, fields in enumerate(open_hub(source, split, config), start=1):
        yield RawRow(f"{source.repository}[{split}]: row {position}", position, fields)


def hub_file(source: HubSource, name: str) -> Path:
    """A file next to the rows."""
    local = Path(source.repository)
    if local.is_dir():
        return local / name
    try:
        from huggingface_hub import hf_hub_download
    except ImportError:
        raise MissingDependency("reading from the hub", package="datasets", extra="data") from None
    try:
        return Path(hf_hub_download(source.repository, name, repo_type="dataset", revision=source.revision))
    except (OSError, ValueError) as error:
        raise _unreadable(source, error) from None


def _unreadable(source: HubSource, error: Exception) -> InputError:
    first_line = str(error).strip().partition("\n")[0]
    return InputError(
        "the hub dataset could not be read",
        place=source.repository,
        value=f"{type(error).__name__}: {first_line}",
        remedy="check the id and the connection, or give the downloaded files as path",
    )
