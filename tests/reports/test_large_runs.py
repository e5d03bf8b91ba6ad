"""Thousands of problems: the page stays small, the rest lies beside it, and reading stays quick."""

import random
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from setwise.reports import Report, Written, write_report
from setwise.reports.inputs import DatasetSection, Run, ShownAnswer, ShownProblem, ShownRun, ShownSet
from setwise.reports.methods import LABELS
from tests.reports.browser import chromium, visit
from tests.reports.made_up import AILMENTS, THOUGHTS

METHODS = list(LABELS)[:8]
MEGABYTE = 1_000_000
SEARCH = """(() => {
  const start = performance.now(), box = document.getElementById("find");
  box.value = "glass lung";
  box.dispatchEvent(new Event("input", {bubbles: true}));
  return performance.now() - start;
})()"""


def shown_runs(methods: Sequence[str]) -> list[Run]:
    return [
        Run(
            name, "made-up", "inclusive", "m", name, 3, "sampled" if name.endswith("-single") else "written", "none", {}
        )
        for name in methods
    ]


def problems(count: int, methods: Sequence[str], words: int) -> Iterator[ShownProblem]:
    """About four characters a token; each word is followed by a number, so that it does not compress to nothing."""
    vocabulary = [word for thought in THOUGHTS for word in thought.split()]
    for number in range(count):
        rng = random.Random(number)

        def chain(rng: random.Random = rng) -> str:
            return " ".join(f"{word} {rng.randrange(1000)}" for word in rng.choices(vocabulary, k=words))

        runs = []
        for place, method in enumerate(methods):
            names = rng.sample(AILMENTS, 3)
            answers = [ShownAnswer(name, round(rng.random(), 2), rng.random() < 0.5) for name in names]
            completions = 3 if method.endswith("-single") else 1
            reasoning = [chain() for _ in range(completions)]
            runs.append(ShownRun(place, answers[0].right is True, [ShownSet(answers, (), 600, reasoning)]))
        question = " ".join(rng.choices(vocabulary, k=150))
        yield ShownProblem("made-up", f"case-{number:05}", question, rng.sample(AILMENTS, 4), runs)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


def write(out: Path, count: int, words: int, **options: Any) -> Written:
    section = DatasetSection("made-up", "inclusive", shown_runs(METHODS))
    return write_report(Report([section], problems=problems(count, METHODS, words)), out, formats=(), **options)


def open_last(page: Any, name: str) -> Any:
    page.fill("#find", name)
    page.locator("#list button").first.click()
    page.locator("#problem summary").first.click()
    return page.locator("#problem details").first.locator("p").first


def test_reasoning_beside_the_page_is_read_from_there(browser: Any, tmp_path: Path):
    written = write(tmp_path, 60, 200, page_bytes=400_000)
    assert written.beside > 1
    with visit(browser, written.page) as found:
        assert "lies in the folder report.reasoning" in found.page.locator("#moved").inner_text()
        text = open_last(found.page, "case-00059").inner_text()
        assert len(text.split()) == 400
        assert found.complaints == []


def test_a_page_without_its_folder_says_what_is_missing(browser: Any, tmp_path: Path):
    written = write(tmp_path, 60, 200, page_bytes=400_000)
    shutil.rmtree(tmp_path / "report.reasoning")
    with visit(browser, written.page) as found:
        assert open_last(found.page, "case-00059").inner_text().endswith("is not beside this page.")
        assert found.page.locator("#problem .answers li").count() == 24


@pytest.mark.slow
def test_five_thousand_problems_of_eight_methods_stay_usable(browser: Any, tmp_path: Path):
    written = write(tmp_path, 5000, 300)
    assert written.page_bytes < 25 * MEGABYTE
    assert written.page.stat().st_size == written.page_bytes
    assert written.beside > 0
    started = time.monotonic()
    with visit(browser, written.page) as found:
        opened = time.monotonic() - started
        assert found.page.locator("#found").inner_text() == "1 to 20 of 5,000 problems"
        searching = found.value(SEARCH)
        assert len(open_last(found.page, "case-04999").inner_text()) > 1000
        assert found.complaints == []
    beside = sum(path.stat().st_size for path in (tmp_path / "report.reasoning").iterdir())
    print(  # noqa: T201
        f"page {written.page_bytes / MEGABYTE:.1f} MB, beside {beside / MEGABYTE:.1f} MB in {written.beside} files, "
        f"opened in {opened:.1f} s, first search {searching:.0f} ms"
    )
    assert opened < 30
    assert searching < 5000
