"""The demo over five seeds, for docs/results/clinic.md: what credit per answer changes, and what was tried.

    for s in 0 1 2 3 4; do setwise demo --seed $s --problems 1500 --out runs/clinic-$s; done
    python results/clinic.py collect runs/clinic-?    # writes their metrics to results/clinic.jsonl
    python results/clinic.py write                    # writes the tables of the document

results/clinic-settings.jsonl has the same metrics for rlcr-multi-per-answer with other settings, from the same starts.
results/clinic-weak-start.jsonl has the single objectives from a weaker one (`warm_start.imitation=0.25`), 160 steps,
RLCR-single with `optimisation.credit=answer` and `reward.weights.calibration=0.5`. results/clinic-160.jsonl has three
of the demo's trainings with `optimisation.steps=160`, and results/clinic-score.jsonl rlcr-multi-per-answer with as
many, with either score; clinic-score-16.jsonl the same with `task.options.conditions=16`, from a start of its own
(`warm_start.imitation=1`, 900 steps). results/clinic-gradient.jsonl has those with the log score and either
`optimisation.confidence_gradient`, and results/clinic-decay.jsonl those with the log score, trained again, and the same
with `optimisation.decay_fraction=0.25`. results/clinic-temperature.jsonl has those with the log score, asked by
`setwise eval --temperature` for the same patients. results/clinic-single-gradient.jsonl has RLCR-single from the demo's
starts with `optimisation.credit=answer`, the log score, the weight and bonus of rlcr-multi-per-answer, 160 steps and
either `optimisation.confidence_gradient`, asked three times for each patient; clinic-single-gradient-320.jsonl the same
with 320 steps.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parents[1]))

from results.blocks import signed_span, with_block
from results.collecting import collect_or_write, one_line_each, records_in
from setwise.evaluation.compare import compare
from setwise.objectives import OBJECTIVES
from setwise.records.files import Record
from setwise.records.measured import Estimate
from setwise.records.run import RunFolder
from setwise.statistics import SeedTest, mean_over_seeds

HERE = Path(__file__).parent
MEASURED, TRIED, WEAK, LONGER = (HERE / f"clinic{part}.jsonl" for part in ("", "-settings", "-weak-start", "-160"))
SCORED = {6: HERE / "clinic-score.jsonl", 16: HERE / "clinic-score-16.jsonl"}
"""By the number of conditions."""
BY_GRADIENT, BY_DECAY, BY_TEMPERATURE = (
    {6: HERE / f"clinic-{name}.jsonl"} for name in ("gradient", "decay", "temperature")
)
"""By the number of conditions."""
OF_SINGLES = {160: HERE / "clinic-single-gradient.jsonl", 320: HERE / "clinic-single-gradient-320.jsonl"}
"""By the number of steps."""
DOCUMENT = HERE.parent / "docs" / "results" / "clinic.md"
PAID = {"rlvr-multi": "rlvr-multi-per-answer", "rlcr-multi": "rlcr-multi-per-answer"}
RUNS = (*OBJECTIVES, *PAID.values())
METRICS = ("pass_at_1", "pass_at_k", "pooled/brier_skill", "set/ece")
SINGLE_METRICS = ("pass_at_1", "top1/brier_skill", "top1/auroc")
SCORES, GRADIENTS, DECAYS, TEMPERATURES = ("brier", "log"), ("sampled", "expected"), ("0", "0.25"), ("1", "0.7")
DEMO = {"later_gain": 0.25, "calibration_weight": 2, "confidence_entropy_bonus": 0.16}
"""The settings of recipes/demo/rlcr-multi-per-answer.yaml."""
PAIRS = (
    ("rlvr-single", "rlcr-multi-per-answer", "pass_at_1"),
    ("rlvr-single", "rlvr-multi-per-answer", "pass_at_1"),
    ("rlcr-multi", "rlcr-multi-per-answer", "pass_at_k"),
    ("rlvr-multi", "rlvr-multi-per-answer", "pass_at_k"),
    ("rlcr-multi", "rlcr-multi-per-answer", "set/ece"),
)
"""First, second and metric: the second minus the first, paired by patient."""


def numbers_of(demo: Path) -> Record:
    """The values of each run in one demo and the differences, with intervals over patients."""
    runs = [demo / "eval" / name for name in RUNS]
    compared = compare(runs, all_pairs=True, resamples=2000)
    values = {
        run.name: {name: _written(run.estimates[name]) for name in METRICS if name in run.estimates}
        for run in compared.runs
    }
    found = {(each.first, each.second, each.metric): each.value for each in compared.differences}
    reverse = {(each.second, each.first, each.metric): -each.value for each in compared.differences}
    differences = [[*pair, _written((found | reverse)[pair])] for pair in PAIRS]
    seed = RunFolder(runs[0]).read_config().sampling["seed"]
    return {"seed": seed, "values": values, "differences": differences}


def _written(estimate: Estimate) -> list[float | None]:
    return [None if each is None else round(each, 4) for each in (estimate.value, estimate.low, estimate.high)]


def with_tables(text: str) -> str:
    """The document with its tables as the records give them."""
    seeds, tried, weak, longer = (records_in(file) for file in (MEASURED, TRIED, WEAK, LONGER))
    text = with_block(text, "clinic", _table(seeds))
    text = with_block(text, "clinic settings", _settings(seeds, tried))
    text = with_block(text, "clinic weak start", _weak(weak))
    text = with_block(text, "clinic score", _choices("confidence_score", SCORES, SCORED))
    text = with_block(text, "clinic gradient", _choices("confidence_gradient", GRADIENTS, BY_GRADIENT))
    singles = _choices("confidence_gradient", GRADIENTS, OF_SINGLES, SINGLE_METRICS, by="steps")
    text = with_block(text, "clinic single gradient", singles)
    text = with_block(text, "clinic decay", _choices("decay_fraction", DECAYS, BY_DECAY))
    text = with_block(text, "clinic temperature", _choices("temperature", TEMPERATURES, BY_TEMPERATURE))
    return with_block(text, "clinic over seeds", _over_seeds({"80 steps": seeds, "160 steps": longer}))


def _table(seeds: Sequence[Record]) -> Iterator[str]:
    yield "| | first right | any of 3 right | Brier skill, all answers | set ECE |"
    yield "| --- | --- | --- | --- | --- |"
    for name in RUNS:
        cells = [" ".join(_short(seed["values"][name].get(metric)) for seed in seeds) for metric in METRICS]
        yield f"| {_label(name)} | {' | '.join(cell if set(cell) - {' ', '-'} else '' for cell in cells)} |"
    yield ""
    yield "| paired by patient | " + " | ".join(f"seed {seed['seed']}" for seed in seeds) + " |"
    yield "| --- |" + " --- |" * len(seeds)
    for number, (first, second, metric) in enumerate(PAIRS):
        spans = [signed_span(*seed["differences"][number][3]) for seed in seeds]
        yield f"| {_WORDS[metric]}, {_label(second)} minus {_label(first)} | {' | '.join(spans)} |"


def _settings(seeds: Sequence[Record], tried: Sequence[Record]) -> Iterator[str]:
    """Means over the seeds, with the worst first answer compared with RLVR-single's."""
    asked = "| `later_gain` | calibration weight | bonus "
    yield asked + "| first right, worst difference | any of 3 right | Brier skill | set ECE |"
    yield "| ---: | ---: | ---: | --- | ---: | ---: | ---: |"
    single = [seed["values"]["rlvr-single"]["pass_at_1"][0] for seed in seeds]
    chosen = [{"settings": DEMO, "values": seed["values"]["rlcr-multi-per-answer"]} for seed in seeds]
    for settings, same in groupby((*chosen, *tried), key=itemgetter("settings")):
        rows = list(same)
        means = {metric: fmean(row["values"][metric][0] for row in rows) for metric in METRICS}
        worst = min(row["values"]["pass_at_1"][0] - own for row, own in zip(rows, single, strict=True))
        first, *others = (f"{means[metric]:.3f}" for metric in METRICS)
        cells = [*(f"{each:g}" for each in settings.values()), f"{first}, {worst:+.3f}", *others]
        yield f"| {' | '.join(cells)} |"


