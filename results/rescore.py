"""Published completions judged again by the code as it is now, where the datasets are at hand.

    python results/rescore.py results/mbpp-seed0.tar.xz data/mbpp

The archive gets new scores and metrics; the completions stay as they are. Then `python results/rebuild.py`.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from results.records import pack, unpack
from setwise.errors import InputError
from setwise.evaluation.run import RunFolder, score_run
from setwise.matching.protocol import let_go_after
from setwise.records import Record, dump_record, problem_to_record, read_records, replacing
from setwise.tasks import load_task


def rescore(archive: Path, data: Path) -> None:
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        unpack(archive, folder)
        runs = [RunFolder(path) for path in sorted(folder.glob("eval/*"))]
        if not runs:
            raise InputError("only evaluations are judged, and this archive holds none", place=archive)
        asked = runs[0].read_config()["task"]
        task = load_task(asked["name"], path=data, split=asked["split"])
        rows = {problem.id: problem_to_record(problem) for problem in task}
        with let_go_after(task.matcher) as matcher:
            for run in runs:
                _put_back(rows, run)
                score_run(run, matcher)
                print(run.path.name, flush=True)
        pack(folder, archive)


def _put_back(rows: Mapping[str, Record], run: RunFolder) -> None:
    with replacing(run.samples) as out:
        for _, record in read_records(run.samples):
            record["problem"] = rows[record["problem"]["id"]]
            out.write(dump_record(record))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        rescore(Path(sys.argv[1]), Path(sys.argv[2]))
    except InputError as error:
        sys.exit(f"error: {error}")
