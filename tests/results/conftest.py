from pathlib import Path

import pytest

from results.rebuild import HERE, rebuild


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return rebuild(sorted(HERE.glob("*.tar.xz")), tmp_path_factory.mktemp("published"))
