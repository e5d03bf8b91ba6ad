import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from results.rebuild import HERE, name_of, rebuild
from results.records import unpack
from tests.results.archives import Archives

ARCHIVES = sorted(HERE.glob("*.tar.xz"))


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The published records, by archive."""
    return _once(_unpacked, tmp_path_factory, "unpacked")


@pytest.fixture(scope="session")
def records(unpacked: dict[str, Path]) -> Archives:
    return Archives(unpacked)


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same with their reports: minutes of work."""
    return _once(lambda out: rebuild(ARCHIVES, out), tmp_path_factory, "published")


def _unpacked(out: Path) -> dict[str, Path]:
    for archive in ARCHIVES:
        unpack(archive, out / name_of(archive))
    return {name_of(archive): out / name_of(archive) for archive in ARCHIVES}


def _once(make: Callable[[Path], dict[str, Path]], factory: pytest.TempPathFactory, name: str) -> dict[str, Path]:
    """Made by one of the processes of a test run, for all of them."""
    base = factory.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    made = root / f"{name}.json"
    with FileLock(root / f"{name}.lock"):
        if not made.exists():
            found = make(root / name)
            made.write_text(json.dumps({archive: str(path) for archive, path in found.items()}))
    return {archive: Path(path) for archive, path in json.loads(made.read_text()).items()}
