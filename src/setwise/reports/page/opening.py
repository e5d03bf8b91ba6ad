"""The top of the page: the answer in a few sentences, the figure that shows it, and an example."""

from collections.abc import Sequence

from setwise.reports.canvas.svg import number
from setwise.reports.inputs import ShownAnswer, ShownSet, TellingProblem
from setwise.reports.opening import Opening
from setwise.reports.opening_text import MetricTerm, Name, Sentence
from setwise.reports.page.escapes import shown
from setwise.reports.page.sections import figure_html

LONGEST_ANSWER = 600
VERDICTS = {True: ("right", "✓"), False: ("wrong", "✗"), None: ("", "·")}


def openings_html(openings: Sequence[Opening]) -> str:
    if not openings:
        return ""
    several = len(openings) > 1
    inside = "".join(_opening(opening, titled=several) for opening in openings)
    return f'<section id="answer" aria-label="In short">{inside}</section>'


def _opening(opening: Opening, *, titled: bool) -> str:
    title = f"<h2>{shown(opening.title)}</h2>" if titled else ""
    told = opening.facts[1:] if titled else opening.facts
    facts = "".join(f"<div><dt>{shown(name)}</dt><dd>{shown(value)}</dd></div>" for name, value in told)
    found = "".join(f"<li>{_sentence(each)}</li>" for each in opening.found)
    hero = "" if opening.hero is None else f'<div class="hero">{figure_html(opening.hero)}</div>'
    example = "" if opening.telling is None else _example(opening, opening.telling)
    return (
        f'<div class="opening">{title}<dl class="facts">{facts}</dl><div class="told">'
        f'<p class="compared">{shown(opening.compared)}</p><ul class="found">{found}</ul>'
        f'<p class="sure">{shown(opening.sure)}</p></div>{hero}{example}</div>'
    )


def _sentence(sentence: Sentence) -> str:
    return "".join(map(_part, sentence))


def _part(part: str | MetricTerm | Name) -> str:
    if isinstance(part, MetricTerm):
        return f'<dfn tabindex="0" data-metric="{shown(part.metric)}">{shown(part.words)}</dfn>'
    return shown(part) if isinstance(part, str) else f"<strong>{shown(part.words)}</strong>"


def _example(opening: Opening, telling: TellingProblem) -> str:
    _, best = telling.said
    usual = shown(_how_usual(telling, opening.styles[best].label))
    cards = "".join(_card(opening, run, said) for run, said in telling.said.items())
    question = f'<p class="question">{shown(telling.text.question)}</p>' if telling.text.question else ""
    golds = "".join(f"<li>{shown(gold)}</li>" for gold in telling.text.golds)
    right = f'<p class="label">Right answers</p><ul class="golds">{golds}</ul>' if golds else ""
    return (
        f'<div class="example"><h3>Where it shows most: problem {shown(telling.text.id)}</h3>{question}{right}'
        f'<div class="cards">{cards}</div><p class="caption">{usual}</p></div>'
    )


def _how_usual(telling: TellingProblem, best: str) -> str:
    level = telling.problems - telling.ahead - telling.behind
    return (
        f"Chosen because the gap is widest here. Over all {telling.problems:,} problems, {best} has more right answers "
        f"on {telling.ahead:,}, as many on {level:,} and fewer on {telling.behind:,}."
    )


def _card(opening: Opening, run: str, said: ShownSet) -> str:
    answers = "".join(map(_answer, said.answers))
    tokens = "" if said.tokens is None else f"<span>{said.tokens:,} tokens</span>"
    style = opening.styles[run]
    fill = style.colour if style.filled else "paper"
    dot = (
        '<svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">'
        f'<circle cx="6" cy="6" r="4.5" fill="var(--{fill})" stroke="var(--{style.colour})" stroke-width="2"/></svg>'
    )
    empty = "" if said.answers else '<p class="empty">No answer could be read.</p>'
    return (
        f'<div class="card"><h4>{dot}{shown(style.label)}{tokens}</h4><ul class="answers">{answers}</ul>{empty}</div>'
    )


def _answer(answer: ShownAnswer) -> str:
    kind, mark = VERDICTS[answer.right]
    words = {"right": "right", "wrong": "wrong"}.get(kind, "no verdict")
    text = answer.text if len(answer.text) <= LONGEST_ANSWER else f"{answer.text[:LONGEST_ANSWER]} …"
    repeated = " (repeated)" if answer.repeated else ""
    code = " code" if "\n" in text else ""
    return (
        f'<li class="{kind}"><span class="mark" role="img" aria-label="{words}">{mark}</span>'
        f'<span class="text{code}">{shown(text)}{repeated}</span>{_claim(answer.confidence)}</li>'
    )


def _claim(confidence: float | None) -> str:
    """A bar and its number. The page's policy forbids inline styles, so the bar is drawn."""
    if confidence is None:
        return ""
    bar = f'<rect width="{number(100 * min(1.0, confidence))}" height="8"/>'
    return (
        f'<span class="claim"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">{bar}'
        f"</svg><span>{confidence:.2f}</span></span>"
    )
