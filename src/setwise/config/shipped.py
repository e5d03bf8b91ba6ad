"""The recipes that come with setwise, by their names in the repository: `recipes/demo/rlvr-multi.yaml`.

A wheel carries them inside the package; a checkout has the folder itself.
"""

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
