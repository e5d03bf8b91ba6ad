"""The figures of Concepts are what the records give, and can be read where they are shown."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from docs.scripts.concept_figures import FIGURES, ROOT, main
from tests.reports.browser import chromium, visit

PAGES = ROOT / "docs" / "concepts"
SMALLEST_TEXT = 13
FAULTS = """() => {
  const card = document.querySelector("rect").getBoundingClientRect();
  const texts = [...document.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect()]);
  const cut = texts.filter(([, box]) => box.left < card.left || box.right > card.right || box.bottom > card.bottom);
  const crossing = (a, b) => Math.min(a.right, b.right) > Math.max(a.left, b.left)
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  const covered = texts.filter(([, box], place) => texts.slice(place + 1).some(([, other]) => crossing(box, other)));
  return [...cut, ...covered].map(([text]) => text);
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


def test_the_figures_are_what_the_script_makes_from_the_records(capsys: pytest.CaptureFixture[str]):
    assert main(["--check"]) == 0, capsys.readouterr().out


def test_every_figure_is_on_one_page_with_its_words():
    shown: dict[str, str] = {}
    for page in PAGES.glob("*.md"):
        for words, name in re.findall(
            r"!\[([^\]]*)\]\(\.\./figures/concepts/([^)]+)\)", page.read_text(encoding="utf-8")
        ):
            assert name not in shown
            shown[name] = words
    assert shown.keys() == {path.name for path in FIGURES.iterdir()}
    assert all(len(words.split()) >= 10 for words in shown.values())


def test_a_figure_has_a_title_and_large_text_and_asks_nothing_of_the_net():
    for path in FIGURES.iterdir():
        svg = path.read_text(encoding="utf-8")
        assert "<title>" in svg
        assert min(map(float, re.findall(r'font-size="([\d.]+)"', svg))) >= SMALLEST_TEXT
        assert not re.search(r"var\(|href|url\(|<script|<image", svg)


def test_no_text_leaves_its_card_or_lies_on_another(browser: Any):
    for path in FIGURES.iterdir():
        with visit(browser, path, ready=False) as found:
            assert found.value(FAULTS) == [], path.name
