"""`setwise.__all__` is what the documents show, and nothing else."""

import re
import subprocess
import sys
from pathlib import Path

import setwise

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "examples").rglob("*.py"))]
IMPORT = re.compile(r"^from setwise import (\([^)]*\)|.+)$", re.MULTILINE)
CALLED = re.compile(r"`setwise\.([A-Za-z_]+)[`(]")
HEAVY = ("torch", "transformers", "trl", "vllm", "datasets", "matplotlib", "pandas", "scipy", "numpy", "pydantic")


def shown_names() -> set[str]:
    names: set[str] = set()
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for found in IMPORT.findall(text):
            names |= {name.strip() for name in found.partition("#")[0].strip("()").split(",") if name.strip()}
        names |= {name for name in CALLED.findall(text) if name in dir(setwise) or name in setwise.__all__}
    return names


def test_the_documents_show_every_public_name_and_no_other() -> None:
    public = set(setwise.__all__) - {"__version__"}
    modules = {path.stem for path in (ROOT / "src" / "setwise").iterdir()}
    assert shown_names() - modules - {"__all__"} == public


def test_every_public_name_is_there() -> None:
    for name in setwise.__all__:
        assert getattr(setwise, name) is not None


def test_importing_setwise_imports_nothing_heavy() -> None:
    check = f"import sys, setwise; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(setwise.__file__).parent / "py.typed").is_file()


def test_no_file_is_long() -> None:
    folders = [ROOT / name for name in ("src", "tests", "benchmarks", "results", "docs")]
    sizes = {path: len(path.read_text().splitlines()) for folder in folders for path in folder.rglob("*.py")}
    assert not {str(path.relative_to(ROOT)) for path, size in sizes.items() if size > 300}
