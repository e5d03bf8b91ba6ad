"""Prepares a trained model for sharing: a card and a profile next to the weights, optionally pushed to a hub."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from setwise.calibration import Profile
from setwise.calibration.profile import PROFILE
from setwise.errors import InputError, MachineryError, MissingDependency
from setwise.models import folder_of
from setwise.records.files import replacing
from setwise.records.manifest import MANIFEST, Manifest, is_complete
from setwise.records.run import RunFolder, names_of
from setwise.records.training_log import TrainingLog
from setwise.reports.folders import read_recipe_sections
from setwise.reports.model_card import WRITTEN_BY, ModelFacts, to_card
from setwise.version import __version__
from setwise.workflows.report_models import base_model
from setwise.workflows.report_profile import read_profile_curves

CARD = "README.md"
NOT_SHARED = ("checkpoint-*", "optimizer*", "scheduler*", "rng_state*", "trainer_state.json", "training_args.bin")
"""What a trainer leaves next to the weights and nobody needs to use the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What to share, and under which name."""

    model: Path
    """A model folder, or its training folder."""
    runs: Sequence[Path] = ()
    """Evaluations of it."""
    profile: Path | None = None
    repository: str = ""
    """`OWNER/NAME` on the hub; if empty, nothing is pushed."""
    license: str = ""
    replace_card: bool = False


def write_card(plan: Publication) -> Path:
    """Write the card into the model's folder, with the profile next to it. Contains only what is on record."""
    folder = model_folder(plan.model)
    manifest = Manifest.read(folder)
    if manifest is None or not manifest.taught:
        raise InputError(f"{MANIFEST} does not say how the model was taught", place=folder)
    card = folder / CARD
    if card.is_file() and not plan.replace_card and WRITTEN_BY not in card.read_text(encoding="utf-8"):
        raise InputError("the folder has a card that setwise did not write", place=card, remedy="--replace-card")
    runs = dict(zip(names_of(plan.runs), map(RunFolder, plan.runs), strict=True))
    for run in runs.values():
        run.require_scored()
        _require_same_model(run, folder, manifest)
    if plan.profile is not None:
        _require_same_folder(str(Profile.read(plan.profile).about.get("model", "")), folder, plan.profile)
        if plan.profile.resolve() != (folder / PROFILE).resolve():
            shutil.copyfile(plan.profile, folder / PROFILE)
    training = folder.parent if folder.name == "model" else folder
    facts = ModelFacts(
        name=plan.repository or (training.name if folder.name == "model" else folder.name),
        manifest=manifest,
        base_model=_public_name(manifest),
        recipe=read_recipe_sections(recipe) if (recipe := training / "config.yaml").is_file() else {},
        alarms=TrainingLog(training).alarms(),
        runs={name: run.read_metrics() for name, run in runs.items()},
        splits={name: split for name, run in runs.items() if (split := _split(run))},
        profile=read_profile_curves(folder),
        license=plan.license,
        setwise=__version__,
    )
    with replacing(card) as stream:
        stream.write(to_card(facts))
    return card


def model_folder(place: Path) -> Path:
    """The folder with the weights: the one given, or `model` in its training folder."""
    found = next((folder for folder in (place, place / "model") if is_complete(folder)), None)
    if found is None:
        remedy = "name a folder of setwise train whose training is finished, or the model folder in it"
        raise InputError(f"no {MANIFEST} lies in this folder", place=place, remedy=remedy)
    return found


def hub_token(repository: str) -> str:
    """The token to push with, from `HF_TOKEN` or `hf auth login`."""
    try:
        from huggingface_hub import get_token
    except ImportError:
        raise MissingDependency("pushing to a hub", package="huggingface_hub", extra="publish") from None
    token = get_token()
    if token is None:
        remedy = "set HF_TOKEN, or log in with hf auth login"
        raise InputError("no token to push with", place=f"--to {repository}", remedy=remedy)
    return token


def push(plan: Publication, token: str, *, private: bool = False) -> str:
    """Upload the model's folder with the card in it, and return its address. `HF_ENDPOINT` selects another hub."""
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    api, place = HfApi(token=token), f"--to {plan.repository}"
    try:
        address = api.create_repo(plan.repository, private=private or None, exist_ok=True)
        api.upload_folder(
            repo_id=plan.repository,
            folder_path=model_folder(plan.model),
            ignore_patterns=list(NOT_SHARED),
            commit_message=f"Published with setwise {__version__}",
        )
    except HFValidationError as error:
        raise InputError(str(error), place=place) from None
    except (HfHubHTTPError, OSError) as error:
        told = (str(error).partition("\n")[0], getattr(error, "server_message", None))
        raise MachineryError(f"{place}: the hub did not take the model ({'; '.join(filter(None, told))})") from None
    return str(address)


def _require_same_model(run: RunFolder, folder: Path, manifest: Manifest) -> None:
    """Metrics of another model must not appear on this one's card."""
    config = run.read_config()
    if _require_same_folder(config.model, folder, run.path):
        return
    # The model was moved since, or served under a name, so only what it was trained as can be compared.
    taught = [lesson.objective.name for lesson in manifest.taught]
    if config.method.trained_as not in taught:
        rule = f"the run is of a model trained as {config.method.trained_as}, and this one was taught {taught[-1]}"
        raise InputError(rule, place=run.path)


def _require_same_folder(spec: str, folder: Path, place: Path) -> bool:
    """Whether a model spec is this folder. False if it leads to no folder here; an error if it leads to another."""
    asked = folder_of(spec)
    if not asked or not Path(asked).is_dir():
        return False
    if Path(asked).resolve() != folder.resolve():
        raise InputError("this belongs to another model", place=place, value=spec)
    return True


def _public_name(manifest: Manifest) -> str:
    """The base model's name on a hub; empty for what looks like a folder on some machine."""
    name = base_model(f"hf:{manifest.base_model}") if manifest.base_model else ""
    is_local = Path(name).exists() or Path(name).parent.is_dir()
    return name if name.count("/") == 1 and not is_local else ""


def _split(run: RunFolder) -> str:
    return str(run.read_config().task.settings.get("split") or "")
