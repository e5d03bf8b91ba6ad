"""Judges published completions again with the current code. Needs the datasets.

    python results/rescore.py results/mbpp-seed0.tar.xz data/mbpp

The archive gets new scores and metrics; the completions stay as they are. Then `python results/rebuild.py`.
"""

import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from results.records import pack, unpack
from setwise.errors import InputError
from setwise.evaluation.score_run import score_run
from setwise.matching.protocol import let_go_after
from setwise.records.files import dump_record, read_records, replacing
from setwise.records.run import RunFolder
from setwise.records.sample import Sample
from setwise.tasks import Task, load_task

LOADED_FROM = ("kind", "path", "source")
"""The settings of a task beside its split, its subset and its options."""


def rescore(archive: Path, data: Path) -> None:
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        unpack(archive, folder)
        runs = [RunFolder(path) for path in sorted(folder.glob("eval/*"))]
        if not runs:
            raise InputError("only evaluations are judged, and this archive holds none", place=archive)
        for run in runs:
            task = _asked_of(run, data)
            _put_back(task, run)
            with let_go_after(task.matcher) as matcher:
                score_run(run, matcher)
            print(run.path.name, flush=True)
        pack(folder, archive)


def _asked_of(run: RunFolder, data: Path) -> Task:
    task = run.read_config().task
    settings = {name: value for name, value in task.settings.items() if name not in LOADED_FROM}
    return load_task(task.kind, path=data, **settings)


def _put_back(task: Task, run: RunFolder) -> None:
    rows = {problem.id: problem for problem in task}
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