OVER_SEEDS = (
    ("rlvr-single", "rlcr-multi-per-answer", "pass_at_1"),
    ("rlcr-multi", "rlcr-multi-per-answer", "pass_at_k"),
    ("rlcr-multi", "rlcr-multi-per-answer", "pooled/brier_skill"),
    ("rlcr-multi", "rlcr-multi-per-answer", "set/ece"),
)


def differences_over_seeds(seeds: Sequence[Record], first: str, second: str, metric: str) -> SeedTest:
    """Each seed has patients of its own, so its difference is one value."""
    values = [seed["values"][second][metric][0] - seed["values"][first][metric][0] for seed in seeds]
    return mean_over_seeds(values)


def span(found: SeedTest) -> str:
    return signed_span(found.value, found.interval.low, found.interval.high)


def _over_seeds(lengths: Mapping[str, Sequence[Record]]) -> Iterator[str]:
    yield "| mean difference over five seeds | " + " | ".join(lengths) + " |"
    yield "| --- |" + " --- |" * len(lengths)
    for first, second, metric in OVER_SEEDS:
        found = [differences_over_seeds(seeds, first, second, metric) for seeds in lengths.values()]
        cells = map(span, found)
        yield f"| {_WORDS[metric]}, {_label(second)} minus {_label(first)} | {' | '.join(cells)} |"


