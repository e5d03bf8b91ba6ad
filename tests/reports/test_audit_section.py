"""A report shows what audits found, links it into the reader, and says at the top which number it changes."""

from pathlib import Path

import pytest

from setwise.workflows.audit import audit_runs
from setwise.workflows.honest_clinic import write_honest_run
from setwise.workflows.planted import plant_run
from setwise.workflows.report import make_report
from tests.reports.browser import chromium, visit


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("audited")
    honest = write_honest_run(root / "honest", problems=60, samples=2)
    planted = plant_run(honest.path, root / "planted", "sure_of_it", 0.6)
    audit_runs([planted.path])
    make_report([planted.path], root / "report", formats=("svg",), resamples=20)
    return root / "report"


def test_the_markdown_has_a_row_for_each_finding(folder: Path):
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert "## Audit" in text
    assert "The same confidences for everybody" in text
    opening = text.partition("\n## ")[0]
    assert "without it pooled Brier is" in opening


def test_an_example_opens_in_the_reader(folder: Path):
    with chromium() as browser, visit(browser, folder / "report.html") as seen:
        page = seen.page
        assert page.locator("#answer").inner_text().count("without it") == 1
        page.locator("#audit details summary").first.click()
        link = page.locator("#audit .evidence a").nth(1)
        problem = link.inner_text().partition(",")[0]
        link.click()
        page.wait_for_function("name => document.querySelector('#problem').innerText.includes(name)", arg=problem)
        assert seen.complaints == []
