"""`setwise audit`: is the reward real, or did the model find a way around it?"""

import argparse
import sys
from pathlib import Path

from setwise.cli.terminal import print_table
from setwise.errors import InputError
from setwise.home import at_home
from setwise.records.audit import AuditRecord, FindingRecord
from setwise.workflows.audit import AuditOptions, audit_runs

HELP = """Look for ways around the reward in stored completions: the same set for everybody, hedges, near-duplicates,
uninformative confidences, empty thinking, programs that know their tests, a lenient matcher, leaked rows.

  setwise audit runs/eval-multi
  setwise audit runs/eval-multi --trained-on train.jsonl --check-tests
  setwise audit runs/eval-multi --plant hedge_or=0.1 --out runs/planted    # then: setwise audit runs/planted

RUN is a folder of `setwise eval`, a folder of `setwise train` with run.log_completions=true, an Inspect log (.eval or
.json) or the traces.jsonl of verifiers. setwise asks no model. It writes audit.json to run folders, which
`setwise report` shows."""

FOUND = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="*", type=Path, metavar="RUN", help="run folders or logs")
    parser.add_argument(
        "--trained-on", type=at_home, metavar="FILE", help="the training problems, to look for leaked rows"
    )
    parser.add_argument(
        "--check-tests", action="store_true", help="score all golds and references, even if that takes long"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="look only for this finding; repeatable"
    )
    parser.add_argument(
        "--examples", type=int, default=2, metavar="N", help="examples to print per finding (default: 2)"
    )
    parser.add_argument("--no-write", action="store_true", help="do not write audit.json")
    parser.add_argument("--strict", action="store_true", help="exit with status 1 on any finding above a note")
    parser.add_argument("--list", action="store_true", help="list the findings, and the cheats that can be planted")
    parser.add_argument("--plant", metavar="KIND=RATE", help="copy RUN with a cheat in this share of its completions")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for the copy")
    parser.add_argument("--seed", type=int, default=0, help="seed that picks the completions to change (default: 0)")


def run(args: argparse.Namespace) -> int:
    if args.list:
        return _list()
    if not args.runs:
        raise InputError("name a run folder or a log", place="setwise audit")
    if args.plant:
        return _plant(args)
    options = AuditOptions(trained_on=args.trained_on, check_tests=args.check_tests, findings=args.only)

    def show(record: AuditRecord, written: Path | None) -> None:
        _print(record, args.examples)
        if written is not None:
            _say(f"audit: {written}")

    records = audit_runs(args.runs, options, write=not args.no_write and not args.only, on_run=show)
    return FOUND if args.strict and any(record.alarms for record in records) else 0


def _print(record: AuditRecord, examples: int) -> None:
    title = f"{record.run}: {record.completions:,} completions, {record.problems:,} problems"
    if not record.findings:
        _say(f"{title}\n  nothing found")
    else:
        print_table(
            title, [_row(each) for each in record.findings], ("finding", "severity", "share", "number", "without it")
        )
        for each in record.findings:
            _say(f"  {each.label}: {each.message}")
            for example in each.examples[:examples]:
                _say(f"    {example.problem}, sample {example.sample}: {example.quote}")
    if "distinct_sets" in record.facts:
        told = record.facts
        _say(
            f"  {told['distinct_sets']:,.0f} distinct sets, the most frequent in {told['largest_share']:.0%} of "
            f"completions; coverage {told['coverage']:.3f}, the best fixed set's {told['best_fixed_coverage']:.3f}"
        )
    lacking = ", ".join(f"{name} ({why})" for name, why in record.not_looked_for.items())
    if lacking:
        _say(f"  not looked for, because the records lack what is in brackets: {lacking}")


def _row(found: FindingRecord) -> tuple[str, ...]:
    if found.change is None:
        number, without = "-", "-"
    else:
        number, without = f"{found.change.metric} {found.change.before:.3f}", found.change.without
    return found.name, str(found.severity), f"{found.share:.1%}", number, without


def _plant(args: argparse.Namespace) -> int:
    from setwise.workflows.planted import plant_run

    kind, _, rate = args.plant.partition("=")
    if args.out is None or len(args.runs) != 1:
        raise InputError("a cheat is planted into one run and written to --out", place="--plant", value=args.plant)
    try:
        share = float(rate)
    except ValueError:
        raise InputError(
            "a cheat is written KIND=RATE, such as hedge_or=0.1", place="--plant", value=args.plant
        ) from None
    plant_run(args.runs[0], args.out, kind, share, seed=args.seed)
    _say(f"planted run: {args.out}")
    return 0


def _list() -> int:
    from setwise.audit import FINDINGS
    from setwise.audit.plant import CHEATS

    print_table("looked for", [(each.name, each.definition) for each in FINDINGS.all()])
    print_table("can be planted", [(each.kind, each.finding, each.summary) for each in CHEATS.values()])
    return 0


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