def _weak(seeds: Sequence[Record]) -> Iterator[str]:
    """First answers from the weak start, and RLCR-single's as a share of RLVR-single's."""
    yield "| first right | " + " | ".join(f"seed {seed['seed']}" for seed in seeds) + " |"
    yield "| --- |" + " ---: |" * len(seeds)
    right = {name: [seed["values"][name]["pass_at_1"] for seed in seeds] for name in ("rlvr-single", "rlcr-single")}
    for name, values in right.items():
        yield f"| {_label(name)} | {' | '.join(map(_short, values))} |"
    ratios = (ours[0] / single[0] for single, ours in zip(*right.values(), strict=True))
    yield f"| ratio | {' | '.join(f'{ratio:.2f}' for ratio in ratios)} |"


def _choices(
    option: str,
    values: tuple[str, str],
    files: Mapping[int, Path],
    metrics: Sequence[str] = METRICS,
    by: str = "conditions",
) -> Iterator[str]:
    """By value of an option: seeds side by side, and the mean over them of what the second changes."""
    yield f"| {by} | `{option}` | " + " | ".join(_WORDS[metric] for metric in metrics) + " |"
    yield "| ---: | --- |" + " --- |" * len(metrics)
    for number, file in files.items():
        seeds = records_in(file)
        for value in values:
            cells = (" ".join(_short(seed["values"][value][metric]) for seed in seeds) for metric in metrics)
            yield f"| {number} | `{value}` | " + " | ".join(cells) + " |"
        found = (differences_over_seeds(seeds, *values, metric) for metric in metrics)
        spans = map(span, found)
        yield f"| | mean difference | {' | '.join(spans)} |"


_WORDS = {
    "pass_at_1": "first right",
    "pass_at_k": "any of 3 right",
    "pooled/brier_skill": "Brier skill",
    "set/ece": "set ECE",
    "top1/brier_skill": "Brier skill",
    "top1/auroc": "AUROC",
}


def _label(name: str) -> str:
    kind, _, way = name.partition("-")
    return f"{kind.upper()}-{way}".replace("-per-answer", " paid per answer")


def _short(value: Sequence[float] | None) -> str:
    return "-" if value is None else f"{value[0]:.3f}".replace("0.", ".", 1)


if __name__ == "__main__":
    sys.exit(collect_or_write(sys.argv[1:], __doc__, one_line_each(MEASURED, numbers_of), (DOCUMENT, with_tables)))
