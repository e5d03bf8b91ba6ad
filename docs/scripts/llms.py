"""llms.txt: the map of the site for language models (llmstxt.org), from the same navigation."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]


def llms_text() -> Iterator[str]:
    """Each page with its title and its first sentence, under the headings of the navigation."""
    site = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), _AnyTag)
    yield f"# {site['site_name']}"
    yield ""
    yield f"> {site['site_description']}"
    for section in site["nav"]:
        [(heading, pages)] = section.items()
        if isinstance(pages, str):
            continue
        yield ""
        yield f"## {heading}"
        yield ""
        for name in _paths(pages):
            title, first = _opening(ROOT / "docs" / name)
            yield f"- [{title}]({name}): {first}" if first else f"- [{title}]({name})"


class _AnyTag(yaml.SafeLoader):
    """mkdocs.yml names Python functions by tags; here they are text."""


_AnyTag.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: suffix)


def _paths(pages: list[Any]) -> Iterator[str]:
    for page in pages:
        place = next(iter(page.values())) if isinstance(page, dict) else page
        yield from _paths(place) if isinstance(place, list) else [place]


def _opening(path: Path) -> tuple[str, str]:
    text = re.sub(r"<!--.*?-->|```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    assert found, f"{path}: a page begins with its title"
    paragraphs = re.split(r"\n\s*\n", text[found.end() :].strip())
    prose = next((each for each in paragraphs if re.match(r"[A-Za-z`*\[]", each)), "")
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(prose.split()))
    return found[1], re.split(r"(?<=[.:])\s(?=[A-Z`])", plain)[0].rstrip(":")
