"""What commands show while they work."""

import re
import time

import pytest

from setwise.cli import terminal
from setwise.cli.terminal import progress


def test_without_a_terminal_a_batch_that_comes_at_once_is_counted_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(terminal, "_SECONDS_BETWEEN_LINES", 0.02)
    with progress("completions", 5_000) as on_progress:
        for done in range(1, 2_049):
            on_progress(done)
        shown = ""
        ends = time.monotonic() + 10
        while "2,048" not in shown and time.monotonic() < ends:
            time.sleep(0.01)
            shown += capsys.readouterr().err
        time.sleep(0.1)
    lines = (shown + capsys.readouterr().err).splitlines()
    assert lines[-1] == "completions: 2,048 of 5,000"
    assert lines.count(lines[-1]) == 1
    assert all(re.fullmatch(r"completions: [0-9,]+ of 5,000", line) for line in lines)


def test_short_work_says_nothing(capsys: pytest.CaptureFixture[str]):
    with progress("completions") as on_progress:
        on_progress(1)
    assert capsys.readouterr().err == ""


def test_the_clock_ends_with_the_work(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(terminal, "_SECONDS_BETWEEN_LINES", 0.02)
    with pytest.raises(ZeroDivisionError), progress("completions") as on_progress:
        on_progress(1 // 0)
    with progress("more") as on_progress:
        later = on_progress
    later(7)
    time.sleep(0.1)
    assert capsys.readouterr().err == ""
