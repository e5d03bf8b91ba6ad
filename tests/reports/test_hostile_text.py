"""A model's text is shown, never run: in a real browser, with the page's policy and without it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from setwise.evaluation.methods import METHODS
from setwise.models import Completion
from setwise.questions import Problem
from setwise.workflows.report import make_report
from tests.completions import completion
from tests.reports.browser import chromium, visit
from tests.reports.made_up import MadeUpTask, make_run

HOSTILE = (
    "<script>window.pwned = 1</script>",
    "</script><script>window.pwned = 2</script>",
    '<img src=x onerror="window.pwned = 3">',
    "</template></textarea></style></title><svg onload='window.pwned = 4'></svg>",
    "\"><iframe srcdoc='<script>parent.pwned = 5</script>'></iframe>",
    "<!--<script>window.pwned = 6;//",
    "line\u2028break\u2029 ${window.pwned = 7} {{window.pwned = 8}}",
    "lone \ud800 surrogate \x00 and \x1b",
    "javascript:window.pwned = 9",
)


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every hostile text as question, gold, answer and reasoning, and one as the names of run, task and model."""
    root = tmp_path_factory.mktemp("hostile")
    texts = [text.replace("\x00", " ") for text in HOSTILE]
    problems = [Problem(text, f"Question {text}", [f"Gold {text}"]) for text in texts]
    task = MadeUpTask(0, name="<script>window.pwned = 10</script>", extra=problems)
    runs = []
    for method, samples in ((METHODS["rlcr-multi"], 2), (METHODS["rlvr-single"], 3)):
        sized = method.sized(samples=samples)
        objective = sized.read_objective(task.regime)
        replies = {}
        for problem, text in zip(problems, HOSTILE, strict=True):
            answers = [f"Gold {text}", text, f"other {text}"][: objective.k]
            said = completion(objective, answers, [0.5] * objective.k, f"I think {text} and so on and on and on")
            replies[problem.id] = [Completion(said, "stop", 5)] * samples
        runs.append(make_run(root / f"<img src=x onerror=window.pwned=11>{method.name}", task, sized, replies))
    make_report(runs, root / "out", formats=("svg",), resamples=20)
    return root / "out" / "report.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.mark.parametrize("policy", [True, False])
def test_hostile_text_is_inert_wherever_it_is_shown(browser: Any, hostile_page: Path, policy: bool):
    text = hostile_page.read_text(encoding="utf-8")
    page = hostile_page
    if not policy:
        page = hostile_page.with_name("without-policy.html")
        page.write_text(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text), encoding="utf-8")
    with visit(browser, page) as found:
        for place in range(len(HOSTILE)):
            found.page.locator("#list button").nth(place).click()
            for fold in found.page.locator("#problem summary").all():
                fold.click()
            found.page.wait_for_selector("#problem .reasoning")
            assert "Question" in found.page.locator("#problem .question").inner_text()
        found.page.fill("#find", "<script>")
        for cell in found.page.locator(".numbers:visible td").all()[:3]:
            cell.hover()
        assert found.value("window.pwned") is None
        assert found.value("document.querySelectorAll('img, iframe, [onload], [onerror]').length") == 0
        assert found.value("document.querySelectorAll('body script:not([type])').length") == 1
        assert found.complaints == []


def test_hostile_text_is_shown_as_it_was_written(browser: Any, hostile_page: Path):
    with visit(browser, hostile_page) as found:
        for place, text in enumerate(HOSTILE[:6]):
            found.page.locator("#list button").nth(place).click()
            assert found.value("document.querySelector('#problem .question').textContent") == f"Question {text}"
            answers = found.page.locator("#problem .answers .text").all_inner_texts()
            assert any(text in answer for answer in answers)


def test_the_other_files_hold_no_markup_of_the_model(hostile_page: Path):
    assert "<script" not in (hostile_page.parent / "report.md").read_text(encoding="utf-8").replace(r"\<script", "")
    for figure in (hostile_page.parent / "figures").iterdir():
        assert "<script" not in figure.read_text(encoding="utf-8")
