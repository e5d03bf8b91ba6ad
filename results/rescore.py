"""Judges published completions again with the current code. Needs the datasets.

    python results/rescore.py results/mbpp-seed0.tar.xz data/mbpp

The archive gets new scores and metrics; the completions stay as they are. Then `python results/rebuild.py`.
"""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from results.records import pack, unpack
from setwise.errors import InputError
from setwise.evaluation.score_run import score_run
from setwise.matching.protocol import let_go_after
from setwise.questions import Problem
from setwise.records.files import dump_record, read_records, replacing
from setwise.records.run import RunFolder
from setwise.records.sample import Sample
from setwise.tasks import load_task


def rescore(archive: Path, data: Path) -> None:
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        unpack(archive, folder)
        runs = [RunFolder(path) for path in sorted(folder.glob("eval/*"))]
        if not runs:
            raise InputError("only evaluations are judged, and this archive holds none", place=archive)
        splits = {run.read_config().task.settings["split"] for run in runs}
        kind = runs[0].read_config().task.kind
        tasks = [load_task(kind, path=data, split=split) for split in sorted(splits)]
        rows = {problem.id: problem for task in tasks for problem in task}
        with let_go_after(tasks[0].matcher) as matcher:
            for run in runs:
                _put_back(rows, run)
                score_run(run, matcher)
                print(run.path.name, flush=True)
        pack(folder, archive)


def _put_back(rows: Mapping[str, Problem], run: RunFolder) -> None:
    with replacing(run.samples) as out:
        for place, record in read_records(run.samples):
            sample = Sample.from_record(record, place)
            out.write(dump_record(replace(sample, asked=rows[sample.id]).to_record()))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        rescore(Path(sys.argv[1]), Path(sys.argv[2]))
    except InputError as error:
        sys.exit(f"error: {error}")
