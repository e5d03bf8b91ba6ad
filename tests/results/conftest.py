import json
import os
from pathlib import Path

import pytest
from filelock import FileLock

from results.rebuild import HERE, rebuild


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The published runs, unpacked and reported: minutes of work, done once for all processes of a test run."""
    base = tmp_path_factory.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    made = root / "published.json"
    with FileLock(root / "published.lock"):
        if not made.exists():
            found = rebuild(sorted(HERE.glob("*.tar.xz")), root / "published")
            made.write_text(json.dumps({name: str(path) for name, path in found.items()}))
    return {name: Path(path) for name, path in json.loads(made.read_text()).items()}
