"""The parts of the page that need no script: figures, the overlap exhibit, the glossary."""

from collections.abc import Collection

from setwise.metrics import find_metric
from setwise.reports.canvas.legend import Style
from setwise.reports.canvas.svg import number, to_svg
from setwise.reports.document import Document, DocumentSection
from setwise.reports.figures import Figure
from setwise.reports.figures.overlap import RUN_LENGTH, shared_runs
from setwise.reports.inputs import Chain, OverlapExhibit
from setwise.reports.page.escapes import shown
from setwise.reports.page.table import data_html, table_html

LONGEST_CHAIN = 6_000


def section_html(section: DocumentSection, at_top: Collection[str] = ()) -> str:
    """The section without the figures shown at the top of the page."""
    tables = "".join(table_html(table) for table in section.tables if not table.folded)
    folded = "".join(table_html(table) for table in section.tables if table.folded)
    notes = "".join(f'<p class="remark">{shown(note)}</p>' for note in section.notes)
    figures_here = [figure for figure in section.figures if figure.key not in at_top]
    figures = f'<div class="figures">{"".join(map(figure_html, figures_here))}</div>'
    exhibits = "".join(_exhibit(label, exhibit) for label, exhibit in section.overlap)
    return (
        f'<section id="{section.key}" aria-labelledby="{section.key}-title"><h2 id="{section.key}-title">'
        f"{shown(section.title)}</h2>{notes}{tables}{folded}{figures}{exhibits}</section>"
    )


def figure_html(figure: Figure) -> str:
    legend = "".join(_legend_entry(style) for style in figure.styles)
    keys = f'<ul class="legend">{legend}</ul>' if legend else ""
    panels = "".join(
        f'<div class="panel" data-width="{panel.width:.0f}">{to_svg(panel, themed=True)}</div>'
        for panel in figure.panels
    )
    wide = ' class="wide"' if len(figure.panels) > 1 else ""
    return (
        f'<figure id="{figure.key}"{wide}><h3>{shown(figure.title)}</h3>{keys}<div class="panels">{panels}</div>'
        f"<figcaption>{shown(figure.caption)}</figcaption>"
        f"<details><summary>Numbers behind this figure</summary>{data_html(figure.data)}</details></figure>"
    )


def glossary_html(document: Document) -> str:
    keys = dict.fromkeys(key for section in document.sections for table in section.tables for key in table.columns)
    entries = "".join(
        f'<div data-key="{shown(key)}"><dt>{shown(find_metric(key).label)}</dt>'
        f"<dd>{shown(find_metric(key).definition)}</dd></div>"
        for key in keys
    )
    return f'<section id="glossary"><h2>What the numbers are</h2><dl class="glossary">{entries}</dl></section>'


def _legend_entry(style: Style) -> str:
    dash = f' stroke-dasharray="{" ".join(map(number, style.dash))}"' if style.dash else ""
    colour = f"var(--{style.colour})"
    fill = colour if style.filled else "var(--paper)"
    return (
        '<li><svg viewBox="0 0 28 12" width="28" height="12" aria-hidden="true">'
        f'<path d="M1 6H27" stroke="{colour}" stroke-width="2"{dash}/>'
        f'<circle cx="14" cy="6" r="4" fill="{fill}" stroke="{colour}" stroke-width="1.6"/></svg>'
        f"{shown(style.label)}</li>"
    )


def _exhibit(label: str, exhibit: OverlapExhibit) -> str:
    first, second = exhibit.chains
    columns = "".join(_chain(*pair) for pair in ((1, first, second), (2, second, first)))
    return (
        f'<div class="exhibit"><h3>Two samples of {shown(label)} for problem {shown(exhibit.problem)}</h3>'
        f'<p class="caption">Marked: runs of {RUN_LENGTH} words or more that the other sample holds too.</p>'
        f'<div class="chains">{columns}</div></div>'
    )


def _chain(number: int, own: Chain, other: Chain) -> str:
    pieces = shared_runs(own.text, other.text)
    words = sum(len(text.split()) for text, _ in pieces) or 1
    shared = sum(len(text.split()) for text, marked in pieces if marked)
    body, length = [], 0
    for text, marked in pieces:
        if length > LONGEST_CHAIN:
            body.append(" …")
            break
        length += len(text)
        body.append(f"<mark>{shown(text)}</mark>" if marked else shown(text))
    answers = ", ".join(own.answers) or "no answer"
    return (
        f'<div class="chain"><h4>Sample {number}: {shown(answers)}</h4>'
        f'<p class="chain-share">{shared / words:.0%} of its words stand in shared runs</p>'
        f'<p class="chain-text">{" ".join(body)}</p></div>'
    )
