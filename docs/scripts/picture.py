"""The picture at the top of the README: one real question answered twice, and what more tokens buy.

    python docs/scripts/picture.py            # writes docs/figures/readme/*.svg
    python docs/scripts/picture.py --check    # exit status 1 where one is not what the records give

Answers, labels, confidences and curves come from the records of the first published runs. The records hold no rows of
the dataset, so question and golds stand here, cut and not reworded. Of all test patients for whom the single model's
first three samples are one right answer and the other model's first set holds two or more, this one has the shortest
question.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from docs.scripts.picture_panels import Curve, Example, Patient, answers_panel, tokens_panel
from results.records import unpack
from setwise.records.run import RunFolder
from setwise.reports.canvas import Drawing, to_svg
from setwise.reports.canvas.palette import DARK, LIGHT, METHOD_COLOURS

ROOT = Path(__file__).parents[2]
ARCHIVE = ROOT / "results" / "ddxplus-seed0.tar.xz"
FIGURES = ROOT / "docs" / "figures" / "readme"
SAMPLED, WRITTEN = "rlvr-single", "rlcr-multi"
CURVES = {SAMPLED: "RLVR-single", "rlvr-multi": "RLVR-multi", WRITTEN: "RLCR-multi"}
MOST_TOKENS = 600.0

# Fansi Tchango et al., DDXPlus (NeurIPS 2022 Datasets and Benchmarks), CC BY 4.0: a patient of the official test split.
PATIENT = Patient(
    id="ddxplus-test-469",
    question=(
        "Age: 73, Sex: F",
        "Do you have a fever …? -> Yes",
        "Do you have a cough? -> Yes",
        "Are you currently using intravenous drugs? -> Yes",
        "Do you have diabetes? -> Yes …",
    ),
    golds=("Bronchitis", "Tuberculosis", "Pneumonia"),
)


def panels(evaluations: Path) -> Iterator[Drawing]:
    sampled, written = (_example(evaluations / run) for run in (SAMPLED, WRITTEN))
    yield answers_panel(PATIENT, sampled, written)
    curves = [_curve(evaluations / run, label) for run, label in CURVES.items()]
    [patients] = {point["problems"] for run in CURVES for point in _budget(evaluations / run)}
    yield tokens_panel(curves, patients, MOST_TOKENS)


def _example(run: Path) -> Example:
    """The first set of the patient; of a single-answer model, its first three samples."""
    attempt = next(each for each in RunFolder(run).attempts() if each.problem == PATIENT.id)
    confidences = attempt.confidences or (None,) * attempt.k
    answers = zip(map(str, attempt.forms), attempt.correct, confidences, strict=True)
    return Example(CURVES[run.name], METHOD_COLOURS[run.name], tuple(answers), attempt.tokens or 0)


def _budget(run: Path) -> list[dict[str, Any]]:
    """What so many completions of each problem find, on average."""
    return RunFolder(run).read_metrics().analyses["budget"]


def _curve(run: Path, label: str) -> Curve:
    measured = RunFolder(run).read_metrics()
    budget = _budget(run)
    tokens = measured.metrics["tokens"].value
    points = tuple((point["answers"] * tokens / measured.k, point["distinct_correct"]) for point in budget)
    return Curve(label, METHOD_COLOURS[run.name], points, tokens, measured.metrics["n_correct"])


def standalone(drawing: Drawing, colours: Mapping[str, str]) -> str:
    """A file that needs nothing else, on whatever background the reader has."""
    svg = re.sub(r"var\(--(\w+)\)", lambda name: colours[name[1]], to_svg(drawing, themed=True))
    return svg.replace("<svg ", f'<svg width="{drawing.width:g}" height="{drawing.height:g}" ', 1) + "\n"


def drawn() -> dict[str, str]:
    """By file name."""
    with TemporaryDirectory() as folder:
        unpack(ARCHIVE, Path(folder))
        shown = list(panels(Path(folder) / "eval"))
    schemes = {"light": LIGHT, "dark": DARK}
    return {
        f"{panel.name}-{scheme}.svg": standalone(panel, colours)
        for panel in shown
        for scheme, colours in schemes.items()
    }


def main(arguments: list[str]) -> int:
    stale = []
    for name, svg in drawn().items():
        path = FIGURES / name
        if not path.is_file() or path.read_text(encoding="utf-8") != svg:
            stale.append(path)
            if "--check" not in arguments:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(svg, encoding="utf-8")
    for path in stale:
        said = "is not what the records give" if "--check" in arguments else "written"
        print(f"{path.relative_to(ROOT)}: {said}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
