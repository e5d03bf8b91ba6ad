"""What the page must know before the first question: the model, its profile, and examples to start with."""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from setwise.models import folder_of
from setwise.serving.examples import PageExample, read_examples

if TYPE_CHECKING:
    from setwise.calibration import Profile
    from setwise.serving.model import AnswerSetModel


def about(
    model: "AnswerSetModel", examples: Sequence[PageExample] = (), *, name: str = "", alpha: float | None = None
) -> dict[str, Any]:
    """The body of `/v1/setwise/about`. `name` is the served model's name, `alpha` the default for decisions."""
    profile = model.profile
    return {
        "model": name or model.name,
        "k": model.k,
        "confidences": model.asking.objective.confidences,
        "alpha": alpha if profile else None,
        "profile": None if profile is None else _told(profile),
        "instruction": model.asking.instruction,
        "examples": [each.to_record() for each in examples],
    }


def _told(profile: "Profile") -> dict[str, Any]:
    best = profile.best_alpha
    return {"best_alpha": best if isfinite(best) else None, "samples": profile.samples, "problems": profile.problems}


def find_examples(spec: str, given: str | Path | None = None) -> Sequence[PageExample]:
    """The examples in a file, or in `examples.json` in the model's folder."""
    if given is not None:
        return read_examples(given)
    folder = Path(folder_of(spec) or ".")
    return read_examples(folder) if folder.is_dir() else ()
