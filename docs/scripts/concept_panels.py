"""The figures of Concepts, each a card that is legible on a telephone and on any background."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from setwise.records.score import Score
from setwise.reports.canvas import Drawing, Line, Mark, Polygon, Text
from setwise.reports.canvas.marks import Point, moved, rectangle, text_width

WIDTH, MARGIN = 560.0, 16.0
INSIDE = WIDTH - 2 * MARGIN
SMALL, SIZE, HEAD = 13.0, 14.0, 16.0
LINE = 24.0
_TOKEN = re.compile(r"</?\w+>|[^\s<]+")
"""Words and tags, since the records hold no tokens."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a completion says in one place, and what its tokens are paid."""

    text: str
    paid: float


@dataclass(frozen=True, slots=True)
class Group:
    """The lengths of one prompt and of its samples, in tokens."""

    prompt: int
    samples: Sequence[int]

    @property
    def apart(self) -> int:
        """Each sample with the prompt before it, padded to the longest."""
        return len(self.samples) * (self.prompt + max(self.samples))

    @property
    def together(self) -> int:
        return self.prompt - 1 + sum(self.samples)


def pipeline_panel(lines: Sequence[str], score: Score, golds: Sequence[str]) -> Drawing:
    marks: list[Mark] = [_heading("What one completion earns")]
    down = 44.0
    marks.append(Polygon(rectangle(MARGIN, down, INSIDE, LINE * len(lines) + 12), "grid"))
    for number, line in enumerate(lines, 1):
        marks.append(Text((MARGIN + 10, down + LINE * number - 1), line, SMALL))
    down += LINE * len(lines) + 12
    answers = [f"{said}  {q:.2f}" for said, q in zip(score.answers, score.confidences, strict=True)]
    steps = (
        ("parse", "exact tags in order; anything else is Malformed and earns 0", answers, "grid"),
        ("label", f"golds: {', '.join(golds)}; none pays twice", score.labels, ""),
    )
    for verb, note, cells, fill in steps:
        marks += _arrow(down, verb, note)
        down += 44
        width = (INSIDE - 20) / 3
        for place, cell in enumerate(cells):
            left = MARGIN + place * (width + 10)
            colour = fill or ("green" if cell else "vermillion")
            shown = cell if isinstance(cell, str) else "right" if cell else "wrong"
            marks.append(Polygon(rectangle(left, down, width, 34), colour, 1.0 if fill else 0.25))
            marks.append(Text((left + width / 2, down + 22), shown, SIZE, "middle"))
        down += 34
    marks += _arrow(down, "reward", "the paper's, with all weights 1")
    down += 44
    terms = score.terms
    told = f"format {terms['format']:g} + correctness {terms['correctness']:g}"
    told += f" - Brier score {-terms['calibration']:.2f} = {score.reward:.2f}"
    marks.append(Polygon(rectangle(MARGIN, down, INSIDE, 34), "sky", 0.3))
    marks.append(Text((WIDTH / 2, down + 22), told, SIZE + 1, "middle", bold=True))
    title = (
        "A completion is parsed into answers, each answer is labelled, and the labels and confidences give the reward"
    )
    return Drawing("pipeline", title, WIDTH, down + 34 + MARGIN, marks)


def _heading(text: str, down: float = 28) -> Text:
    return Text((MARGIN, down), text, HEAD, bold=True)


def _arrow(down: float, verb: str, note: str) -> list[Mark]:
    at = MARGIN + 14
    marks: list[Mark] = [Line([(at, down + 6), (at, down + 36)], "muted", 2)]
    marks.append(Line([(at - 6, down + 29), (at, down + 37), (at + 6, down + 29)], "muted", 2))
    marks.append(Text((at + 20, down + 27), verb, SIZE, bold=True))
    marks.append(Text((at + 26 + text_width(verb, SIZE * 1.1), down + 27), note, SIZE, colour="muted"))
    return marks


