"""The wheel alone, in an empty folder: what it ships is enough to score, plan a training and run the demo."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the source distribution, as an index would."""
    out = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    [found] = out.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site")
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--target",
        str(site),
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    return site


def run(site: Path, folder: Path, *arguments: str) -> str:
    """The command of the wheel, which comes before that of the checkout."""
    environment = {**os.environ, "PYTHONPATH": str(site), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "setwise", *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_ships_every_recipe_and_prompt_and_no_test(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    recipes = {f"setwise/{path.relative_to(ROOT)}" for path in (ROOT / "recipes").rglob("*") if path.is_file()}
    assert recipes <= names
    assert {"setwise/py.typed", "setwise/reports/page/assets/watch.html", "setwise/serving/page.html"} <= names
    assert not [name for name in names if name.startswith(("tests/", "setwise/tests/"))]


def test_core_commands_work_in_an_empty_folder(site: Path, tmp_path: Path):
    where = [sys.executable, "-c", "import setwise; print(setwise.__file__)"]
    found = subprocess.run(
        where, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(site)}, capture_output=True, text=True
    )
    assert found.stdout.startswith(str(site))
    assert "--recipes" in run(site, tmp_path, "demo", "--help")
    assert "clinic-train-0-0" in run(site, tmp_path, "data", "show", "clinic")
    line = (
        '{"problem": {"id": "1", "question": "?", "golds": ["Gout"]}, "text": "<think>x</think><answer>Gout</answer>"}'
    )
    (tmp_path / "completions.jsonl").write_text(line + "\n", encoding="utf-8")
    assert "coverage" in run(site, tmp_path, "score", "completions.jsonl", "--objective", "rlvr-single")
    plan = run(
        site, tmp_path, "train", "recipes/demo/rlcr-multi.yaml", "--dry-run", "--set", "model.path=Qwen/Qwen3-0.6B"
    )
    assert str(site / "setwise" / "recipes" / "demo" / "prompts" / "rlcr-multi.txt") in plan
    assert "optimizer steps" in plan


def test_the_demo_runs_to_its_report_in_an_empty_folder(site: Path, tmp_path: Path):
    """With the shipped recipes cut to a few steps: what is tried here is that nothing is missing."""
    base = site / "setwise" / "recipes" / "demo" / "_base.yaml"
    text = base.read_text(encoding="utf-8")
    for long, short in (("steps: 450", "steps: 4"), ("steps: 80", "steps: 2"), ("save_every: 40", "save_every: 2")):
        assert long in text
        text = text.replace(long, short)
    base.write_text(text, encoding="utf-8")
    run(site, tmp_path, "demo", "--problems", "4")
    page = (tmp_path / "runs" / "demo" / "report" / "report.html").read_text(encoding="utf-8")
    assert re.search(r'<section id="answer"', page)
    assert (tmp_path / "runs" / "demo" / "findings.txt").is_file()
