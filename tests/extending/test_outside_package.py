"""A task, a matcher, a metric and a reward term that live outside of setwise, used from the first step to the report.

They are those of `examples/extension`: by their place (`module:name`), and as a package that is installed.
"""

import json
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from setwise.questions import Problem

EXTENSION = Path(__file__).parents[2] / "examples" / "extension"
METRIC = ("--metric", "harbour:round_numbers")


def run(*arguments: str, path: Path, cwd: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(path), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "setwise", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder on the path that holds the extension as an installer leaves it: the module and its metadata."""
    import tomllib

    project = tomllib.loads((EXTENSION / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    site = tmp_path / "site"
    info = site / f"{project['name']}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    shutil.copy(EXTENSION / "harbour.py", site)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    lines = [f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in own.items()) for group, own in groups]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return site


def script(path: Path, first_right: bool) -> Path:
    """Replies to the eight test problems: one right and one wrong number each."""
    with path.open("w", encoding="utf-8") as lines:
        for number in range(8):
            boats = 11 + 7 * number
            said = [f"{boats}.0", "5"] if first_right else ["5", "10"]
            text = "<think>hm</think>" + "".join(f"<answer{i}>{a}</answer{i}>" for i, a in enumerate(said, start=1))
            lines.write(json.dumps({"problem": f"test-{number}", "text": text, "tokens": 9}) + "\n")
    return path


def evaluated(folder: Path, name: str, task: str, matcher: str, path: Path, *more: str) -> Path:
    model = f"scripted:{script(folder / f'{name}.jsonl', first_right=name == 'good')}"
    out = folder / name
    asked = ("--task", task, "--method", "rlvr-multi", "--k", "2", "--resamples", "200", "--out", str(out))
    printed = run("eval", *asked, "--model", model, "--matcher", matcher, *more, path=path, cwd=folder)
    assert "round_numbers" in printed
    return out


def metric_of(run_folder: Path) -> float:
    return json.loads((run_folder / "metrics.json").read_text())["metrics"]["round_numbers"]["value"]


def test_the_example_is_short() -> None:
    assert len((EXTENSION / "harbour.py").read_text().splitlines()) <= 60


def test_a_file_of_your_own_is_evaluated_compared_and_reported(tmp_path: Path) -> None:
    place = ("harbour:HARBOUR", "harbour:NumberMatcher")
    good, bad = (evaluated(tmp_path, name, *place, EXTENSION, *METRIC) for name in ("good", "bad"))
    assert metric_of(bad) == 1.0
    assert metric_of(good) < 1.0
    coverage = [json.loads((each / "metrics.json").read_text())["metrics"]["coverage"]["value"] for each in (good, bad)]
    assert coverage == [0.5, 0.0], "12.0 is 12 to this matcher"
    table = run("compare", str(bad), str(good), *METRIC, path=EXTENSION, cwd=tmp_path)
    assert any("round_numbers" in line and "bad" in line for line in table.splitlines())
    run("report", str(good), str(bad), "--out", "report", "--no-pdf", *METRIC, path=EXTENSION, cwd=tmp_path)
    page = (tmp_path / "report" / "report.md").read_text()
    assert "Round numbers" in page
    assert "Share of sets whose first answer ends in 0 or 5." in page


def test_an_installed_package_is_found_by_its_short_names(tmp_path: Path, installed: Path) -> None:
    good, bad = (evaluated(tmp_path, name, "harbour", "number", installed) for name in ("good", "bad"))
    assert metric_of(bad) == 1.0
    assert "round_numbers" in run("compare", str(bad), str(good), path=installed, cwd=tmp_path)
    assert "boats at quay 0" in run("data", "show", "harbour", path=installed, cwd=tmp_path)


def test_a_run_with_a_metric_that_is_gone_says_so(tmp_path: Path, installed: Path) -> None:
    good = evaluated(tmp_path, "good", "harbour", "number", installed)
    command = [sys.executable, "-m", "setwise", "report", str(good), "--out", "report", "--no-pdf"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "note: Left out: round_numbers, a metric that is not loaded; to include your own, add --metric MODULE:NAME."
    ]


@pytest.fixture
def own_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test loads into this process is gone for the tests that follow it."""
    from setwise.metrics import METRICS
    from setwise.rewards.terms import TERMS

    import_module("setwise.metrics.stated")
    for table in (METRICS, TERMS):
        monkeypatch.setattr(table, "added", dict(table.added))


@pytest.mark.filterwarnings("ignore")
def test_training_pays_and_logs_them(tmp_path: Path, installed: Path, own_tables: None) -> None:
    pytest.importorskip("trl")
    import yaml

    from setwise.objectives import Objective
    from setwise.prompting import lesson
    from setwise.tasks import load_task
    from setwise.training.warm_start.word_model import WordModelSize, build_word_model, task_words

    task = load_task(f"{EXTENSION / 'harbour.py'}:HARBOUR")
    problems: list[Problem] = list(task)
    lessons = [lesson(Objective("rlvr-multi", 2), "answer")]
    words = task_words(task, problems, lessons, "hm")
    model = build_word_model(words, tmp_path / "model", WordModelSize(layers=1, hidden=16, heads=2))
    (tmp_path / "prompt.txt").write_text("answer")
    recipe = {
        "task": {"name": "harbour"},
        "model": {"path": str(model), "dtype": "float32", "gradient_checkpointing": False},
        "objective": {"name": "rlvr-multi", "k": 2, "prompt": "prompt.txt"},
        "reward": {"weights": {"brevity": 0.5}},
        "warm_start": {"steps": 40, "batch": 16, "learning_rate": 0.01, "thinking": "hm", "imitation": 1.0},
        "generation": {"prompts_per_step": 4, "group_size": 4, "temperature": 1.0, "max_completion_tokens": 24},
        "optimisation": {"steps": 2, "micro_batch": 16},
        "run": {"folder": "runs/harbour", "threads": 1},
    }
    (tmp_path / "recipe.yaml").write_text(yaml.safe_dump(recipe))
    run("train", "recipe.yaml", path=installed, cwd=tmp_path)
    log = [json.loads(line) for line in (tmp_path / "runs/harbour/log.jsonl").read_text().splitlines()]
    assert len(log) == 2
    assert all({"reward/brevity", "reward/correctness", "round_numbers"} <= step.keys() for step in log)
    paid = sum(step["reward/brevity"] for step in log)
    assert paid > 0, "some completion keeps the format and is paid for its short thought"
