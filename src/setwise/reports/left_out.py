"""Which runs a section's tables leave out, and why, so that a missing row does not look like a missing run."""

from collections.abc import Sequence

from setwise.reports.inputs import DatasetSection, Run
from setwise.reports.methods import by_own_prompt, swept

STATES = "top1/brier"
"""The metric that every run with confidences has."""


def whole_tables(section: DatasetSection) -> list[tuple[int, list[Run]]]:
    """The runs of each K that get their own tables, the most common K first. The rest is in the table by K."""
    ks = [run.k for run in section.runs]
    by_k = _only_by_k(section)
    groups = [
        (k, [run for run in section.runs if run.k == k]) for k in sorted(set(ks), key=lambda k: (-ks.count(k), k))
    ]
    return [(k, runs) for k, runs in groups if not (len(runs) == 1 and runs[0] in by_k)]


def left_out_of_tables(section: DatasetSection) -> list[str]:
    """One sentence for each kind of table that some run is missing from."""
    shown = [runs for _, runs in whole_tables(section)]
    whole = [run for runs in shown for run in runs]
    silent = [run for run in whole if STATES not in run.numbers]
    unasked = [run for run in silent if run.confidence == "none" and run.construction != "voted"]
    unstated = [run for run in silent if run not in unasked]
    reasons = {}
    if len(unasked) < len(whole):
        reasons["which asked for no confidences"] = unasked
    reasons["where no answer states a confidence that can be read"] = unstated
    asked_again = [run for runs in shown for run in runs if run not in by_own_prompt(runs)]
    alone = [run for run in section.runs if run not in whole]
    return [
        *_sentence("the calibration tables", reasons),
        *_sentence(
            "the tables on correctness", {"which ask a method for confidences that has a run without": asked_again}
        ),
        *_sentence("any table but that by K", {"each the only run with its K": alone}),
    ]


def _only_by_k(section: DatasetSection) -> list[Run]:
    return [run for own in swept(section.runs).values() for run in own]


def _sentence(tables: str, reasons: dict[str, Sequence[Run]]) -> list[str]:
    told = [f"{', '.join(run.name for run in runs)} ({why})" for why, runs in reasons.items() if runs]
    return [f"Not in {tables}: {'; '.join(told)}."] if told else []
