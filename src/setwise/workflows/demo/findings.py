"""What the demo's numbers show, in sentences that are chosen by the numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from setwise.evaluation.compare import compare
from setwise.records.best_possible import BestPossible
from setwise.records.comparison import Comparison
from setwise.records.measured import Estimate
from setwise.tasks import Task
from setwise.workflows.clinic_bayes import bayes_best

BLANK = "-"
COLUMNS = {
    "pass_at_k": "any of 3 right",
    "pass_at_1": "first right",
    "uniqueness": "distinct",
    "tokens": "tokens",
    "pooled/brier": "Brier",
    "pooled/brier_base_rate": "best constant",
    "pooled/auroc": "AUROC",
}


SEEN = {
    "rlvr-single": (0.51, 0.61),
    "rlvr-multi": (0.70, 0.88),
    "rlvr-multi-per-answer": (0.74, 0.85),
    "rlcr-single": (0.53, 0.61),
    "rlcr-multi": (0.73, 0.85),
    "rlcr-multi-per-answer": (0.73, 0.83),
}
"""The lowest and the highest share with any of 3 right, over the seeds and machines of docs/results/clinic.md."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A difference the demo is about: `second` minus `first` in one metric."""

    first: str
    second: str
    metric: str
    what: str
    wanted: int
    """+1 if more is better, -1 if less is, 0 if the question is only whether they differ."""


def _of_credit(family: str) -> tuple[Claim, ...]:
    """What credit per answer should improve, the first answer, and what it may cost, the other two."""
    single, multi = f"{family}-single", f"{family}-multi"
    paid, called = f"{multi}-per-answer", f"{family.upper()}-multi paid per answer against {family.upper()}"
    return (
        Claim(multi, paid, "pass_at_1", f"first answer right, {called}-multi", 1),
        Claim(single, paid, "pass_at_1", f"first answer right, {called}-single", 0),
        Claim(multi, paid, "pass_at_k", f"any of three right, {called}-multi", 0),
    )


CLAIMS = (
    Claim("rlvr-single", "rlvr-multi", "pass_at_k", "any of three right, RLVR-multi against RLVR-single x 3", 1),
    Claim("rlcr-single", "rlcr-multi", "pass_at_k", "any of three right, RLCR-multi against RLCR-single x 3", 1),
    Claim("rlvr-single", "rlvr-multi", "uniqueness", "distinct answers, RLVR-multi against RLVR-single x 3", 1),
    Claim("rlvr-single", "rlvr-multi", "tokens", "tokens, RLVR-multi against RLVR-single x 3", -1),
    Claim("rlvr-multi+continue", "rlcr-multi", "pooled/brier", "Brier score, RLCR-multi against RLVR-multi", -1),
    *_of_credit("rlvr"),
    *_of_credit("rlcr"),
    Claim(
        "rlcr-multi", "rlcr-multi-per-answer", "set/ece", "set ECE, RLCR-multi paid per answer against RLCR-multi", -1
    ),
)
CONFIDENT = {"rlcr-multi": "RLCR-multi", "rlcr-multi-per-answer": "RLCR-multi paid per answer"}
"""The models that were paid for their confidences and state one for each answer of a set, with their labels."""
SKILLS = {"pooled/brier_skill": "all answers", "top1/brier_skill": "first answers"}


@dataclass(frozen=True, slots=True)
class Findings:
    rows: list[list[str]]
    sentences: list[str]


def find(runs: Sequence[Path], task: Task, resamples: int) -> Findings:
    """The table, with the best possible values below it, and what can be concluded."""
    comparison = compare(runs, all_pairs=True, resamples=resamples)
    assert task.world is not None
    best = bayes_best(task.world, 3)
    rows = [[run.name, *(_cell(run.estimates.get(name)) for name in COLUMNS)] for run in comparison.runs]
    rows.append(["best possible", *_best_cells(best)])
    skills = [said for name, called in CONFIDENT.items() for said in discrimination(comparison, name, called)]
    return Findings(rows, [*(answer(claim, comparison) for claim in CLAIMS), *skills, elsewhere()])


def answer(claim: Claim, comparison: Comparison) -> str:
    """One question with its paired difference. It is "shown" only if the whole interval is on the better side."""
    pair = (claim.first, claim.second)
    for difference in comparison.differences:
        if difference.metric == claim.metric and {difference.first, difference.second} == set(pair):
            value = difference.value if difference.first == claim.first else -difference.value
            return f"{claim.what}: {value.value:+.3f} {_interval(value)}, {_verdict(value, claim.wanted)}"
    return f"{claim.what}: cannot be compared{_lacking(claim, comparison)}"


def elsewhere() -> str:
    """Results of other seeds and machines, which intervals over patients do not cover."""
    ranges = ", ".join(f"{method} {low:.2f} to {high:.2f}" for method, (low, high) in SEEN.items())
    return f"another seed or kind of CPU gives other numbers; any of three right was, where we tried: {ranges}"


def _lacking(claim: Claim, comparison: Comparison) -> str:
    """Reinforced without confidences, a model may forget how to state them; then the numbers show that."""
    for run in comparison.runs:
        stated, lacking = run.metrics.stated(claim.metric)
        if run.name in (claim.first, claim.second) and stated < lacking:
            return f"; {run.name} gave confidences for {stated:,} of {stated + lacking:,} answers"
    return ""


def discrimination(comparison: Comparison, name: str, called: str) -> list[str]:
    """Whether confidences beat the best constant, which needs no training: over all answers, and over the first ones
    alone. To win over all answers, it is enough to know that first answers are right more often than third ones."""
    estimates = next(run.estimates for run in comparison.runs if run.name == name)
    found = {answers: estimates[metric] for metric, answers in SKILLS.items() if metric in estimates}
    if not found:
        return [f"{called} stated no usable confidences"]
    return [
        f"Brier skill against the best constant, {answers} of {called}: {skill.value:+.3f} {_interval(skill)}, "
        f"{_verdict(skill, 1)}"
        for answers, skill in found.items()
    ]


def _verdict(value: Estimate, wanted: int) -> str:
    if value.low is None or value.high is None:
        return "no interval"
    if not wanted:
        return "higher" if value.low > 0 else "lower" if value.high < 0 else "no difference shown"
    if min(value.low * wanted, value.high * wanted) > 0:
        return "shown"
    return "the other way round" if max(value.low * wanted, value.high * wanted) < 0 else "not shown"


def _interval(value: Estimate) -> str:
    return "" if value.low is None else f"[{value.low:+.3f}, {value.high:+.3f}]"


def _cell(value: Estimate | None) -> str:
    if value is None:
        return BLANK
    return f"{value.value:.2f}" if value.low is None else f"{value.value:.2f} [{value.low:.2f}, {value.high:.2f}]"


def _best_cells(best: BestPossible) -> list[str]:
    return [f"{best.values[name].mean:.2f}" if name in best.values else BLANK for name in COLUMNS]
