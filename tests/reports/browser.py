"""A real browser for tests: Debian's Chromium, or whichever is installed, without a window and without a network."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; the test is skipped, and says why, where there is none."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="browser tests need playwright: pip install playwright"
    )
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("browser tests need Chromium: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@dataclass
class Visit:
    """A page, and everything that went wrong on it."""

    page: Any
    complaints: list[str] = field(default_factory=list)

    def value(self, script: str) -> Any:
        return self.page.evaluate(script)


@contextmanager
def visit(browser: Any, path: Path, *, width: int = 1280, dark: bool = False, ready: bool = True) -> Iterator[Visit]:
    """Open a file from disk with the network off."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light", offline=True
    )
    context.set_default_timeout(15_000)
    found = Visit(context.new_page())
    found.page.on("console", lambda message: found.complaints.append(f"{message.type}: {message.text}"))
    found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
    found.page.on("dialog", lambda dialog: (found.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    found.page.goto(path.resolve().as_uri())
    if ready:
        found.page.wait_for_selector("#list button")
    yield found
    context.close()
