"""Problems that cannot be judged, inside a real training run."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from setwise.answers import Match
from setwise.errors import BrokenProblem
from setwise.matching import exact
from setwise.questions import Problem
from setwise.records.score import Score
from setwise.records.training_log import Alarm
from setwise.training import train
from setwise.training.run.broken import HUSHED, hush_engine, say_unscored
from tests.training.tiny_clinic import make_job

STEPS = 2


@dataclass(frozen=True)
class OneWhole:
    """Judges the answers to one problem; every other is broken."""

    whole: str
    name: str = "one whole"

    def match(self, answers: Sequence[str], problem: Problem) -> list[Match]:
        return exact.match(answers, problem)

    def broken(self, problems: Sequence[Problem]) -> list[BrokenProblem | None]:
        return [None if p.id == self.whole else BrokenProblem(p.id, "failed", "failed: 0 of 1") for p in problems]


class Watcher:
    def __init__(self) -> None:
        self.notes: list[str] = []
        self.broken: list[float] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    def step(self, step: int, steps: int, metrics: Mapping[str, float]) -> None:
        self.broken.append(metrics["machinery/broken_problems"])

    def alarm(self, alarm: Alarm) -> None: ...


def test_groups_of_broken_problems_move_no_weight_and_are_named_once(
    start: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    from safetensors.torch import load_file

    job = make_job(start, tmp_path / "run")
    last = job.problems[-1].id
    job = replace(
        job,
        task=replace(job.task, matcher=OneWhole(last)),
        optimisation=replace(job.optimisation, steps=STEPS, weight_decay=0.0),
    )
    watcher = Watcher()
    outcome = train(job, watcher)
    assert outcome.model is not None
    assert watcher.broken == [job.generation.prompts_per_step] * STEPS, "the whole one must not be among those asked"
    named = [note for note in watcher.notes if "broken" in note]
    assert len(named) == 1
    assert named[0].startswith("warning: 255 broken problems are left out: ")
    before, after = load_file(start / "model.safetensors"), load_file(outcome.model / "model.safetensors")
    assert all(tensor.equal(before[name]) for name, tensor in after.items())
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING and "None" in record.message]


def test_a_failure_of_the_machinery_is_said_and_a_broken_problem_is_not(caplog: pytest.LogCaptureFixture):
    broken = Score(reward=None, error="BrokenProblem: problem 7", broken_problem=True)
    assert not say_unscored([broken])
    assert not caplog.records
    assert say_unscored([broken, Score(reward=None, error="SandboxError: gone")])
    assert "left out, as others may be: SandboxError: gone" in caplog.text


@pytest.mark.parametrize("logger", HUSHED)
def test_only_one_message_of_the_engine_is_hushed(
    logger: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(logging.getLogger("transformers"), "propagate", True)
    hush_engine()
    engine: Any = logging.getLogger(logger)
    engine.warning(f"[RANK 0] {HUSHED[logger]} for the following kwargs:\n{{}}")
    engine.warning("something else")
    assert {record.message for record in caplog.records} == {"something else"}
