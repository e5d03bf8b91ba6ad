"""The documentation site builds without a warning, asks nothing of the net, and fits a phone in light and in dark."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import setwise
from tests.docs.pages import ROOT
from tests.reports.browser import chromium, visit

DOCS = ROOT / "docs"
PHONE = 390


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


def test_every_page_is_built_and_llms_txt_lies_beside_them(site: Path):
    for page in DOCS.rglob("*.md"):
        assert (site / page.relative_to(DOCS).with_suffix(".html")).is_file(), page
    linked = re.findall(r"\]\(([^)]+\.md)\)", (site / "llms.txt").read_text(encoding="utf-8"))
    assert linked
    assert all((DOCS / name).is_file() for name in linked)


def test_no_page_loads_anything_from_elsewhere(site: Path):
    for page in site.rglob("*.html"):
        loading = re.findall(r"<(?:script|img|iframe|source|link)\b[^>]*>", page.read_text(encoding="utf-8"))
        assert loading
        assert not [tag for tag in loading if re.search(r"(src|href)=\"?(https?:)?//", tag)], page.name


def test_the_reference_is_filled_in_from_docstrings(site: Path):
    page = (site / "reference" / "python.html").read_text(encoding="utf-8")
    assert ":::" not in page
    for name in setwise.__all__:
        assert name.startswith("__") or f">{name}</span>" in page, name


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_page_fits_a_phone_in_light_and_in_dark(site: Path, dark: bool):
    with chromium() as browser:
        for name in ("index", "how-to/train", "reference/recipe", "results/ddxplus"):
            with visit(browser, site / f"{name}.html", width=PHONE, dark=dark, ready=False) as seen:
                assert seen.value("document.documentElement.scrollWidth") <= PHONE, name
                assert seen.value("document.body.dataset.mdColorScheme") == ("slate" if dark else "default")
