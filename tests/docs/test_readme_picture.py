"""The README's picture is what the records give, and its question is the dataset's."""

import re
from pathlib import Path

import pytest

from docs.scripts.picture import ARCHIVE, FIGURES, PATIENT, SAMPLED, WRITTEN, main
from results.records import unpack
from setwise.records.attempt import Attempt
from setwise.records.run import RunFolder
from setwise.tasks import load_task
from tests.tasks.made_up import real

ROOT = Path(__file__).parents[2]


def test_the_picture_is_what_the_script_makes_from_the_records(capsys: pytest.CaptureFixture[str]):
    assert main(["--check"]) == 0, capsys.readouterr().out


def test_the_readme_shows_every_part_for_light_and_for_dark():
    shown = re.findall(r'"docs/figures/readme/([^"]+)"', (ROOT / "README.md").read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(path.name for path in FIGURES.iterdir())


def test_a_file_of_the_picture_asks_nothing_of_the_page_or_of_the_net():
    for path in FIGURES.iterdir():
        svg = path.read_text(encoding="utf-8")
        assert not re.search(r"var\(|href|url\(|<script|<image", svg)


def test_the_question_is_cut_and_not_reworded():
    questions = {problem.id: problem for problem in load_task("ddxplus", path=str(real("ddxplus")), split="test")}
    problem = questions[PATIENT.id]
    left = problem.question.text
    for piece in (piece.strip() for line in PATIENT.question for piece in line.split("…") if piece.strip()):
        assert piece in left
        left = left.partition(piece)[2]
    assert [gold.text for gold in problem.golds or ()] == list(PATIENT.golds)


def test_the_patient_is_the_one_that_the_rule_chooses(tmp_path: Path):
    unpack(ARCHIVE, tmp_path)
    sampled, written = (_first_sets(tmp_path / "eval" / run) for run in (SAMPLED, WRITTEN))
    telling = {
        problem.id: len(problem.question.text)
        for problem in load_task("ddxplus", path=str(real("ddxplus")), split="test")
        if all(sampled[problem.id].correct)
        and len(sampled[problem.id].distinct) == 1
        and len(written[problem.id].distinct_correct) >= 2
    }
    assert min(telling, key=lambda each: telling[each]) == PATIENT.id


def _first_sets(run: Path) -> dict[str, Attempt]:
    first: dict[str, Attempt] = {}
    for attempt in RunFolder(run).attempts():
        first.setdefault(attempt.problem, attempt)
    return first
