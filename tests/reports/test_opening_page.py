"""The top of the page in a real browser: the answer, its figure, an example, and metrics that explain themselves."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from setwise.evaluation.methods import METHODS
from setwise.workflows.report import make_report
from tests.reports.browser import chromium, visit
from tests.reports.made_up import MadeUpTask, make_run


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def page_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root, task = tmp_path_factory.mktemp("runs"), MadeUpTask(40)
    folders = [make_run(root / name, task, METHODS[name]) for name in ("rlcr-single", "rlcr-multi")]
    return make_report(folders, root / "report", formats=("svg",), resamples=1000).page


def test_the_answer_its_figure_and_an_example_come_before_the_tables(browser: Any, page_path: Path):
    with visit(browser, page_path) as found:
        order = "main > section, main > section table.numbers, main > section figure"
        parts = found.page.eval_on_selector_all(order, "parts => parts.map(part => part.id)")
        assert parts[:2] == ["answer", "made-up-pareto"]
        assert parts.count("made-up-pareto") == 1
        assert found.page.locator("#answer .found strong").first.inner_text() == "RLCR multi"
        assert found.page.locator("#answer .card").count() == 2
        assert found.page.locator("#answer .card .claim svg").count() > 0
        assert "made-up-1b" in found.page.locator(".facts").inner_text()
        assert found.complaints == []


def test_the_reader_is_open_on_the_example_and_the_address_stays(browser: Any, page_path: Path):
    with visit(browser, page_path) as found:
        told = found.page.locator("#answer .example h3").inner_text()
        assert told.endswith(f"problem {found.page.locator('#problem h3').inner_text()}")
        assert found.value("location.hash") == ""
        assert found.value("scrollY") == 0


@pytest.mark.parametrize("selector", ["#answer dfn", "#made-up-correctness-k3 td"])
def test_a_metric_explains_itself_on_touch(browser: Any, page_path: Path, selector: str):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(page_path.as_uri())
    page.wait_for_selector("#list button")
    tip, touched = page.locator("#tip"), page.locator(f"{selector}[data-metric=coverage]").first
    assert tip.is_hidden()
    touched.tap()
    assert "Right answers over K" in tip.inner_text()
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.locator("h1").tap()
    assert tip.is_hidden()
    context.close()


def test_the_top_of_the_page_fits_a_narrow_screen(browser: Any, page_path: Path):
    with visit(browser, page_path, width=390) as found:
        assert found.value("document.documentElement.scrollWidth") <= 390
        for part in ("#answer .told", "#answer .hero svg", "#answer .card"):
            box = found.page.locator(part).first.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
