"""The page in a real browser, opened from disk with the network off."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from setwise.workflows.report import make_report
from tests.reports.browser import chromium, visit
from tests.reports.made_up import make_training_log


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def page_path(report_folder: Path) -> Path:
    return report_folder / "report.html"


def column(page: Any, table: str, place: int) -> list[str]:
    return page.eval_on_selector_all(
        f"#{table} tbody tr:not(.block) > :nth-child({place})",
        "cells => cells.map(cell => cell.firstElementChild.textContent)",
    )


def test_it_opens_without_a_complaint(browser: Any, page_path: Path):
    with visit(browser, page_path) as found:
        assert found.page.title() == "Answer sets and their confidences"
        assert found.page.locator("figure svg").count() > 15
        assert found.complaints == []


def test_no_two_parts_of_the_page_share_a_name(browser: Any, page_path: Path):
    with visit(browser, page_path) as found:
        names = found.page.eval_on_selector_all("[id]", "parts => parts.map(part => part.id)")
        assert len(names) == len(set(names))


def test_a_table_sorts_by_a_column_both_ways_and_back(browser: Any, page_path: Path):
    with visit(browser, page_path) as found:
        table = "ddxplus-correctness-k3"
        head = found.page.locator(f"#{table} thead th").nth(1)
        before = column(found.page, table, 2)
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == "descending"
        assert column(found.page, table, 2) == sorted(before, key=float, reverse=True)
        head.locator("button").click()
        assert column(found.page, table, 2) == sorted(before, key=float)
        head.locator("button").click()
        assert head.get_attribute("aria-sort") is None
        assert column(found.page, table, 2) == before


def test_a_cell_tells_its_definition_by_mouse_and_by_keyboard(browser: Any, page_path: Path):
    with visit(browser, page_path) as found:
        tip = found.page.locator("#tip")
        cells = found.page.locator("#ddxplus-correctness-k3 td")
        cells.first.hover()
        assert "Right answers over K" in tip.inner_text()
        assert "95 % interval" in tip.inner_text()
        found.page.mouse.move(2, 2)
        assert tip.is_hidden()
        cells.first.focus()
        for _ in range(4):
            found.page.keyboard.press("ArrowRight")
        assert found.value("document.activeElement.dataset.metric") == "tokens"
        assert "Completion tokens" in tip.inner_text()
        assert found.value("document.activeElement.getAttribute('aria-describedby')") == "tip"


def test_the_papers_numbers_appear_on_request(browser: Any, page_path: Path):
    with visit(browser, page_path) as found:
        printed = found.page.locator("#ddxplus-correctness-k3 .paper").first
        assert printed.is_hidden()
        found.page.locator("#show-paper").check()
        assert printed.inner_text() == "paper 0.62"


def shown(page: Any) -> str:
    return page.locator("#found").inner_text()


def test_search_and_filters_narrow_the_list(browser: Any, page_path: Path):
    with visit(browser, page_path) as found:
        assert shown(found.page) == "1 to 20 of 24 problems"
        found.page.locator("#later").click()
        assert shown(found.page) == "21 to 24 of 24 problems"
        found.page.fill("#find", "case-0007")
        assert shown(found.page) == "1 to 1 of 1 problems"
        found.page.fill("#find", "no such words")
        assert shown(found.page) == "No problem is like that."
        found.page.fill("#find", "")
        found.page.select_option("#by-run", label="RLVR multi, K = 3")
        counts = {}
        for outcome in ("right", "wrong"):
            found.page.select_option("#by-outcome", outcome)
            counts[outcome] = 0 if "No problem" in shown(found.page) else int(shown(found.page).split()[-2])
        assert sum(counts.values()) == 24
        assert counts["right"] > 0


def test_flipped_problems_are_those_that_two_methods_disagree_on(browser: Any, page_path: Path):
    with visit(browser, page_path) as found:
        assert found.page.locator("#against").is_hidden()
        found.page.select_option("#by-run", label="RLVR multi, K = 3")
        totals = {}
        for outcome in ("flipped", "gained", "lost"):
            found.page.select_option("#by-outcome", outcome)
            found.page.select_option("#against", label="Zero-shot (RLVR prompt), K = 3")
            totals[outcome] = 0 if "No problem" in shown(found.page) else int(shown(found.page).split()[-2])
        assert totals["flipped"] == totals["gained"] + totals["lost"] > 0


def test_a_parse_reason_can_be_looked_for(browser: Any, page_path: Path):
    with visit(browser, page_path) as found:
        reasons = found.page.locator("#by-reason option").all_inner_texts()
        assert "truncated" in reasons
        found.page.select_option("#by-reason", "truncated")
        found.page.locator("#list button").first.click()
        assert "truncated" in found.page.locator("#problem .tag").all_inner_texts()


def test_a_problem_opens_with_answers_confidences_and_folded_reasoning(browser: Any, page_path: Path):
    with visit(browser, page_path) as found:
        found.page.locator("#list button").nth(2).click()
        problem = found.page.locator("#problem")
        assert problem.locator("h3").inner_text() == "case-0002"
        assert 1 <= problem.locator(".golds li").count() <= 4
        assert problem.locator(".said").count() == 16
        assert problem.locator(".right .mark").count() > 0
        assert problem.locator(".claim").count() > 0
        assert found.value("document.activeElement.id") == "problem"
        assert problem.locator(".reasoning").count() == 0
        problem.locator("summary").first.click()
        assert "So " in problem.locator(".reasoning").first.inner_text()
        assert found.complaints == []


def test_problems_are_reachable_by_keyboard_alone(browser: Any, page_path: Path):
    with visit(browser, page_path) as found:
        found.page.locator("#find").focus()
        for _ in range(8):
            found.page.keyboard.press("Tab")
            if found.value("document.activeElement.closest('#list') !== null"):
                break
        found.page.keyboard.press("ArrowDown")
        found.page.keyboard.press("Enter")
        assert found.page.locator("#problem h3").inner_text() == "case-0001"


def test_a_problem_has_an_address_of_its_own(browser: Any, page_path: Path, tmp_path: Path):
    with visit(browser, page_path) as found:
        found.page.locator("#list button").nth(3).click()
        address = found.value("location.href")
        found.page.goto("about:blank")
        found.page.goto(address)
        found.page.wait_for_selector("#problem h3")
        assert found.page.locator("#problem h3").inner_text() == "case-0003"


def test_a_page_about_training_alone_opens(browser: Any, tmp_path: Path):
    written = make_report(
        [make_training_log(tmp_path / "train", 3)], tmp_path / "out", formats=("svg",), title="A title"
    )
    with visit(browser, written.page, ready=False) as found:
        assert found.page.locator("h1").inner_text() == "A title"
        assert found.page.locator("#training svg").count() >= 3
        assert found.page.locator("nav a").all_inner_texts() == ["Training"]
        assert "31% of sets repeat an answer" in found.page.locator("#training").inner_text()
        assert found.complaints == []


def luminance(found: Any, selector: str, what: str) -> float:
    colour = found.value(f"getComputedStyle(document.querySelector('{selector}')).{what}")
    return sum(map(float, colour[colour.index("(") + 1 : -1].split(",")[:3])) / 765


@pytest.mark.parametrize("dark", [False, True])
def test_figures_and_text_follow_light_and_dark(browser: Any, page_path: Path, dark: bool):
    with visit(browser, page_path, dark=dark) as found:
        for turned in (dark, not dark):
            paper, ink = luminance(found, "body", "backgroundColor"), luminance(found, "body", "color")
            label = luminance(found, "figure svg text", "fill")
            assert (paper < 0.3) is turned
            assert abs(paper - ink) > 0.6
            assert abs(paper - label) > 0.3
            found.page.locator("#theme").click()


def test_nothing_is_cut_off_on_a_narrow_screen(browser: Any, page_path: Path):
    with visit(browser, page_path, width=390) as found:
        assert found.value("document.documentElement.scrollWidth") <= 390
        found.page.locator("#list button").first.click()
        assert found.value("document.documentElement.scrollWidth") <= 390
        box = found.page.locator("#problem").bounding_box()
        assert box["width"] <= 390
        assert 0 <= box["y"] < 900


def test_printing_leaves_out_what_paper_cannot_do(browser: Any, page_path: Path):
    with visit(browser, page_path, dark=True) as found:
        found.page.emulate_media(media="print")
        assert found.page.locator("#problems").is_hidden()
        assert found.page.locator("#ddxplus-correctness-k3").is_visible()
        assert luminance(found, "body", "backgroundColor") > 0.9
