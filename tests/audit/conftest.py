"""One honest run for all tests of the audit."""

from pathlib import Path

import pytest

from setwise.records.run import RunFolder
from setwise.workflows.honest_clinic import write_honest_run

PROBLEMS, SAMPLES = 240, 2


@pytest.fixture(scope="session")
def honest(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return write_honest_run(Path(tmp_path_factory.mktemp("audit")) / "honest", problems=PROBLEMS, samples=SAMPLES)
