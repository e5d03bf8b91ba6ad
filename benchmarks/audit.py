"""What an audit costs: seconds and memory for a small run and for one of 5,000 problems x 30 completions.

    python benchmarks/audit.py [PROBLEMS] [SAMPLES]

The runs are honest, judged runs of the clinic, and each audit is a separate process on one core. The peer is reading:
the same completions read from disk and parsed, without looking for anything. Memory is the peak of the process minus
that of one that audits ten problems.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from setwise.records.files import dump_record
from setwise.records.run import RunFolder
from setwise.workflows.honest_clinic import write_honest_run

PROBLEMS, SAMPLES = 5_000, 30
ORIGINALS = 100
"""Patients who are asked. The others are copies with other names, since asking takes longer than an audit."""

MEASURED = """
import json, resource, sys, time
from setwise.records.run import RunFolder
from setwise.workflows.audit import AuditOptions, source_of
from setwise.audit import audit
from pathlib import Path
start = time.process_time()
source = source_of(Path(sys.argv[1]), "run", AuditOptions())
if sys.argv[2] == "read":
    done = sum(len(said) for _, said in source.groups())
else:
    done = audit(source).completions
seconds = time.process_time() - start
print(json.dumps([done, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def grown(honest: RunFolder, folder: Path, problems: int) -> Path:
    """The run with the given number of problems."""
    folder.mkdir()
    (folder / "config.json").write_text(honest.config.read_text())
    (folder / "metrics.json").write_text(honest.metrics.read_text())
    for path in (honest.samples, honest.scores):
        records = [json.loads(line) for line in path.read_text().splitlines()]
        with (folder / path.name).open("w") as out:
            for number in range(-(-problems // ORIGINALS)):
                out.writelines(dump_record(_renamed(record, f"copy {number} of ")) for record in records)
    return folder


def _renamed(record: dict, before: str) -> dict:
    if isinstance(record["problem"], str):
        return {**record, "problem": before + record["problem"]}
    problem = record["problem"]
    return {**record, "problem": {**problem, "id": before + problem["id"], "question": problem["question"] + before}}


def measured(folder: Path, what: str) -> tuple[int, float, float]:
    command = [sys.executable, "-c", MEASURED, str(folder), what]
    told = subprocess.run(command, capture_output=True, check=True, text=True, env={"OMP_NUM_THREADS": "1"})
    completions, seconds, megabytes = json.loads(told.stdout)
    return completions, seconds, megabytes


def main(problems: int, samples: int) -> None:
    with TemporaryDirectory() as scratch:
        honest = write_honest_run(Path(scratch) / "honest", problems=ORIGINALS, samples=samples)
        few = write_honest_run(Path(scratch) / "few", problems=10, samples=samples)
        idle = measured(few.path, "audit")[2]
        print(f"{'completions':>12} {'audit':>9} {'reading':>9} {'ratio':>7} {'a second':>10} {'memory':>10}")
        for size in (problems // 10, problems):
            folder = grown(honest, Path(scratch) / str(size), size)
            done, seconds, peak = measured(folder, "audit")
            _, reading, _ = measured(folder, "read")
            row = f"{done:12,} {seconds:7.1f} s {reading:7.1f} s {seconds / reading:6.1f}x {done / seconds:10,.0f}"
            print(f"{row} {peak - idle:7.0f} MB")


if __name__ == "__main__":
    sizes = [int(each) for each in sys.argv[1:3]]
    main(*(sizes + [PROBLEMS, SAMPLES][len(sizes) :]))
