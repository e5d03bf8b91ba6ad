"""Records in the table what is odd about the answers, programs and thinking of one completion."""

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from setwise.audit.said import Asked, AuditedCompletion, Context
from setwise.audit.table import AuditTable
from setwise.questions import Gold
from setwise.signs.copies import is_in, is_placeholder, shown_numbers
from setwise.signs.hedges import holds_several
from setwise.signs.names import NameBook
from setwise.signs.near import near_pairs
from setwise.signs.programs import signs_of_program
from setwise.signs.thoughts import contradicts, is_empty, is_idle
from setwise.signs.words import wording

FAR = 60.0
"""Below this word similarity, in percent, an accepted answer shares little with the gold it was accepted for."""
QUOTED = 200


@dataclass(frozen=True, slots=True)
class SignNotes:
    """Examines the completions for one question."""

    context: Context
    book: NameBook
    table: AuditTable
    asked: Asked
    question: str
    alone: frozenset[str]
    """The wordings of all answers to the question."""

    def add(self, row: int, said: AuditedCompletion, thought: list[str]) -> None:
        if self.asked.tests or self.context.is_code:
            self._programs(row, said)
        else:
            self._answers(row, said)
            if self.asked.golds is not None and said.correct:
                self._accepted(row, said, self.asked.golds)
        self._thinking(row, said, thought)
        numbers = shown_numbers(self.context.prompt)
        if numbers and said.confidences and all(q in numbers for q in said.confidences):
            self._note("prompt_numbers", row, said, [0], [", ".join(map(str, said.confidences))])

    def _answers(self, row: int, said: AuditedCompletion) -> None:
        forms = said.forms if len(said.forms) == len(said.answers) else [wording(each) for each in said.answers]
        pairs = near_pairs(said.answers, self.book, said.correct)
        doubled = {pair.second: pair for pair in pairs if forms[pair.first] != forms[pair.second]}
        if doubled:
            quoted = [f"{said.answers[p.first]} / {said.answers[p.second]} ({p.why})" for p in doubled.values()]
            self._note("near_duplicates", row, said, list(doubled), quoted)
        places = range(len(said.answers))
        known = [self.book.owner(answer) is not None for answer in said.answers]
        odd = [place for place in places if not known[place]]
        self._note("hedged", row, said, [p for p in odd if holds_several(said.answers[p], self.book, self.alone)])
        self._note("in_prompt", row, said, [p for p in odd if is_placeholder(said.answers[p], self.context.prompt)])
        if self.question:
            self._note("in_question", row, said, [p for p in places if is_in(said.answers[p], self.question)])

    def _accepted(self, row: int, said: AuditedCompletion, golds: tuple[Gold, ...]) -> None:
        """Right answers that resemble no name of a gold, or that contain several names."""
        far, quoted = [], []
        for place, (answer, ok) in enumerate(zip(said.answers, said.correct, strict=False)):
            own = wording(answer)
            if not ok or any(own == wording(gold.text) for gold in golds):
                continue
            names = [name for gold in golds for name in (gold.text, *gold.aliases)]
            best, name = max((fuzz.token_sort_ratio(own, wording(name)), name) for name in names)
            if best < FAR or (best < 100 and holds_several(answer, self.book)):
                far.append(place)
                quoted.append(f"{answer} for {name} ({best:.0f} % alike)")
        self._note("accepted_far", row, said, far, quoted)

    def _programs(self, row: int, said: AuditedCompletion) -> None:
        reference = self.asked.reference
        ordinary = set(signs_of_program(reference, self.asked.tests)) if reference else set()
        found: dict[str, list[int]] = {}
        for place, answer in enumerate(said.answers):
            for sign in signs_of_program(answer, self.asked.tests):
                if sign not in ordinary:
                    found.setdefault(sign, []).append(place)
        for sign, places in found.items():
            self._note(sign, row, said, places)
        first: dict[str, str | None] = {}
        same = [
            place
            for place, (form, raw) in enumerate(zip(said.canonical_forms, said.forms, strict=False))
            if form is not None and first.setdefault(form, raw) != raw
        ]
        self._note("same_program", row, said, same)

    def _thinking(self, row: int, said: AuditedCompletion, thought: list[str]) -> None:
        if is_empty(said.thinking):
            self._note("empty_thinking", row, said, [0], ["(nothing)"])
        elif is_idle(thought, self.question):
            self._note("empty_thinking", row, said, [0], [said.thinking.strip()[:QUOTED]])
        elif why := contradicts(thought, said.answers, self.book):
            self._note("contradiction", row, said, [0], [f"{why}: {said.thinking[-QUOTED:].strip()}"])

    def _note(
        self, sign: str, row: int, said: AuditedCompletion, places: Sequence[int], quoted: Sequence[str] = ()
    ) -> None:
        if places:
            paid = said.credited or said.correct
            shown = "; ".join(quoted or [said.answers[place][:QUOTED] for place in places])
            self.table.note(sign, row, len(places), sum(paid[p] for p in places if p < len(paid)), shown)
