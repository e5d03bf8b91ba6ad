"""What the README and the docs show is run."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "docs" / "rewards.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_on_the_page_runs(page: Path, capsys: pytest.CaptureFixture[str]):
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, str(page), "exec"), {})
        promised = re.findall(r"^# (.+)$", block, re.MULTILINE)
        assert capsys.readouterr().out.splitlines() == promised


def test_every_file_the_readme_links_to_is_there():
    links = re.findall(r"\]\((?!http)([^)#]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
