"""The figures of docs/concepts, from the committed records.

    python docs/scripts/concept_figures.py            # writes docs/figures/concepts/*.svg
    python docs/scripts/concept_figures.py --check    # exit status 1 where one is not what the records give

The completions are those of RLCR-multi on DDXPlus: the patient of the README's picture with seed 0, and with seed 1 a
patient whose completion shows the difference between the two credits well.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, quantiles
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[2]))

from docs.scripts.calibration_panel import Kept, calibration_panel
from docs.scripts.concept_panels import Group, Part, credit_panel, pipeline_panel, prompt_panel
from docs.scripts.picture import PATIENT
from results.records import unpack
from setwise import Objective, Problem, Regime, score
from setwise.calibration.held_out import held_out
from setwise.calibration.sets import labelled_sets
from setwise.calibration.table import SetTable
from setwise.records.files import Record, read_records
from setwise.records.run import RunFolder
from setwise.reports.canvas import Drawing, to_svg
from setwise.rewards import multi_brier
from setwise.rewards.credit import Credit, Member, Weights, pay_group

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "docs" / "figures" / "concepts"
RUN = "rlcr-multi"
PAID, PAID_SAMPLE = "ddxplus-test-482", 9
SHOWN_SAMPLES = 4


def panels(first: RunFolder, second: RunFolder) -> Iterator[Drawing]:
    asked = _samples(first, PATIENT.id)
    yield _pipeline(asked[0]["text"])
    yield _credit(second)
    yield _calibration(first)
    yield prompt_panel(Group(asked[0]["prompt_tokens"], [each["tokens"] for each in asked[:SHOWN_SAMPLES]]))


def _samples(run: RunFolder, problem: str) -> list[Record]:
    return [record for _, record in read_records(run.samples) if record["problem"]["id"] == problem]


def _pipeline(text: str) -> Drawing:
    problem = Problem(id=PATIENT.id, question="\n".join(PATIENT.question), golds=PATIENT.golds)
    scored = score(text, problem, Objective(RUN, k=3, regime=Regime.INCLUSIVE))
    thinking, *tags = text.split("\n")
    pairs = (f"{answer} {confidence}" for answer, confidence in zip(tags[::2], tags[1::2], strict=True))
    lines = [f"{thinking.partition(',')[0]}, … </think>", *pairs]
    return pipeline_panel(lines, scored, PATIENT.golds)


def _credit(run: RunFolder) -> Drawing:
    """The ten completions of the patient taken for a training group."""
    group = [each for each in run.attempts() if each.problem == PAID]
    stated = [[q for q in each.confidences if q is not None] for each in group]
    labels = [each.correct for each in group]
    rewards = [1 + sum(right) - multi_brier(claims, right) for claims, right in zip(stated, labels, strict=True)]
    members = [
        Member([*map(float, right)], right, claims, kept=True) for claims, right in zip(stated, labels, strict=True)
    ]
    pay = pay_group(members, Weights(), Credit())[PAID_SAMPLE]
    texts = _samples(run, PAID)[PAID_SAMPLE]["text"].split("\n")
    ours = (pay.whole, *(paid for pair in zip(pay.answers, pay.confidences, strict=True) for paid in pair))
    same = rewards[PAID_SAMPLE] - fmean(rewards)
    ways = (
        ("The paper: every token is paid the same", [Part(text, same) for text in texts]),
        ("Credit per answer", [Part(text, paid) for text, paid in zip(texts, ours, strict=True)]),
    )
    return credit_panel(ways, "1 and 2 are right, 3 is wrong. Words and tags represent tokens.")


def _calibration(run: RunFolder) -> Drawing:
    sets = labelled_sets(run.attempts(), None)
    curves = held_out(SetTable.of(sets, 3), Regime.INCLUSIVE, seed=0).curves["answers"]
    splits = [
        record["promises"]
        for _, record in read_records(ROOT / "results" / "decisions.jsonl")
        if (record["archive"], record["run"], record["samples"]) == ("ddxplus-seed0", RUN, 1)
    ]
    promised = {alpha: [each[alpha] for each in splits if alpha in each] for alpha in ("0.4", "0.3", "0.2", "0.1")}
    kept = [_kept(float(alpha), found) for alpha, found in promised.items() if found]
    missed = [1 - float(alpha) for alpha, found in promised.items() if not found]
    note = "RLCR-multi on DDXPlus, problems held out; bars: nine profiles of ten"
    return calibration_panel({"stated": curves["before"], "calibrated": curves["after"]}, kept, missed, note)


def _kept(alpha: float, found: list[Record]) -> Kept:
    held = [each["right"] for each in found]
    low, *_, high = quantiles(held, n=20)
    return Kept(1 - alpha, fmean(held), (low, high), fmean(each["size"] for each in found))


def card(drawing: Drawing) -> str:
    """A file with its own light background, so that it can be read on a dark page."""
    opening, _, rest = to_svg(drawing, themed=False).partition("<rect ")
    shape = f'<rect x="0.5" y="0.5" width="{drawing.width - 1:g}" height="{drawing.height - 1:g}" rx="10"'
    paper = f'{shape} fill="#ffffff" stroke="#d0d7de"/>'
    return f"{opening}<title>{drawing.title}</title>{paper}{rest.partition('/>')[2]}\n"


def drawn() -> dict[str, str]:
    """By file name."""
    with TemporaryDirectory() as folder:
        runs = []
        for archive in ("ddxplus-seed0", "ddxplus-seed1"):
            unpack(ROOT / "results" / f"{archive}.tar.xz", Path(folder) / archive)
            runs.append(RunFolder(Path(folder) / archive / "eval" / RUN))
        return {f"{panel.name}.svg": card(panel) for panel in panels(*runs)}


def main(arguments: list[str]) -> int:
    stale = {
        FIGURES / name: svg
        for name, svg in drawn().items()
        if not (FIGURES / name).is_file() or (FIGURES / name).read_text(encoding="utf-8") != svg
    }
    for path, svg in stale.items():
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(svg, encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {'is not what the records give' if '--check' in arguments else 'written'}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
