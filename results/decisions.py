"""What the decisions of `setwise calibrate` do on the published runs: docs/results/decisions.md.

    python results/decisions.py measure     # 100 random splits of each run into halves; 45 minutes on one core
    python results/decisions.py write       # the tables of the document, from results/decisions.jsonl

Each split learns a profile from one half of the problems and decides on the other. Every split is a line of
decisions.jsonl, so the tables can be rebuilt at once, and any split by itself. What is there is not measured again.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from results.decision_cases import CASES, Case, by_case
from results.decision_tables import written_anew
from results.records import unpack
from setwise.calibration.decider import decider_of, outcomes
from setwise.calibration.rule import step_of
from setwise.calibration.scale import learnt_scale
from setwise.calibration.sets import labelled_sets
from setwise.calibration.table import SetTable
from setwise.metrics.calibration import base_rate_brier, brier
from setwise.objectives import Regime
from setwise.records.files import Record, dump_record, replacing
from setwise.records.run import RunFolder

HERE = Path(__file__).parent
MEASURED = HERE / "decisions.jsonl"
SPLITS = 100
PROMISED = (0.1, 0.2, 0.3, 0.4)


def sets_of(case: Case, folder: Path) -> tuple[SetTable, Regime]:
    """The labelled sets, from the folder the archive was unpacked into."""
    run = RunFolder(folder / "eval" / case.run)
    sets = labelled_sets(run.attempts(), case.samples)
    return SetTable.of(sets, max(len(each.stated) for each in sets)), Regime(run.read_metrics().regime)


def split(case: Case, table: SetTable, regime: Regime, seed: int) -> Record:
    """One half teaches, the other is decided on: the results, next to keeping all answers and the first one alone."""
    learning, deciding = (table.of_problems(part) for part in table.parts(2, seed))
    decider = decider_of(learning, regime, seed)
    done = outcomes(decider, deciding)
    promises = {
        str(alpha): {name: round(values[step_of(alpha) - 1], 6) for name, values in done.items()}
        for alpha in PROMISED
        if decider.rule.is_reachable(alpha)
    }
    best = decider.rule.best_alpha if decider.rule.best_alpha < 1 else None
    share = deciding.weight / deciding.weight.sum()
    whole, first = share @ deciding.held[:, -1], share @ deciding.held[:, 0]
    plain = {"all": float(whole), "size": float(share @ deciding.there.sum(axis=1)), "first": float(first)}
    named = {"archive": case.archive, "run": case.run, "samples": case.samples, "split": seed, "best_alpha": best}
    return {**named, "promises": promises, "plain": _rounded(plain), "brier": _briers(learning, deciding, regime, seed)}


def _briers(learning: SetTable, deciding: SetTable, regime: Regime, seed: int) -> Record:
    """Brier scores of the other half's answers and sets: stated, calibrated, and of the best constant for that half."""
    scale, there, some = learnt_scale(learning, regime, seed), deciding.there, deciding.there[:, 0]
    right, held = deciding.right[there], deciding.held[some, -1]
    sets = scale.prefix_chances(deciding.stated, there)[some, -1]
    return _rounded(
        {
            "answers_stated": brier(deciding.stated[there], right),
            "answers": brier(scale.answer_chances(deciding.stated)[there], right),
            "answers_base": base_rate_brier(right),
            "sets": brier(sets, held),
            "sets_base": base_rate_brier(held),
        }
    )


def _rounded(numbers: dict[str, float]) -> dict[str, float]:
    return {name: round(float(value), 6) for name, value in numbers.items()}


def splits(case: Case, seeds: range, archives: Path = HERE) -> Iterator[Record]:
    """The splits of one case with these seeds."""
    with TemporaryDirectory() as folder:
        unpack(archives / f"{case.archive}.tar.xz", Path(folder))
        table, regime = sets_of(case, Path(folder))
        for seed in seeds:
            yield split(case, table, regime, seed)


def measure(measured: Path) -> None:
    """Adds the cases that are missing; each is kept as soon as it is whole."""
    found = by_case(measured) if measured.exists() else {}
    for case in CASES:
        if case not in found:
            found[case] = list(splits(case, range(SPLITS)))
            with replacing(measured) as out:
                out.writelines(dump_record(record) for each in CASES for record in found.get(each, ()))
            print(f"{case.archive} {case.run} x {case.samples}", flush=True)


def main(arguments: list[str]) -> int:
    match arguments:
        case ["measure"]:
            measure(MEASURED)
        case ["write"]:
            written_anew(MEASURED)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    sys.exit(main(sys.argv[1:]))
