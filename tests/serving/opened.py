"""The page of a running server, open in a real browser, with every address it asked for."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from setwise.calibration import Profile, profile_of
from setwise.objectives import Regime
from setwise.records.attempt import Attempt
from tests.serving.running import Running


@dataclass
class Opened:
    """A page, what went wrong on it, and what it asked for."""

    page: Any
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def ask(self, question: str) -> None:
        """Type a question, send it by keyboard, and wait until it is answered or refused."""
        self.page.get_by_label("Question").fill(question)
        self.page.keyboard.press("Control+Enter")
        self.page.locator("#status").filter(has_not_text="Asking").wait_for(state="attached")

    @property
    def kept(self) -> list[str]:
        return self.page.locator("#answers .kept .text").all_inner_texts()

    @property
    def answers(self) -> list[str]:
        return self.page.locator("#answers .text").all_inner_texts()

    def text_of(self, selector: str) -> str:
        """What the first such element holds, to the letter."""
        return self.page.evaluate("selector => document.querySelector(selector).textContent", selector)

    def bars(self, place: int) -> list[str]:
        """The names and numbers beside the bars of one answer."""
        return self.page.locator("#answers li").nth(place).locator(".bar-row").all_inner_texts()


@contextmanager
def opened(browser: Any, server: Running, *, width: int = 1280, dark: bool = False) -> Iterator[Opened]:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light", reduced_motion="reduce"
    )
    context.set_default_timeout(15_000)
    found = Opened(context.new_page())
    found.page.on("console", lambda message: found.complaints.append(f"{message.type}: {message.text}"))
    found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
    found.page.on("dialog", lambda dialog: (found.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    found.page.on("request", lambda request: found.requests.append(request.url))
    found.page.goto(server.url)
    found.page.wait_for_selector("#model:not(:empty)")
    yield found
    context.close()


def honest_profile() -> Profile:
    """Of a model that is right as often as it says, with sets that are worth keeping and sets that are not."""
    drawn, attempts = random.Random(0), []
    for number in range(400):
        sure = drawn.random()
        stated = (round(0.2 + 0.7 * sure, 2), round(0.05 + 0.4 * sure, 2), 0.05)
        right = tuple(drawn.random() < confidence for confidence in stated)
        attempts.append(Attempt(f"case-{number}", right, 3, confidences=stated, forms=("a", "b", "c")))
    return profile_of(attempts, Regime.INCLUSIVE)
