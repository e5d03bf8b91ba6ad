"""Distinguishes model folders from names on the hub, before a library takes a misspelt folder for a name."""

from difflib import get_close_matches
from pathlib import Path

from setwise.errors import InputError
from setwise.home import at_home
from setwise.models.local_text import ADAPTER_FILE

CONFIG_FILE = "config.json"
MARKS_OF_A_MODEL = (CONFIG_FILE, ADAPTER_FILE, "params.json")
"""Files of a whole model, of an adapter, and of Mistral's own layout, which vLLM reads."""
WHOLE_MODEL_IN_A_FILE = ".gguf"


def require_model(path: str, place: object) -> None:
    """A folder must exist and contain a model. A name on the hub, `OWNER/NAME` or `NAME`, is only known to work when
    loaded."""
    folder = Path(at_home(path))
    if folder.is_dir():
        if not any((folder / mark).is_file() for mark in MARKS_OF_A_MODEL):
            rule = f"a model folder holds a {CONFIG_FILE}, and this one does not"
            raise InputError(rule, place=place, remedy=_model_below(folder))
    elif folder.exists():
        if folder.suffix != WHOLE_MODEL_IN_A_FILE:
            raise InputError("a model is a folder, and this is a file", place=place)
    elif _looks_like_a_path(path):
        remedy = nearest_folder(path) or "a model of the hub is written OWNER/NAME, where no folder OWNER is"
        raise InputError("there is no model folder here", place=place, remedy=remedy)


def nearest_folder(path: str) -> str:
    """`did you mean ...?` with a similarly named folder in the same place, else an empty string."""
    missing = Path(at_home(path))
    while missing.parent != missing and not missing.parent.is_dir():
        missing = missing.parent
    try:
        names = [each.name for each in missing.parent.iterdir() if each.is_dir()]
    except OSError:
        return ""
    near = get_close_matches(missing.name, names, n=1, cutoff=0.5)
    if not near:
        return ""
    found = missing.with_name(near[0])
    whole = found / Path(at_home(path)).relative_to(missing)
    return f"did you mean {whole if whole.is_dir() else found}?"


def _looks_like_a_path(path: str) -> bool:
    """A name on the hub has at most one slash, and what comes before it is not a folder here."""
    if not path.strip() or path.startswith((".", "/", "~")) or path.endswith("/") or "\\" in path:
        return True
    parts = Path(path).parts
    return len(parts) > 2 or (len(parts) == 2 and Path(parts[0]).is_dir())


def _model_below(folder: Path) -> str:
    """The model of a training run is one folder deeper."""
    below = sorted(each.parent for each in folder.glob(f"*/{CONFIG_FILE}"))
    return f"did you mean {below[0]}?" if below else ""