def credit_panel(ways: Sequence[tuple[str, Sequence[Part]]], note: str) -> Drawing:
    """The same completion for each way to pay it: tokens that earn are green, tokens that lose are red."""
    marks: list[Mark] = []
    down = 4.0
    for name, parts in ways:
        down += LINE
        marks.append(_heading(name, down))
        down += 8
        for part in parts:
            lines = list(_lines(_TOKEN.findall(part.text), INSIDE - 64))
            for number, words in enumerate(lines):
                marks += [moved(mark, 0, down) for mark in _tokens(words, part.paid)]
                if number == 0:
                    marks.append(
                        Text((WIDTH - MARGIN, down + 18), f"{round(part.paid, 2) or 0.0:+.2f}", SIZE, "end", bold=True)
                    )
                down += LINE + 3
    marks.append(Text((MARGIN, down + 20), note, SIZE, colour="muted"))
    title = "The tokens of one completion, paid all alike and paid answer by answer"
    return Drawing("credit", title, WIDTH, down + 34, marks)


def _lines(words: Sequence[str], room: float) -> Iterator[list[str]]:
    line: list[str] = []
    for word in words:
        if line and sum(_token_width(each) for each in (*line, word)) > room:
            yield line
            line = []
        line.append(word)
    yield line


def _token_width(word: str) -> float:
    return text_width(word, SIZE) * 1.04 + 12


def _tokens(words: Sequence[str], paid: float) -> Iterator[Mark]:
    left = MARGIN
    colour, strength = "green" if paid > 0 else "vermillion", min(0.08 + 0.5 * abs(paid), 0.6)
    for word in words:
        width = _token_width(word)
        yield Polygon(rectangle(left, 0, width - 3, LINE), colour, strength)
        yield Text((left + (width - 3) / 2, 17), word, SIZE, "middle")
        left += width


def prompt_panel(group: Group) -> Drawing:
    """Areas are tokens."""
    scale, row = (INSIDE - 40) / (group.prompt + max(group.samples)), 26.0
    prompt = group.prompt * scale
    marks: list[Mark] = [_heading("One prompt per sample")]
    down = 42.0
    for length in group.samples:
        marks += _block(MARGIN, down, prompt, row, "sky", "prompt")
        marks += _block(MARGIN + prompt, down, length * scale, row, "green", "sample")
        padded = (max(group.samples) - length) * scale
        if padded:
            marks += _block(MARGIN + prompt + length * scale, down, padded, row, "band", "")
        down += row + 4
    total = f"{len(group.samples)} x ({group.prompt} + {max(group.samples)}) = {group.apart:,} tokens, padding included"
    marks.append(Text((MARGIN, down + 18), total, SIZE, colour="muted"))
    down += 56
    marks.append(_heading("The prompt once", down))
    down += 14
    middle = down + (len(group.samples) * (row + 4) - 4) / 2
    marks += _block(MARGIN, middle - row / 2, prompt, row, "sky", "prompt")
    for length in group.samples:
        reads: list[Point] = [(MARGIN + prompt, middle), (MARGIN + prompt + 38, down + row / 2)]
        marks.append(Line(reads, "muted", 1.4))
        marks += _block(MARGIN + prompt + 40, down, length * scale, row, "green", "sample")
        down += row + 4
    lengths = " + ".join(map(str, group.samples))
    total = f"{group.prompt} - 1 + {lengths} = {group.together:,} tokens"
    marks.append(Text((MARGIN, down + 18), total, SIZE, colour="muted"))
    title = "A group with the prompt before every sample, and with the prompt once and its samples beside it"
    return Drawing("shared-prompt", title, WIDTH, down + 34, marks)


def _block(left: float, top: float, width: float, height: float, colour: str, name: str) -> Iterator[Mark]:
    yield Polygon(rectangle(left, top, width - 1, height), colour, 0.45)
    if name:
        yield Text((left + width / 2, top + height / 2 + 5), name, SIZE, "middle")
