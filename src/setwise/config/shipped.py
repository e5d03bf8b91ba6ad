"""The recipes that come with setwise, by their names in the repository: `recipes/demo/rlvr-multi.yaml`.

A wheel carries them inside the package; a checkout has the folder itself.
"""

from difflib import get_close_matches
from pathlib import Path

from setwise.home import at_home

_PACKAGE = Path(__file__).parents[1]
_IN_WHEEL, _IN_CHECKOUT = _PACKAGE / "recipes", _PACKAGE.parents[1] / "recipes"


def shipped_recipes() -> Path:
    """The folder of shipped recipes."""
    return _IN_WHEEL if _IN_WHEEL.is_dir() else _IN_CHECKOUT


def recipe_file(path: str | Path) -> Path:
    """The file at that path or, if there is none, the shipped recipe of that name.

    >>> recipe_file("recipes/demo/rlvr-multi.yaml").is_file(), recipe_file("mine.yaml")
    (True, PosixPath('mine.yaml'))
    """
    named = Path(at_home(str(path)))
    if named.exists() or named.is_absolute() or named.parts[:1] != ("recipes",):
        return named
    shipped = shipped_recipes().joinpath(*named.parts[1:])
    return shipped if shipped.is_file() else named


def nearest_recipe(path: Path) -> str:
    """`did you mean ...?` with a similarly named recipe of the same folder, own or shipped; else an empty string.

    >>> nearest_recipe(Path("recipes/demo/rlcr-mutli.yaml"))
    'did you mean recipes/demo/rlcr-multi.yaml?'
    """
    folders = [path.parent]
    if path.parts[:1] == ("recipes",):
        folders.append(shipped_recipes().joinpath(*path.parent.parts[1:]))
    names = [file.stem for folder in folders for file in sorted(folder.glob("*.yaml"))]
    near = get_close_matches(path.stem, [name for name in names if not name.startswith("_")], n=1)
    return f"did you mean {path.with_name(near[0])}.yaml?" if near else ""
