"""docs/how-to/serve.md names options, fields and metrics that exist, and all of them."""

import argparse
import re
from pathlib import Path

from setwise.cli import ask, serve
from setwise.serving import Answered
from setwise.serving.metrics import RequestTally

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "how-to" / "serve.md").read_text(encoding="utf-8")
PROSE = re.sub(r"^```.*?^```$", "", DOCS, flags=re.MULTILINE | re.DOTALL)


def options(command: object) -> set[str]:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)  # pyright: ignore[reportAttributeAccessIssue]
    return set(re.findall(r"--[a-z][a-z-]+", parser.format_help()))


def test_every_option_named_is_one() -> None:
    assert set(re.findall(r"--[a-z][a-z-]+", PROSE)) <= options(ask) | options(serve)


def test_every_field_of_an_answer_is_listed() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", PROSE, flags=re.MULTILINE)
    assert set(Answered(question="?").to_record()) <= set(listed)


def test_every_metric_is_listed() -> None:
    counted = set(re.findall(r"^# TYPE (\w+)", RequestTally().text(0), flags=re.MULTILINE))
    assert counted <= set(re.findall(r"`(\w+)`", PROSE))
