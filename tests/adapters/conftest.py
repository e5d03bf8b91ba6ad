"""Files that only another package's own environment can import are not looked at for doctests."""

from pathlib import Path

import pytest

from tests.adapters.cases import Case, every_task

collect_ignore_glob = ["harness/*"]


@pytest.fixture
def every_case(tmp_path: Path) -> list[Case]:
    return every_task(tmp_path)
