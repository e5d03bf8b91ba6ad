"""The tables of docs/results/audit.md and audit-others.md, from what audit.py measured."""

import re
from collections.abc import Iterator
from pathlib import Path

from results.blocks import with_block
from results.collecting import records_in
from setwise.objectives import OBJECTIVES
from setwise.records.audit import Change
from setwise.records.files import Record

PAGES = Path(__file__).parents[1] / "docs" / "results"
DOCUMENTS = {
    PAGES / "audit.md": ("published", "honest", "planted"),
    PAGES / "audit-others.md": ("others", "longer"),
}
"""Each page with its tables."""
SHORTER = {
    "ddxplus-seed0": "DDXPlus",
    "ddxplus-seed1": "DDXPlus, seed 1",
    "ddxplus-seed0-micro16": "DDXPlus, micro-batches of 16",
    "ddxplus-k": "DDXPlus, other K",
    "hotpotqa-seed0": "HotPotQA-Modified",
    "mbpp-seed0": "MBPP",
}
LONGER = {
    "ddxplus-160": "DDXPlus, 160 steps",
    "ddxplus-credit": "DDXPlus, 160 steps, credit per answer without the warm-up",
    "ddxplus-132": "DDXPlus, 132 steps of 16 x 8",
    "ddxplus-warmup": "DDXPlus, 160 steps, credit with the warm-up",
    "ddxplus-decay": "DDXPlus, 160 steps, falling rate",
    "ddxplus-240": "DDXPlus, 240 steps",
    "ddxplus-k-credit": "DDXPlus, 160 steps, credit per answer, other K",
    "ddxplus-smollm2": "DDXPlus, SmolLM2-135M",
    "hotpotqa-120": "HotPotQA-Modified, 120 steps",
    "hotpotqa-200": "HotPotQA-Modified, 200 steps",
    "mbpp-120": "MBPP, 120 steps",
    "mbpp-150": "MBPP, 150 steps",
}
"""Trainings with more and smaller steps."""
TITLES = {**SHORTER, **LONGER}
"""By archive."""
ASKED_AGAIN = ("-validation", "-temperature-1")
"""How evaluations end that ask a model of these a second time."""
LONGEST = 90
TABLES = ("ddxplus-seed0", "ddxplus-seed1", "hotpotqa-seed0", "mbpp-seed0")


def written_anew(measured: Path) -> None:
    for document in DOCUMENTS:
        document.write_text(with_tables(document, measured), encoding="utf-8")


def with_tables(document: Path, measured: Path) -> str:
    """The document with its tables as measured."""
    text, records = document.read_text(encoding="utf-8"), records_in(measured)
    tables = {"published": _own, "others": _others, "longer": _longer, "honest": _honest, "planted": _planted}
    for name in DOCUMENTS[document]:
        kind = name if name in ("honest", "planted") else "published"
        text = with_block(text, name, tables[name]([each for each in records if each["kind"] == kind]))
    return text


def _own(records: list[Record]) -> Iterator[str]:
    return _published([each for each in records if _is_own(each)])


def _others(records: list[Record]) -> Iterator[str]:
    return _published([each for each in records if each["archive"] in SHORTER and not _is_own(each)])


def _longer(records: list[Record]) -> Iterator[str]:
    return _published([each for each in records if each["archive"] in LONGER and not each["run"].endswith(ASKED_AGAIN)])


def _is_own(record: Record) -> bool:
    """Whether a trained model is asked as it was trained, in one of the four tables."""
    return record["archive"] in TABLES and record["run"] in OBJECTIVES


def _published(records: list[Record]) -> Iterator[str]:
    yield "| dataset | run | finding | severity | completions | number | as it is | without it | for example |"
    yield "| --- | --- | --- | --- | ---: | --- | ---: | ---: | --- |"
    for record in records:
        if not record["findings"]:
            yield f"| {TITLES[record['archive']]} | {record['run']} | nothing found | | | | | | |"
        for found in record["findings"]:
            yield "| " + " | ".join((TITLES[record["archive"]], record["run"], *_cells(found))) + " |"


def _cells(found: Record) -> tuple[str, ...]:
    change = found["change"]
    numbers = ("", "", "")
    if change:
        numbers = (f"`{change['metric']}`", f"{change['before']:.3f}", Change(**change).without)
    quote = found["examples"][0]["quote"] if found["examples"] else ""
    share = f"{found['count'] / found['of']:.1%}"
    return (found["label"], found["severity"], share, *numbers, _shown(quote))


def _shown(quote: str) -> str:
    text = " ".join(quote.split())
    short = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", short)


def _honest(records: list[Record]) -> Iterator[str]:
    yield "| runs | completions | looks | findings |"
    yield "| --- | ---: | ---: | ---: |"
    for task in dict.fromkeys(record["task"] for record in records):
        own = [record for record in records if record["task"] == task]
        looks = sum(len(record["looked_for"]) for record in own)
        found = sum(len(record["findings"]) for record in own)
        yield f"| {len(own)} of {task} | {sum(each['completions'] for each in own):,} | {looks} | {found} |"


def _planted(records: list[Record]) -> Iterator[str]:
    rates = sorted({record["rate"] for record in records})
    yield "| cheat | finding | " + " | ".join(f"{rate:.0%}" for rate in rates) + " |"
    yield "| --- | --- |" + " :---: |" * len(rates)
    by_cheat: dict[str, dict[float, Record]] = {}
    for record in records:
        by_cheat.setdefault(record["cheat"], {})[record["rate"]] = record
    for cheat, own in by_cheat.items():
        marks = ["found" if own[rate]["found"] else "-" for rate in rates]
        yield f"| `{cheat}` | `{own[rates[0]]['finding']}` | " + " | ".join(marks) + " |"
    totals = [sum(own[rate]["found"] for own in by_cheat.values()) for rate in rates]
    yield f"| **of {len(by_cheat)}** | | " + " | ".join(f"**{total}**" for total in totals) + " |"
