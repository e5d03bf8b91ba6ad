"""Sampling 25,000 of a million DDXPlus rows, against reading every row with csv and ast.literal_eval.

    python benchmarks/tasks.py [--rows 1000000] [--sample 25000]

The million rows are made up, as long as real ones, and kept in the temporary folder for the next run. Each side runs in
its own process, which reports its time and its peak memory.
"""

import argparse
import ast
import csv
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LEAST_SPEEDUP, MOST_MEGABYTES = 10, 500
COLUMNS = ["AGE", "DIFFERENTIAL_DIAGNOSIS", "SEX", "PATHOLOGY", "EVIDENCES", "INITIAL_EVIDENCE"]
CONDITIONS = [f"Made-up condition {number}" for number in range(49)]
EVIDENCES = [f"E_{number}" for number in range(200)]
DISTINCT_ROWS = 5_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--sample", type=int, default=25_000)
    parser.add_argument("--measure", nargs=2, metavar=("SIDE", "FILE"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        side, file = args.measure
        print(json.dumps(measured(side, Path(file), args.sample)))
        return 0
    file = made_up_release(args.rows)
    print(f"{args.rows:,} rows, {file.stat().st_size / 1e6:,.0f} MB: {file}")
    results = {side: in_own_process(side, file, args.sample) for side in ("setwise", "peer")}
    for side, result in results.items():
        print(
            f"{side:8} {result['rows']:>9,} rows  {result['seconds']:7.1f} s  {result['cpu_seconds']:7.1f} s CPU  "
            f"{result['megabytes']:6.0f} MB peak"
        )
    speedup = results["peer"]["seconds"] / results["setwise"]["seconds"]
    cpu_speedup = results["peer"]["cpu_seconds"] / results["setwise"]["cpu_seconds"]
    print(f"speedup  {speedup:.1f}x by the clock, {cpu_speedup:.1f}x in CPU time (wanted: {LEAST_SPEEDUP}x)")
    held = speedup >= LEAST_SPEEDUP and results["setwise"]["megabytes"] < MOST_MEGABYTES
    print("holds" if held else "DOES NOT HOLD")
    return 0 if held else 1


def in_own_process(side: str, file: Path, sample: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--sample", str(sample), "--measure", side, str(file)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measured(side: str, file: Path, sample: int) -> dict[str, float]:
    started = time.perf_counter()
    rows = sampled_by_setwise(file, sample) if side == "setwise" else read_by_peer(file)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "rows": rows,
        "seconds": time.perf_counter() - started,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "megabytes": usage.ru_maxrss / 1024,
    }


def sampled_by_setwise(file: Path, sample: int) -> int:
    from setwise.tasks import load_task

    problems = list(load_task("ddxplus", path=file, limit=sample, seed=0))
    assert len({problem.id for problem in problems}) == sample
    return len(problems)


def read_by_peer(file: Path) -> int:
    count = 0
    with file.open(newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            ast.literal_eval(row["DIFFERENTIAL_DIAGNOSIS"])
            ast.literal_eval(row["EVIDENCES"])
            count += 1
    return count


def made_up_release(rows: int) -> Path:
    folder = Path(tempfile.gettempdir()) / "setwise-benchmark-tasks"
    folder.mkdir(exist_ok=True)
    file = folder / f"train-{rows}.csv"
    if file.exists():
        return file
    (folder / "release_conditions.json").write_text(
        json.dumps({name: {"cond-name-eng": name, "cond-name-fr": f"{name} (fr)"} for name in CONDITIONS})
    )
    (folder / "release_evidences.json").write_text(json.dumps({code: evidence(code) for code in EVIDENCES}))
    chance = random.Random(0)
    texts = [differential_and_evidences(chance) for _ in range(DISTINCT_ROWS)]
    draft = file.with_suffix(".part")
    with draft.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        for _ in range(rows):
            differential, evidences, pathology = chance.choice(texts)
            writer.writerow([chance.randrange(100), differential, chance.choice("MF"), pathology, evidences, "E_0"])
    return draft.replace(file)


def evidence(code: str) -> dict[str, object]:
    return {
        "name": code,
        "question_en": f"Is {code} of the made-up interview so, as far as you can tell?",
        "is_antecedent": code.endswith("7"),
        "data_type": "B",
        "value_meaning": {},
        "possible-values": [],
    }


def differential_and_evidences(chance: random.Random) -> tuple[str, str, str]:
    """As many diagnoses (9 on average) and evidence codes (20) as a real patient has."""
    names = chance.sample(CONDITIONS, chance.randint(1, 18))
    codes = chance.sample(EVIDENCES, chance.randint(8, 32))
    return str([[name, chance.random()] for name in names]), str(codes), names[0]


if __name__ == "__main__":
    sys.exit(main())
