"""HotpotQA with its evidence withheld: one gold answer, and not enough to be sure of it.

Of the two paragraphs that a question needs, some are removed. A hash of (seed, id) decides how many and which, so the
problem is the same on every machine. A row without an answer is an error, not a skip: a skip would silently change the
test set.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from setwise.errors import InputError
from setwise.objectives import Regime
from setwise.questions import Problem
from setwise.tasks.hub import hub_rows
from setwise.tasks.rows import RawRow, build_problems, read_rows
from setwise.tasks.sources import FileLayout, FileSource, HubSource, check_file_split, find_source, splits_at
from setwise.tasks.subset import stable_hash, take
from setwise.tasks.task import LeftOut, Task, TaskKind, TaskRequest

PARAGRAPHS, SUPPORTING = 10, 2
POLICIES = {"paper": (1, 2), "rlcr": (0, 1, 2)}
NOT_TEN = "not 10 paragraphs"
NOT_TWO_SUPPORTING = "not 2 supporting paragraphs"
INSTRUCTION = "Answer with the shortest exact phrase; part of what you need to know may be missing."
_VALIDATION = ("hotpot_dev_distractor_v1.json", "validation.json", "dev.json")
LAYOUT = FileLayout(
    files={
        "train": ("hotpot_train_v1.1.json", "train.json"),
        "validation": _VALIDATION,
        "dev": _VALIDATION,
        "test": ("test.json",),
    },
    origin="hotpotqa.github.io (distractor setting, CC BY-SA 4.0)",
    hub="hotpotqa/hotpot_qa",
    hub_splits=("train", "validation"),
)
SPLITS = tuple(LAYOUT.files)
_HUB_SPLITS = {"dev": "validation"}


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the removal."""

    policy: str = "paper"
    """`paper` removes 1 or 2 supporting paragraphs. `rlcr` removes 0, 1 or 2, and distractors so that 8 paragraphs are
    left."""
    removal_seed: int | None = None
    """Seed of the removal. By default, the seed of the subset, or 0 if there is none."""

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise InputError(f"policy must be one of {', '.join(POLICIES)}", value=self.policy)


@dataclass(frozen=True, slots=True)
class Removal:
    """Decides which paragraphs are removed from a question."""

    policy: str
    seed: int

    def of(self, id: str, titles: Sequence[str], supporting: Sequence[str]) -> list[str]:
        counts = POLICIES[self.policy]
        count = counts[stable_hash(self.seed, id, "count") % len(counts)]
        removed = self._first(id, supporting, count)
        if self.policy == "rlcr":
            removed += self._first(id, [title for title in titles if title not in supporting], SUPPORTING - count)
        return removed

    def _first(self, id: str, titles: Sequence[str], count: int) -> list[str]:
        return sorted(titles, key=lambda title: stable_hash(self.seed, id, title))[:count]


def open_task(request: TaskRequest[Options]) -> Task:
    source = find_source(request, LAYOUT)
    if isinstance(source, FileSource):
        check_file_split(request, source, LAYOUT)
    seeds = (request.options.removal_seed, request.seed, 0)
    removal = Removal(request.options.policy, next(seed for seed in seeds if seed is not None))
    return Task(
        name=request.task,
        regime=Regime.EXCLUSIVE,
        instruction=INSTRUCTION,
        read=partial(_problems, source, request, removal),
        source=source.identity,
    )


def _problems(source: FileSource | HubSource, request: TaskRequest, removal: Removal) -> Iterator[Problem | LeftOut]:
    if isinstance(source, FileSource):
        rows = read_rows(source.path)
    else:
        split = request.split or SPLITS[0]
        rows = hub_rows(source, _HUB_SPLITS.get(split, split), "distractor")
    return take(build_problems(rows, partial(_problem, removal=removal)), request.limit, request.seed)


def _problem(row: RawRow, removal: Removal) -> Problem | LeftOut:
    name = row.text("id" if "id" in row.fields else "_id")
    question, answer = row.text("question"), row.text("answer")
    paragraphs = _pairs(row, "context", "title", "sentences")
    named = {title for title, _ in _pairs(row, "supporting_facts", "title", "sent_id")}
    titles = [title for title, _ in paragraphs]
    supporting = [title for title in dict.fromkeys(titles) if title in named]
    if len(paragraphs) != PARAGRAPHS:
        return LeftOut(NOT_TEN, row.place)
    if len(supporting) != SUPPORTING:
        return LeftOut(NOT_TWO_SUPPORTING, row.place)
    removed = removal.of(name, titles, supporting)
    kept = [f"{title}: {''.join(sentences).strip()}" for title, sentences in paragraphs if title not in removed]
    return Problem(
        id=name,
        question=f"Question: {question}\n\nParagraphs:\n\n" + "\n\n".join(kept),
        golds=[answer],
        meta={"removed": removed, "supporting_removed": len(set(removed) & set(supporting))},
    )


def _pairs(row: RawRow, name: str, first: str, second: str) -> list[tuple[str, Any]]:
    """The official file has a list of pairs, the hub a dict of two lists."""
    value = row.fields.get(name)
    try:
        if isinstance(value, dict):
            return list(zip(value[first], value[second], strict=True))
        return [(title, item) for title, item in value]  # pyright: ignore[reportOptionalIterable]
    except (KeyError, TypeError, ValueError):
        raise InputError(f'"{name}" must be pairs of {first} and {second}', place=row.place, value=value) from None


HOTPOTQA = TaskKind(
    "HotpotQA with supporting paragraphs withheld; one answer",
    open_task,
    SPLITS,
    Options,
    splits_at=partial(splits_at, layout=LAYOUT),
)
