from pathlib import Path

import pytest

from results.rebuild import HERE, name_of, rebuild
from results.records import unpack
from tests.once import made_once
from tests.results.archives import Archives

ARCHIVES = sorted(HERE.glob("*.tar.xz"))


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The published records, by archive."""
    return _by_archive(made_once(_unpack, tmp_path_factory, "unpacked"))


@pytest.fixture(scope="session")
def records(unpacked: dict[str, Path]) -> Archives:
    return Archives(unpacked)


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same with their reports: minutes of work."""
    return _by_archive(made_once(lambda out: rebuild(ARCHIVES, out), tmp_path_factory, "published"))


def _unpack(out: Path) -> None:
    for archive in ARCHIVES:
        unpack(archive, out / name_of(archive))


def _by_archive(root: Path) -> dict[str, Path]:
    return {name_of(archive): root / name_of(archive) for archive in ARCHIVES}
