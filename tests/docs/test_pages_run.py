"""Every command and every Python block of Start and How-to is run, page by page, as a reader would who ran the demo."""

import re
import shutil
from contextlib import chdir
from pathlib import Path

import pytest

from setwise.cli import main
from tests.docs.pages import EXECUTED, ROOT, read_blocks, run_page

DOCS = ROOT / "docs"
READ = sorted([*(DOCS / "start").glob("*.md"), *(DOCS / "how-to").glob("*.md"), DOCS / "concepts" / "calibration.md"])
RUN_ELSEWHERE = {"your-data.md": "tests/docs/test_your_data.py"}
SHOWN = ("yaml", "json", "toml", "text", "csv")
FEWER_STEPS = {"steps: 80": "steps: 2"}
PATIENTS = 80


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make demo` leaves, from a model that was taught its formats and trained for two steps."""
    folder = tmp_path_factory.mktemp("demo")
    recipes = folder / "recipes"
    shutil.copytree(ROOT / "recipes" / "demo", recipes)
    base = recipes / "_base.yaml"
    text = base.read_text(encoding="utf-8")
    for long, short in FEWER_STEPS.items():
        assert long in text
        text = text.replace(long, short)
    base.write_text(text, encoding="utf-8")
    # Where a reader runs it, so that its records name its models as his do.
    with chdir(folder):
        assert main(["demo", "--recipes", str(recipes), "--problems", str(PATIENTS)]) == 0
    return folder / "runs" / "demo"


@pytest.fixture
def checkout(demo: Path, tmp_path: Path) -> Path:
    """A reader's folder: the recipes, the examples and the runs of the demo."""
    for name in ("recipes", "examples"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copytree(demo, tmp_path / "runs" / "demo")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(DOCS)))
def test_what_a_page_shows_can_be_done(page: Path, checkout: Path):
    if page.name in RUN_ELSEWHERE:
        pytest.skip(f"{RUN_ELSEWHERE[page.name]} runs it")
    blocks = [block for block in read_blocks(page) if block.language in EXECUTED and not block.needs and not block.file]
    assert run_page(page, checkout) == len(blocks)


@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(DOCS)))
def test_a_page_has_no_block_that_nobody_runs(page: Path):
    for block in read_blocks(page):
        assert block.language in (*EXECUTED, *SHOWN), f"{block.place}: {block.language or 'no language'}"
        unrun = block.language not in EXECUTED and re.search(r"^(\$ )?setwise [a-z]", block.text, re.MULTILINE)
        assert not unrun, f"{block.place}: a command that is not run"


def test_what_is_run_elsewhere_is():
    for name, test in RUN_ELSEWHERE.items():
        assert name in (ROOT / test).read_text(encoding="utf-8")
