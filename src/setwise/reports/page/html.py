"""Assembles the page."""

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from setwise.reports.canvas.palette import DARK, LIGHT, css_variables
from setwise.reports.document import Document
from setwise.reports.page.audit import audit_html
from setwise.reports.page.escapes import shown
from setwise.reports.page.opening import openings_html
from setwise.reports.page.sections import glossary_html, section_html
from setwise.reports.page.table import data_html
from setwise.reports.payload import Payload

STYLES = ("base.css", "opening.css", "tables.css", "figures.css", "reader.css")
SCRIPTS = ("theme.js", "tips.js", "tables.js", "decode.js", "problem.js", "reader.js")
REASONING_FOLDER = "report.reasoning"
SOLVED = (
    "A problem counts as solved by a method if at least half of its sets hold a right answer. With all methods chosen, "
    "solved means by every one of them, not solved by none."
)


@dataclass(frozen=True, slots=True)
class ReaderRun:
    """How the reader names a run."""

    label: str
    colour: str


def to_html(document: Document, runs: Sequence[ReaderRun], payload: Payload) -> str:
    """The whole page as text."""
    style = _themes() + "".join(map(_asset, STYLES))
    script = "'use strict';\n(() => {\n" + "".join(map(_asset, SCRIPTS)) + "})();\n"
    at_top = [opening.hero.key for opening in document.openings if opening.hero is not None]
    return "".join(
        (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_policy(style, script, bool(payload.beside))}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{shown(document.title)}</title><style>{style}</style></head><body>",
            _header(document, bool(payload.problems)),
            '<main id="content">',
            openings_html(document.openings),
            _runs(document),
            *(section_html(section, at_top) for section in document.sections),
            audit_html(document.audits),
            _reader(payload) if payload.problems else "",
            glossary_html(document) if document.has_tables else "",
            _about(document),
            '</main><div id="tip" role="tooltip" hidden></div>',
            *_data_blocks(document, runs, payload),
            f"<script>{script}</script></body></html>\n",
        )
    )


def _asset(name: str) -> str:
    return (files("setwise.reports.page") / "assets" / name).read_text(encoding="utf-8")


def _themes() -> str:
    light, dark = css_variables(LIGHT), css_variables(DARK)
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
    )


def _policy(style: str, script: str, has_files: bool) -> str:
    """Nothing may be fetched, and only the page's own style and script may run."""
    beside = " 'self' file:" if has_files else ""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'{beside}; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _header(document: Document, has_problems: bool) -> str:
    links = [(section.key, section.title) for section in document.sections]
    links += [("audit", "Audit")] if document.audits else []
    links += [("problems", "Problems")] if has_problems else []
    links += [("glossary", "Definitions")] if document.has_tables else []
    nav = "".join(f'<li><a href="#{key}">{shown(title)}</a></li>' for key, title in links)
    paper = (
        '<label class="switch"><input type="checkbox" id="show-paper"> show the paper\'s numbers</label>'
        if document.has_paper
        else ""
    )
    return (
        f'<header><a class="skip" href="#content">Skip to content</a><h1>{shown(document.title)}</h1>'
        f'<nav aria-label="Sections"><ul>{nav}</ul></nav><div class="tools">{paper}'
        '<button type="button" id="theme">Dark</button></div></header>'
    )


def _runs(document: Document) -> str:
    summary = f"<summary>{len(document.runs.rows)} runs evaluated</summary>"
    return f'<details class="runs">{summary}{data_html(document.runs)}</details>'


def _reader(payload: Payload) -> str:
    moved = (
        '<p class="remark" id="moved">The reasoning of some problems does not fit into this page and lies in the '
        f"folder <code>{REASONING_FOLDER}</code> beside it ({len(payload.beside):,} files); keep the two together. "
        "Everything else is in here.</p>"
        if payload.beside
        else ""
    )
    fields = (
        '<label>Search<input type="search" id="find" placeholder="question, answer, id" autocomplete="off"></label>',
        '<label id="task-label">Dataset<select id="by-task"></select></label>',
        '<label>Method<select id="by-run"></select></label>',
        '<label>Outcome<select id="by-outcome"></select></label>',
        '<label id="against-label">Compared with<select id="against"></select></label>',
        '<label>Could not be read<select id="by-reason"></select></label>',
    )
    return (
        '<section id="problems" aria-labelledby="problems-title"><h2 id="problems-title">Problems</h2>'
        f'<p class="caption">{shown(SOLVED)}</p>{moved}'
        '<noscript><p class="remark">Reading single problems needs JavaScript.</p></noscript>'
        f'<form id="filters" role="search">{"".join(fields)}</form><div class="reader"><div class="finding">'
        '<p id="found" role="status">Opening …</p><ol id="list"></ol><p class="pages">'
        '<button type="button" id="earlier">Earlier</button><button type="button" id="later">Later</button></p></div>'
        '<article id="problem" tabindex="-1"></article>'
        "</div></section>"
    )


def _about(document: Document) -> str:
    paper = f"<p>Paper: {shown(document.citation)} {shown(document.paper_note)}</p>" if document.has_paper else ""
    return f"<footer>{paper}<p>Made by setwise from stored records.</p></footer>"


def _data_blocks(document: Document, runs: Sequence[ReaderRun], payload: Payload) -> list[str]:
    telling = [[each.title, each.telling.text.id] for each in document.openings if each.telling]
    about = {
        "runs": [[run.label, run.colour] for run in runs],
        "inline": len(payload.inline),
        "folder": REASONING_FOLDER,
        "telling": telling[:1],
    }
    # Inside a script element only "</" and "<!--" could end it. "<" is escaped, so neither can occur.
    plain = json.dumps(about).replace("<", "\\u003c")
    blocks = [f'<script type="application/json" id="about">{plain}</script>']
    packed = [
        ("index", payload.index if payload.problems else ""),
        *((f"reasoning-{n}", chunk) for n, chunk in enumerate(payload.inline)),
    ]
    return blocks + [f'<script type="text/plain" id="{name}">{text}</script>' for name, text in packed]
