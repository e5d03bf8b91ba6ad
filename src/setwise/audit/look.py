"""Completions -> table. Every text is read once, here, and only what is odd about it is kept."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from setwise.audit.keys import key_of
from setwise.audit.notes import SignNotes
from setwise.audit.said import Asked, AuditedCompletion, AuditSource, Context
from setwise.audit.table import NOTHING, AuditTable
from setwise.matching.normalize import normalize
from setwise.metrics.claims import shares_out_one
from setwise.signs.copies import is_in, padded
from setwise.signs.names import NameBook, book_of
from setwise.signs.thoughts import template
from setwise.signs.words import wording, words

LONGEST_THOUGHT = 200
"""Words of a thought that are searched for in its question."""
MOST_KEYS = 10_000
_NAN = float("nan")


@dataclass(slots=True)
class Looker:
    """Reads the completions of one run into a table."""

    context: Context
    book: NameBook
    table: AuditTable = field(default_factory=AuditTable)
    keys: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)
    another: str = ""
    """The previous question, which a thought is also compared with."""

    def group(self, asked: Asked, said: Sequence[AuditedCompletion]) -> None:
        """Everything that was answered to one question."""
        number = len(self.table.problems)
        self.table.problems.append(asked.id)
        question = padded(asked.question) if asked.question else ""
        self._golds(number, asked, question, said)
        alone = frozenset(wording(answer) for each in said for answer in each.answers if len(answer) < 100)
        sets = _agreements([frozenset(filter(None, each.forms)) for each in said])
        agreements = zip(sets, _first_agreements(said), strict=True)
        asked_key = key_of(question)
        notes = SignNotes(self.context, self.book, self.table, asked, question, alone)
        for each, agreed in zip(said, agreements, strict=True):
            thought = words(each.thinking)
            row = self._row(number, each, agreed, thought, question, asked_key)
            if each.answers:
                notes.add(row, each, thought)
        self.another = question or self.another

    def _golds(self, number: int, asked: Asked, question: str, said: Sequence[AuditedCompletion]) -> None:
        right = {form for each in said for form, ok in zip(each.forms, each.correct, strict=False) if ok and form}
        right |= asked.right_forms
        self.table.tests_known += bool(asked.tests)
        if asked.golds is not None:
            self.table.golds_known += 1
            self.table.gold_copies += bool(question) and any(is_in(gold.text, question) for gold in asked.golds)
            right |= {normalize(gold.text) for gold in asked.golds}
        known = len(right) if asked.golds is None else len(asked.golds)
        self.table.gold_counts.append(known if asked.n_golds is None else asked.n_golds)
        for form in right:
            self.table.right_forms[form].append(number)

    def _row(
        self,
        number: int,
        said: AuditedCompletion,
        agreed: tuple[float, float],
        thought: list[str],
        question: str,
        asked_key: int,
    ) -> int:
        judged = len(said.correct) == len(said.answers)
        stated = [q for q in said.confidences if q is not None] if None not in said.confidences else []
        forms = tuple(sorted(form or "" for form in said.forms))
        row = self.table.add(
            problem=number,
            sample=said.sample,
            question=asked_key,
            k=self.context.objective.k,
            answers=len(said.answers),
            right=sum(said.credited or said.correct) if judged else 0,
            judged=judged,
            valid=said.valid,
            set=self._key("set", forms),
            agreement=agreed[0],
            first=self._key("first", tuple(form or "" for form in said.forms[:1])),
            first_agreement=agreed[1],
            first_right=bool(judged and said.correct and said.correct[0]),
            claim=self._key("claim", tuple(map(str, stated))),
            sum=sum(stated) if stated else _NAN,
            shares_out_one=bool(stated) and shares_out_one(stated),
            squares=_squares(stated, said.correct) if judged and stated else _NAN,
            thought=self._key("thought", template(thought, said.answers)),
            thought_words=len(thought),
            echo=_echo(thought, question, self.another),
            tokens=NOTHING if said.tokens is None else said.tokens,
            step=NOTHING if said.step is None else said.step,
        )
        if judged:
            self.table.add_entries(row, said.confidences, said.correct)
        return row

    def _key(self, kind: str, text: tuple[str, ...]) -> int:
        if not any(text):
            return NOTHING
        known = self.keys.get((kind, text))
        if known is not None:
            return known
        key = key_of(kind, *text)
        if len(self.keys) < MOST_KEYS:
            self.keys[kind, text] = key
        self.table.keep(key, text)
        return key


def look(source: AuditSource) -> AuditTable:
    """Read the whole run, one question at a time."""
    looker = Looker(source.context, book_of(source.golds(), source.context.listed))
    for asked, said in source.groups():
        looker.group(asked, said)
    return looker.table


def _agreements(sets: Sequence[frozenset[str]]) -> list[float]:
    """For each set, the mean share of its answers that another completion for the same question also has."""
    times = Counter(chain.from_iterable(sets))
    others = sum(map(bool, sets)) - 1
    return [sum(times[form] - 1 for form in own) / (len(own) * others) if own and others > 0 else _NAN for own in sets]


def _first_agreements(said: Sequence[AuditedCompletion]) -> list[float]:
    """For each first answer, the share of the other completions for the same question that also begin with it."""
    firsts = [each.forms[0] if each.forms else None for each in said]
    times = Counter(filter(None, firsts))
    others = times.total() - 1
    return [(times[form] - 1) / others if form and others > 0 else _NAN for form in firsts]


def _echo(thought: Sequence[str], question: str, another: str) -> float:
    """How many more of a thought's words are in its own question than in the previous one; none for a template."""
    if not thought or not question or not another or question == another:
        return _NAN
    said = {f" {word} " for word in thought[:LONGEST_THOUGHT]}
    return (sum(word in question for word in said) - sum(word in another for word in said)) / len(said)


def _squares(stated: Sequence[float | None], correct: Sequence[bool]) -> float:
    return sum((q - c) ** 2 for q, c in zip(stated, correct, strict=True) if q is not None)
