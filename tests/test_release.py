"""What a release needs besides code: workflows, templates, citation and changelog agree with the package."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import setwise

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def commands(job: dict[str, Any]) -> str:
    return "\n".join(step.get("run", "") for step in job["steps"])


def test_hosted_ci_runs_the_same_script_on_every_python_we_claim():
    [job] = read(".github/workflows/ci.yml")["jobs"].values()
    claimed = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert job["strategy"]["matrix"]["python"] == claimed == ["3.11", "3.12", "3.13"]
    assert commands(job).strip() == ".ci/run"
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_a_release_publishes_what_was_built_and_tried():
    jobs = read(".github/workflows/release.yml")["jobs"]
    tried = commands(jobs["build"])
    assert "python -m build" in tried
    for command in re.findall(r'bin/setwise" (\w+)', tried):
        assert command in ("demo", "data")
    assert jobs["publish"]["needs"] == "build"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_a_workflow_asks_for_no_more_rights_than_it_needs_and_has_an_end(path: Path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    # YAML 1.1 reads the key `on` as true.
    assert workflow[True]
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 120
        for step in job["steps"]:
            assert "uses" in step or "run" in step
            assert re.fullmatch(r"[\w./-]+@(v\d+|release/v\d+)", step.get("uses", "actions/checkout@v4"))


@pytest.mark.parametrize("path", ["bug.yml", "idea.yml"])
def test_an_issue_form_has_what_the_host_needs(path: str):
    form = read(f".github/ISSUE_TEMPLATE/{path}")
    assert form["name"]
    assert form["description"]
    ids = [part["id"] for part in form["body"]]
    assert len(ids) == len(set(ids))
    assert any(part.get("validations", {}).get("required") for part in form["body"])


def test_the_version_stands_in_the_citation_and_heads_the_changelog():
    cited = read("CITATION.cff")
    assert cited["version"] == setwise.__version__
    assert cited["license"] == PROJECT["license"]
    assert {"cff-version", "message", "title", "authors"} <= cited.keys()
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    released = next(heading for heading in headings if heading != "Unreleased")
    assert released == f"{setwise.__version__} ({cited['date-released']})"


def test_make_help_tells_every_target_of_the_makefile():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    [targets] = re.findall(r"^\.PHONY: (.+)$", text, re.MULTILINE)
    told = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^  make (\S+)", told, re.MULTILINE) == targets.split()


def test_every_link_of_the_contributing_page_to_code_leads_to_a_file():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:\w+/)*\w+(?:\.py|/))`", page)
    assert len(named) > 8
    for name in named:
        assert (ROOT / "src" / "setwise" / name).exists() or (ROOT / name).exists(), name
