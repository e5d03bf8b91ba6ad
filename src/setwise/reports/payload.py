"""The problems for the page's reader, compressed: an index that is decoded once, and reasoning decoded on demand.

Compressed text in base64 is inert whatever the model wrote, and small enough for thousands of problems. Reasoning that
does not fit into the page goes into files next to it, which the page loads one by one.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from setwise.reports.inputs import ShownProblem, ShownRun, ShownSet

REASONING_CHARACTERS = 400_000
"""Characters of reasoning decoded at once; small enough to open instantly."""
PAGE_BYTES = 24_000_000


@dataclass(frozen=True, slots=True)
class Payload:
    index: str
    inline: Sequence[str]
    """The first chunks of reasoning, for the page itself."""
    beside: Sequence[str]
    """The rest, for separate files, numbered after the inline ones."""
    problems: int

    @property
    def chunks(self) -> int:
        return len(self.inline) + len(self.beside)


@dataclass(slots=True)
class _Writer:
    rows: list[Any] = field(default_factory=list)
    chunks: list[str] = field(default_factory=list)
    pending: list[Any] = field(default_factory=list)
    pending_characters: int = 0

    def add(self, problem: ShownProblem) -> None:
        reasoning = [[each.reasoning for each in run.sets] for run in problem.runs]
        place = (len(self.chunks), len(self.pending))
        self.pending.append(reasoning)
        self.pending_characters += sum(len(text) for run in reasoning for texts in run for text in texts)
        runs = [_run(run) for run in problem.runs]
        self.rows.append([problem.task, problem.id, problem.question, list(problem.golds), runs, *place])
        if self.pending_characters >= REASONING_CHARACTERS:
            self.flush()

    def flush(self) -> None:
        if self.pending:
            self.chunks.append(pack(self.pending))
            self.pending, self.pending_characters = [], 0


def build_payload(problems: Iterable[ShownProblem], taken_bytes: int, page_bytes: int = PAGE_BYTES) -> Payload:
    """Pack the problems. `taken_bytes` is what the rest of the page needs."""
    writer = _Writer()
    for problem in problems:
        writer.add(problem)
    writer.flush()
    index = pack(writer.rows)
    left = page_bytes - taken_bytes - len(index)
    fitting = 0
    for chunk in writer.chunks:
        left -= len(chunk) + 100
        if left < 0:
            break
        fitting += 1
    return Payload(index, writer.chunks[:fitting], writer.chunks[fitting:], len(writer.rows))


def pack(value: Any) -> str:
    """JSON, compressed, in base64. ASCII JSON keeps lone surrogates, which models do write, as escapes.

    >>> unpack(pack(["a", 1])) == ["a", 1]
    True
    """
    text = json.dumps(value, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("ascii"), 9)).decode("ascii")


def unpack(packed: str) -> Any:
    """The inverse of `pack`; the page's script does the same."""
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def _run(run: ShownRun) -> list[Any]:
    return [run.run, int(run.solved), [_set(each) for each in run.sets]]


def _set(shown: ShownSet) -> list[Any]:
    """[answers, reasons, tokens, completions with reasoning]; an answer is [text, confidence, verdict].

    The verdict is 1 for right, 2 for right but repeated, 0 for wrong, null for none.
    """
    answers = []
    for answer in shown.answers:
        verdict = None if answer.right is None else 2 if answer.right and answer.repeated else int(answer.right)
        confidence = None if answer.confidence is None else round(answer.confidence, 4)
        answers.append([answer.text, confidence, verdict])
    return [answers, list(shown.reasons), shown.tokens, sum(bool(text) for text in shown.reasoning)]
