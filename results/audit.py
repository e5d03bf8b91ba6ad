"""What `setwise audit` finds in published runs, honest runs and planted cheats: docs/results/audit.md, audit-others.md.

    python results/audit.py measure     # audits everything again; a quarter of an hour on one core
    python results/audit.py write       # the tables of the documents, from results/audit.jsonl

Published runs are audited as they are committed: completions, labels and forms, without questions and golds. Runs of
one archive share their right answers, as in `setwise audit RUN...`. Honest runs and cheats are made from seeds.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from results.audit_tables import TITLES, written_anew
from results.records import unpack
from results.remembering import Remembering
from setwise.audit import audit
from setwise.audit.plant import CHEATS
from setwise.matching import exact
from setwise.matching.code import CodeMatcher
from setwise.matching.protocol import Matcher
from setwise.records.audit import AuditRecord
from setwise.records.files import Record, dump_record, replacing
from setwise.records.run import RunFolder
from setwise.workflows.audit import audit_runs
from setwise.workflows.honest_clinic import write_honest_run
from setwise.workflows.honest_programs import write_honest_programs
from setwise.workflows.planted import planted_source

HERE = Path(__file__).parent
MEASURED = HERE / "audit.jsonl"
SEEDS = 10
RATES = (0.02, 0.1, 0.5)
PROGRAMS = 100


def main(arguments: list[str]) -> int:
    if arguments == ["measure"]:
        measure()
    elif arguments != ["write"]:
        print(__doc__, file=sys.stderr)
        return 2
    written_anew(MEASURED)
    return 0


def measure() -> None:
    with replacing(MEASURED) as out:
        for record in (*published(), *made()):
            out.write(dump_record(record))
            out.flush()


def published(archives: Iterable[str] = TITLES) -> Iterator[Record]:
    """Every evaluation of the archives."""
    for archive in archives:
        with TemporaryDirectory() as scratch:
            unpack(HERE / f"{archive}.tar.xz", Path(scratch))
            for record in audit_runs(sorted(Path(scratch).glob("eval/*")), write=False):
                print(archive, record.run, [each.name for each in record.findings], flush=True)
                yield {"kind": "published", "archive": archive, **_short(record)}


def made() -> Iterator[Record]:
    """Honest runs, and each cheat planted into one of them at each rate."""
    with TemporaryDirectory() as scratch, CodeMatcher() as sandbox:
        folder, judge = Path(scratch), Remembering(sandbox)
        patients = [write_honest_run(folder / str(seed), seed=seed) for seed in range(SEEDS)]
        yield from _honest(patients, "clinic")
        programs = write_honest_programs(folder / "programs", problems=PROGRAMS, matcher=sandbox)
        yield from _honest([programs], "programs")
        for number, (kind, own) in enumerate(CHEATS.items()):
            run, matcher = (programs, judge) if own.for_code else (patients[number % SEEDS], exact)
            yield from _planted(run, kind, matcher)


def _honest(runs: list[RunFolder], task: str) -> Iterator[Record]:
    for seed, record in enumerate(audit_runs([run.path for run in runs], write=False)):
        print("honest", task, seed, [each.name for each in record.findings], flush=True)
        yield {"kind": "honest", "task": task, "seed": seed, **_short(record)}


def _planted(run: RunFolder, kind: str, matcher: Matcher) -> Iterator[Record]:
    for rate in RATES:
        record = audit(planted_source(run, kind, rate, seed=int(100 * rate), matcher=matcher))
        found = CHEATS[kind].finding in [each.name for each in record.alarms]
        print("planted", kind, rate, found, flush=True)
        planted = {"kind": "planted", "cheat": kind, "finding": CHEATS[kind].finding, "rate": rate, "found": found}
        yield {**planted, **_short(record)}


def _short(record: AuditRecord) -> Record:
    """What the tables need of an audit, with one example per finding."""
    found = record.to_record()["findings"]
    findings = [{**each, "definition": "", "examples": each["examples"][:1]} for each in found]
    return {"run": record.run, "completions": record.completions, "looked_for": record.looked_for, "findings": findings}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
