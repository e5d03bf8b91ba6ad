"""For every test: no time limit on a hypothesis example. How busy a machine is says nothing about the code."""

import gc
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("setwise", deadline=None)
settings.load_profile("setwise")


@pytest.fixture(scope="module")
def leftovers_collected() -> Iterator[None]:
    """For a package that leaves streams and event loops open: they are collected while the tests that use it still
    ignore the warnings, and not at the end of the run, where they would fail it."""
    yield
    gc.collect()
