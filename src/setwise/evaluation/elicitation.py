"""Gets confidences from a model that writes none: keeps its answers, appends the tag, and lets it fill in the
number."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from setwise.answers import AnswerSet
from setwise.contract import TAG_BEGINS, answer_tag, confidence_tag, thinking
from setwise.errors import ModelError
from setwise.models import Completion, Model, Reply, Request
from setwise.objectives import Objective
from setwise.parsing import parse

NUMBER_TOKENS = 8
NUMBER = re.compile(r"[0-9]*\.?[0-9]+(?:\s*%)?")
GOES_ON = re.compile(r"\w|,[0-9]|\s*(?:[-\u2013/:]|\(?(?:out\s+of|of|to|or)\b)")
"""Follows a number that was part of a fraction, a range or a scale, and so is not the confidence."""
TOGETHER = 64


@dataclass(frozen=True, slots=True)
class Draft:
    """A completion in progress, from answers alone to answers with confidences."""

    request: Request
    completion: Completion
    parsed: AnswerSet
    text: str


@dataclass(frozen=True, slots=True)
class ContinuedConfidences:
    """A model that answers as `model` does, with a confidence appended to each answer.

    The number for an answer is drawn given everything before it: the thinking, and the earlier answers with their
    confidences. A completion without answers stays unchanged.
    """

    model: Model
    objective: Objective
    """What the model was asked for, without confidences."""

    @property
    def name(self) -> str:
        return self.model.name

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        replies = iter(self.model.complete(requests))
        while batch := list(islice(replies, TOGETHER)):
            drafts = []
            for request, answer in batch:
                draft = self._draft(request, answer)
                if draft is None:
                    yield request, answer
                else:
                    drafts.append(draft)
            yield from self._filled(drafts)

    def _draft(self, request: Request, answer: Completion | ModelError) -> Draft | None:
        if isinstance(answer, ModelError):
            return None
        parsed = parse(answer.text, self.objective, strict=False, finish_reason=answer.finish_reason)
        if not isinstance(parsed, AnswerSet):
            return None
        return Draft(request, answer, parsed, thinking(parsed.thinking, opened=self.objective.think_opened))

    def _filled(self, drafts: list[Draft]) -> Iterator[Reply]:
        for place in range(self.objective.k):
            grown, finished = [], []
            for draft in drafts:
                (grown if place < len(draft.parsed.candidates) else finished).append(draft)
            for draft in finished:
                yield draft.request, self._finished(draft)
            drafts = []
            for draft, answer in self._numbers(grown, place):
                if isinstance(answer, ModelError):
                    yield draft.request, answer
                else:
                    drafts.append(answer)
        for draft in drafts:
            yield draft.request, self._finished(draft)

    def _numbers(self, drafts: list[Draft], place: int) -> Iterator[tuple[Draft, Draft | ModelError]]:
        """Each draft with one more answer and its confidence."""
        answer_in, confidence_in = answer_tag(self.objective, place), confidence_tag(self.objective, place)
        sampling = {"max_tokens": NUMBER_TOKENS, "stop": (TAG_BEGINS,)}
        waiting: dict[int, tuple[Request, Draft]] = {}
        for draft in drafts:
            answered = answer_in.around(draft.parsed.candidates[place].text)
            text = f"{draft.text}\n{answered}\n{confidence_in.opening}"
            asked = replace(draft.request.sampling, **sampling)
            request = replace(draft.request, prefix=text, sampling=asked, number=True)
            waiting[id(request)] = (request, replace(draft, text=text))
        for request, reply in self.model.complete([request for request, _ in waiting.values()]):
            _, draft = waiting[id(request)]
            if isinstance(reply, ModelError):
                yield draft, reply
                continue
            said = _number_of(reply.text)
            tokens = _sum(draft.completion.tokens, reply.tokens)
            whole = replace(draft.completion, tokens=tokens)
            yield draft, replace(draft, text=f"{draft.text}{said}{confidence_in.closing}", completion=whole)

    def _finished(self, draft: Draft) -> Completion:
        own = draft.completion
        return replace(own, text=draft.text, own_text=own.text)


def _number_of(reply: str) -> str:
    """The content of the tag: the number that the reply begins with, empty if the number goes on; otherwise the whole
    reply.

    >>> _number_of("0.7, I think"), _number_of("70 % sure"), _number_of("7/10"), _number_of("8 out of 10")
    ('0.7', '70 %', '', '')
    """
    said = reply.partition(TAG_BEGINS)[0].strip()
    number = NUMBER.match(said)
    if not number:
        return said
    return "" if GOES_ON.match(said, number.end()) else number[0]


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b
