"""How an answer set is written and read: the tags, the thinking before them and the numbers between them.

    <think> ... </think> <answer1> ... </answer1> <confidence1> 0.7 </confidence1> <answer2> ...

Prompts, transcripts, parsers and models take the contract from here. Nothing else spells a tag.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from setwise.objectives import Format, Objective

CUT_OFF = "length"
"""The finish reason of a completion that ran into its token limit."""
TAG = re.compile(r"<(/?)((?:answer|confidence)[0-9]{0,4}|analysis|think)>")
LOOSE_TAG = re.compile(r"<\s{0,2}(/?)\s{0,2}(answer|confidence|analysis)\s{0,2}([0-9]{0,4})\s{0,2}>", re.IGNORECASE)
"""A carelessly written tag: in any letter case, with spaces inside."""
# Equivalent to \d*\.?\d+ or \d+\. but unambiguous, so matching takes linear time.
CONFIDENCE = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)\Z")
CONFIDENCE_BEGINS = re.compile(r"[01]?\.[0-9]*|[01]")
CONFIDENCE_BEFORE_A_TAG = r" ?(0?\.[0-9]{1,4}|0|1(\.0{1,4})?) ?</"
"""Constrained to [0, 1]: left free, some models choose their own scale, and a bare 4 has no meaning.

Ends with the first characters of the closing tag, as tokenizers split it: if only a bare < could follow, no number
could end.
"""
TAG_BEGINS = "<"


class Tag(NamedTuple):
    """A pair of tags.

    >>> Tag("answer", 2).around("Gout")
    '<answer2>Gout</answer2>'
    """

    kind: str
    number: int | None = None

    @property
    def name(self) -> str:
        return self.kind if self.number is None else f"{self.kind}{self.number}"

    @property
    def opening(self) -> str:
        return f"<{self.name}>"

    @property
    def closing(self) -> str:
        return f"</{self.name}>"

    def around(self, content: str) -> str:
        return f"{self.opening}{content}{self.closing}"


THINK, ANALYSIS = Tag("think"), Tag("analysis")
THINK_OPEN, THINK_CLOSE = THINK.opening, THINK.closing


@lru_cache(maxsize=256)
def tags_of(format: Format) -> tuple[Tag, ...]:
    """What must follow the thinking, in order.

    >>> [tag.name for tag in tags_of(Objective("rlcr-multi", k=2).format)]
    ['answer1', 'confidence1', 'answer2', 'confidence2']
    """
    kinds = ("answer", "confidence") if format.confidences else ("answer",)
    if format.multi:
        numbered = tuple(Tag(kind, number) for number in range(1, format.k + 1) for kind in kinds)
        return (ANALYSIS, *numbered) if format.analysis else numbered
    answer, *confidence = (Tag(kind) for kind in kinds)
    return (answer, ANALYSIS, *confidence) if format.analysis else (answer, *confidence)


def answer_tag(objective: Objective, place: int) -> Tag:
    """The tag of the candidate at `place`, counted from 0."""
    return Tag("answer", place + 1 if objective.multi else None)


def confidence_tag(objective: Objective, place: int) -> Tag:
    return Tag("confidence", place + 1 if objective.multi else None)


def tagged(
    objective: Objective, answers: Sequence[str], confidences: Sequence[str] = (), analysis: str = ""
) -> Iterator[tuple[Tag, str]]:
    """The tags of an objective, in order, each with the content to write inside it.

    >>> "".join(tag.around(text) for tag, text in tagged(Objective("rlcr-multi", k=1), ["Gout"], ["0.7"]))
    '<answer1>Gout</answer1><confidence1>0.7</confidence1>'
    """
    contents = {"answer": iter(answers), "confidence": iter(confidences), "analysis": iter([analysis])}
    for tag in tags_of(objective.format):
        yield tag, next(contents[tag.kind])


def thinking(text: str, *, opened: bool = False) -> str:
    """The thinking inside its tags. With `opened`, the chat template has already written the opening one.

    >>> thinking("hm"), thinking("hm", opened=True)
    ('<think>hm</think>', 'hm</think>')
    """
    return f"{'' if opened else THINK_OPEN}{text}{THINK_CLOSE}"


def rejoined(thought: str | None, content: str, *, opened: bool = False) -> str:
    """A reply as the model wrote it, after a server or a client has split off the thinking.

    >>> rejoined("hm", "<answer>Ada</answer>")
    '<think>hm</think>\\n<answer>Ada</answer>'
    """
    if not thought or THINK_CLOSE in content:
        return content
    return f"{thinking(thought, opened=opened)}\n{content}"
