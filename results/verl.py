r"""A training in verl from exported files, for docs/how-to/engines.md: every completion with the score that verl got.

    setwise export verl recipes/small/ddxplus/rlvr-multi.yaml out --gpus 1 --set task.path=data/ddxplus \
      --set model.path=Qwen/Qwen2.5-Coder-0.5B-Instruct --set generation.prompts_per_step=16 \
      --set generation.group_size=8 --set generation.max_completion_tokens=320 \
      --set optimisation.steps=30 --set optimisation.learning_rate=5e-6
    sh out/launch.sh trainer.rollout_data_dir=$PWD/runs/verl/rollouts trainer.test_freq=5 \
      trainer.validation_data_dir=$PWD/runs/verl/validation trainer.val_before_train=True data.val_max_samples=128
    python results/verl.py collect runs/verl/rollouts runs/verl/validation    # writes results/verl.jsonl.xz
    python results/verl.py write                                              # writes the table of the document

The record holds completions, ids of problems and verl's scores. Questions and golds stay with the dataset.
"""

import json
import lzma
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parents[1]))

from results.blocks import with_block
from results.collecting import collect_or_write
from setwise.records.files import Record, dump_record, parse_record, read_records

MEASURED = Path(__file__).with_suffix(".jsonl.xz")
DOCUMENT = Path(__file__).parents[1] / "docs" / "how-to" / "engines.md"
LOGGED = ("n_correct", "strictly_valid")
"""Terms that verl keeps when it validates. In training it keeps the score alone."""


def collect(folders: Iterable[Path]) -> None:
    """What verl wrote to its folders, one file per step, without the rows of the dataset."""
    lines = [
        dump_record(_without_row(row))
        for folder in folders
        for path in sorted(folder.glob("*.jsonl"), key=lambda path: int(path.stem))
        for _, row in read_records(path)
    ]
    MEASURED.write_bytes(lzma.compress("".join(lines).encode()))


def completions() -> tuple[list[Record], list[Record]]:
    """Those of training, and those of validation."""
    with lzma.open(MEASURED, "rt", encoding="utf-8") as lines:
        records = [parse_record(line, f"{MEASURED}:{number}") for number, line in enumerate(lines, start=1)]
    return [each for each in records if LOGGED[0] not in each], [each for each in records if LOGGED[0] in each]


def mean(records: Iterable[Record], name: str, steps: Iterable[int]) -> float:
    """Over the completions of these steps."""
    wanted = set(steps)
    return fmean(record[name] for record in records if record["step"] in wanted)


def with_table(text: str) -> str:
    return with_block(text, "a training in verl", _table(*completions()))


def _table(training: Sequence[Record], validation: Sequence[Record]) -> Iterator[str]:
    yield "| step | training: reward since the row above | validation: reward | right answers per set | valid sets |"
    yield "| ---: | ---: | ---: | ---: | ---: |"
    validated, last = {record["step"] for record in validation}, max(record["step"] for record in training)
    before = 0
    for step in sorted({*validated, last}):
        cells = [f"{mean(training, 'score', range(before + 1, step + 1)):.2f}" if step else ""]
        cells += [f"{mean(validation, name, [step]):.2f}" if step in validated else "" for name in ("score", *LOGGED)]
        yield f"| {step} | {' | '.join(cells)} |"
        before = step


def _without_row(row: Record) -> Record:
    kept = {name: row[name] for name in ("step", "score", *LOGGED) if name in row}
    return {"problem": json.loads(row["gts"])["problem"]["id"], **kept, "text": row["output"]}


def main(arguments: Sequence[str]) -> int:
    return collect_or_write(arguments, __doc__, collect, (DOCUMENT, with_table))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
