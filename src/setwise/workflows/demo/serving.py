"""The end of the demo: the command that serves its model, with a profile and patients for the page."""

import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from setwise.calibration import learn_profile
from setwise.errors import InputError
from setwise.models import Sampling
from setwise.records.run import RunFolder
from setwise.serving.examples import EXAMPLES, write_examples
from setwise.tasks import Task
from setwise.workflows.demo.examples import clinic_examples

SERVED = "rlcr-multi-per-answer"
"""Its confidences are the best of the six."""
ROUND_ALPHAS = (0.1, 0.2, 0.3, 0.4, 0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What is needed to serve the demo's model."""

    folder: Path
    """The demo's folder."""
    patients: Task
    """The evaluated patients and further ones. The page shows only further ones."""
    evaluated: int
    sampling: Sampling
    """As in the model's evaluation, since a profile holds for nothing else."""

    @property
    def training(self) -> Path:
        return self.folder / "train" / SERVED

    @property
    def run(self) -> RunFolder:
        """The evaluation that the profile is learned from."""
        return RunFolder(self.folder / "eval" / SERVED)


def prepare_service(service: Service) -> list[str]:
    """Write the examples and the profile, and report how to serve the model. With too few patients there is no profile,
    and a note."""
    _write_examples(service)
    command = [_setwise(), "serve", str(service.training)]
    try:
        profile = learn_profile(service.run)
    except InputError as error:
        drawn = ["--temperature", f"{service.sampling.temperature:g}", "--max-tokens", str(service.sampling.max_tokens)]
        return [f"no profile for the served model: {error}", _told([*command, *drawn])]
    place = service.folder / "profile.json"
    profile.write(place)
    command += ["--profile", str(place)]
    alpha = next((each for each in ROUND_ALPHAS if profile.reachable(each)), None)
    return [_told([*command, *(["--alpha", str(alpha)] if alpha else [])])]


def _write_examples(service: Service) -> None:
    patients, world = iter(service.patients), service.patients.world
    assert world is not None
    seen = {patient.question.text for patient in islice(patients, service.evaluated)}
    write_examples(service.training / "model" / EXAMPLES, clinic_examples(world, patients, seen))


def _told(command: Sequence[str]) -> str:
    return f"ask it yourself: {shlex.join(command)}"


def _setwise() -> str:
    """The command as it can be typed here. `make demo` runs it from an environment that is not active."""
    beside, found = Path(sys.executable).with_name("setwise"), shutil.which("setwise")
    if not beside.is_file() or (found and Path(found).samefile(beside)):
        return "setwise"
    return str(beside.relative_to(Path.cwd()) if beside.is_relative_to(Path.cwd()) else beside)
