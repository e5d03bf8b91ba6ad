"""What confidences know of HotPotQA-Modified's two kinds of question, for docs/results/hotpotqa-credit.md.

    python results/question_kinds.py collect data/hotpotqa    # writes results/question-kinds.jsonl
    python results/question_kinds.py write                    # writes the table of the document

The dataset says of each question whether it is a comparison, most of which name two possible answers, or a bridge from
one article to another. The records of the runs have no questions, so this needs the dataset.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from results.blocks import with_block
from results.collecting import collect_or_write, records_in
from results.learning_tables import RUNS as SHORTER
from results.readings import full_claims
from results.records import unpack
from results.trainings import HOTPOTQA_200, by_seed, evaluations
from setwise.records.files import Record, dump_record, replacing

HERE = Path(__file__).parent
MEASURED = HERE / "question-kinds.jsonl"
DOCUMENT = HERE.parent / "docs" / "results" / "hotpotqa-credit.md"
KINDS = ("bridge", "comparison")
RUNS = {**SHORTER, **by_seed("per answer, log score, 200 steps", HOTPOTQA_200.ours)}
"""Trainings of RLCR-multi by title."""


def collect(data: Sequence[Path]) -> None:
    kinds = kinds_in(*data)
    with TemporaryDirectory() as scratch, replacing(MEASURED) as out:
        folders = {archive: Path(scratch) / archive for archive, _ in RUNS.values()}
        for archive, folder in folders.items():
            unpack(HERE / f"{archive}.tar.xz", folder)
        for title, run in zip(RUNS, evaluations(folders, RUNS.values()), strict=True):
            out.write(dump_record({"training": title, **by_kind(run, kinds)}))


def kinds_in(folder: Path) -> dict[str, str]:
    """By question of the test split."""
    return {row["_id"]: row["type"] for row in json.loads((folder / "test.json").read_text(encoding="utf-8"))}


def by_kind(run: Path, kinds: Mapping[str, str]) -> Record:
    """For each kind, over its sets: their share, the mean confidence and the share right in each place, and the Brier
    skill over the best constants, one for each place of that kind."""
    found = defaultdict(list)
    for claim, attempt in full_claims(run):
        found[kinds[attempt.problem]].append((claim, attempt.correct))
    total = sum(map(len, found.values()))
    return {kind: {"share": len(found[kind]) / total, **_numbers(found[kind])} for kind in KINDS}


def _numbers(sets: Sequence[tuple[Sequence[float], Sequence[bool]]]) -> Record:
    stated, right = np.array(sets, float).swapaxes(0, 1)
    constants = right.mean(axis=0)
    skill = 1 - ((stated - right) ** 2).mean() / ((constants - right) ** 2).mean()
    return {"claimed": stated.mean(axis=0).tolist(), "right": constants.tolist(), "skill": float(skill)}


def with_table(text: str) -> str:
    return with_block(text, "kinds of question", _table(records_in(MEASURED)))


def _table(trainings: Sequence[Record]) -> Iterator[str]:
    yield "| RLCR-multi | " + " | ".join(f"{kind}: claimed (right) by place | skill" for kind in KINDS) + " |"
    yield "| --- |" + " --- | ---: |" * len(KINDS)
    for each in trainings:
        yield f"| {each['training']} | " + " | ".join(_cells(each[kind]) for kind in KINDS) + " |"


def _cells(numbers: Record) -> str:
    pairs = zip(numbers["claimed"], numbers["right"], strict=True)
    return ", ".join(f"{claimed:.2f} ({right:.2f})" for claimed, right in pairs) + f" | {numbers['skill']:+.3f}"


if __name__ == "__main__":
    sys.exit(collect_or_write(sys.argv[1:], __doc__, collect, (DOCUMENT, with_table)))
