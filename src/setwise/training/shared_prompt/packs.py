"""Which completions run after which prompt, and in which sequence.

A group of completions shares its prompt, so the prompt needs to run only once. A sequence is laid out as

    prefix of prompt A | prefix of prompt B | ... | completion A1 | completion A2 | completion B1 | ...

where the prefix is the prompt without its last token. That token starts every completion instead: it predicts the
completion's first token, so every completion has exactly one input per predicted token. The last token of a completion
predicts nothing and is left out. A prompt of P tokens and completions of L1, L2, ... tokens thus cost
P - 1 + L1 + L2 + ... tokens, and each prediction has its own position, as TRL's fused LM head requires. All prefixes
come first, so that the segments that are read and those that read are two slices.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

IGNORED = -100
"""The label of a position that predicts nothing."""


@dataclass(frozen=True, slots=True)
class Row:
    """One completion with its prompt."""

    prompt: Integers
    completion: Integers

    @property
    def key(self) -> Hashable:
        """Equal for rows with the same prompt."""
        return self.prompt.tobytes()


@dataclass(frozen=True, slots=True)
class Bundle:
    """Rows that share one prompt, and one run of it."""

    prompt: Integers
    rows: tuple[int, ...] = ()
    tokens: int = 0

    def with_row(self, index: int, length: int) -> "Bundle":
        return Bundle(self.prompt, (*self.rows, index), self.tokens + length)

    @classmethod
    def empty(cls, prompt: Integers) -> "Bundle":
        return cls(prompt, tokens=len(prompt) - 1)


@dataclass(frozen=True, slots=True)
class Segments:
    """The segments of one sequence. A token sees its own segment up to itself, and all of the segment it shares.

    `shared_start == shared_end` if nothing is shared. Segments that others share come first, in the order in which they
    are read; those that read them come last.
    """

    start: Integers
    end: Integers
    shared_start: Integers
    shared_end: Integers

    @property
    def tokens(self) -> int:
        return int(self.end[-1])


@dataclass(frozen=True, slots=True)
class PackedSequence:
    """One sequence: its inputs, what each position predicts, and where that prediction belongs."""

    token_ids: Integers
    position_ids: Integers
    labels: Integers
    segments: Segments
    rows: Integers
    """For each prediction, in order, the row of the micro-batch ..."""
    columns: Integers
    """... and the token of its completion."""

    @property
    def tokens(self) -> int:
        return len(self.token_ids)


def bundle_rows(rows: Sequence[Row], budget: int) -> list[Bundle]:
    """Rows grouped by prompt. A group over the budget becomes several bundles that each run the prompt.

    A single completion over the budget still gets its own bundle. Empty completions predict nothing and are left out.

    >>> prompt = np.arange(3)
    >>> rows = [Row(prompt, np.arange(n)) for n in (4, 0, 4, 4)]
    >>> [bundle.rows for bundle in bundle_rows(rows, budget=10)]
    [(0, 2), (3,)]
    """
    full: list[Bundle] = []
    open_bundles: dict[Hashable, Bundle] = {}
    for index, row in enumerate(rows):
        length = len(row.completion)
        if not length:
            continue
        bundle = open_bundles.get(row.key, Bundle.empty(row.prompt))
        if bundle.rows and bundle.tokens + length > budget:
            full.append(bundle)
            bundle = Bundle.empty(row.prompt)
        open_bundles[row.key] = bundle.with_row(index, length)
    return full + list(open_bundles.values())


def fill_sequences(bundles: Iterable[Bundle], budget: int) -> list[list[Bundle]]:
    """Bundles in as few sequences as first-fit-decreasing finds, since short sequences leave a GPU idle."""
    sequences: list[list[Bundle]] = []
    room: list[int] = []
    for bundle in sorted(bundles, key=lambda bundle: -bundle.tokens):
        place = next((i for i, left in enumerate(room) if bundle.tokens <= left), None)
        if place is None:
            sequences.append([bundle])
            room.append(budget - bundle.tokens)
        else:
            sequences[place].append(bundle)
            room[place] -= bundle.tokens
    return sequences


def pack(rows: Sequence[Row], budget: int) -> list[PackedSequence]:
    """Every prediction of every row exactly once, in as few sequences as the budget allows."""
    return [lay_out(rows, bundles) for bundles in fill_sequences(bundle_rows(rows, budget), budget)]


def pack_side_by_side(rows: Sequence[Row], budget: int, cells: int) -> list[list[PackedSequence]]:
    """Like `pack`, with each group in its own sequence, and the sequences in batches for one pass each.

    For a dense mask, whose cells are the square of a sequence's tokens. A batch is padded to its longest sequence and
    has at most `cells` cells, or one sequence. None of its sequences is less than half as long as the longest, so
    padding never doubles the tokens.
    """
    sequences = [lay_out(rows, [bundle]) for bundle in bundle_rows(rows, budget)]
    batches: list[list[PackedSequence]] = []
    room = 0
    for sequence in sorted(sequences, key=lambda sequence: -sequence.tokens):
        if batches and len(batches[-1]) < room and 2 * sequence.tokens >= batches[-1][0].tokens:
            batches[-1].append(sequence)
        else:
            batches.append([sequence])
            room = cells // sequence.tokens**2
    return batches


def pad(columns: Sequence[Integers], fill: int) -> Integers:
    """A row for each column, as long as the longest.

    >>> pad([np.array([1, 2]), np.array([3])], fill=0)
    array([[1, 2],
           [3, 0]])
    """
    rows = np.full((len(columns), max(map(len, columns))), fill)
    for row, column in zip(rows, columns, strict=True):
        row[: len(column)] = column
    return rows


def lay_out(rows: Sequence[Row], bundles: Iterable[Bundle]) -> PackedSequence:
    """One sequence from its bundles."""
    draft = _Draft()
    prefixes: list[tuple[int, int]] = []
    with_prefixes_last = sorted(bundles, key=lambda bundle: len(bundle.prompt) > 1)
    for bundle in with_prefixes_last:
        prefix, start = bundle.prompt[:-1], draft.tokens
        draft.add(prefix, np.full(len(prefix), IGNORED), first_position=0, shared=(start, start))
        prefixes.append((start, draft.tokens))
    for bundle, shared in zip(with_prefixes_last, prefixes, strict=True):
        for index in bundle.rows:
            completion = rows[index].completion
            inputs = np.concatenate([bundle.prompt[-1:], completion[:-1]])
            draft.add(inputs, completion, first_position=len(bundle.prompt) - 1, shared=shared)
            draft.rows.append(np.full(len(completion), index))
            draft.columns.append(np.arange(len(completion)))
    return draft.finish()


def idle_sequence() -> PackedSequence:
    """A pass that predicts nothing, for a process that has nothing to learn from but must keep in step with others."""
    return lay_out([], [Bundle.empty(np.zeros(2, np.int64))])


@dataclass(slots=True)
class _Draft:
    tokens: int = 0
    token_ids: list[Integers] = field(default_factory=list)
    position_ids: list[Integers] = field(default_factory=list)
    labels: list[Integers] = field(default_factory=list)
    spans: list[tuple[int, int, int, int]] = field(default_factory=list)
    rows: list[Integers] = field(default_factory=list)
    columns: list[Integers] = field(default_factory=list)

    def add(self, inputs: Integers, labels: Integers, first_position: int, shared: tuple[int, int]) -> None:
        if not len(inputs):
            return
        self.spans.append((self.tokens, self.tokens + len(inputs), *shared))
        self.tokens += len(inputs)
        self.token_ids.append(inputs)
        self.position_ids.append(first_position + np.arange(len(inputs)))
        self.labels.append(labels)

    def finish(self) -> PackedSequence:
        return PackedSequence(
            token_ids=_joined(self.token_ids),
            position_ids=_joined(self.position_ids),
            labels=_joined(self.labels),
            segments=Segments(*np.array(self.spans, dtype=np.int64).T),
            rows=_joined(self.rows),
            columns=_joined(self.columns),
        )


def _joined(parts: list[Integers]) -> Integers:
    return np.concatenate(parts).astype(np.int64) if parts else np.zeros(0, np.int64)
