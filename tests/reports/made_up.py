"""Runs to report on: made-up patients, a scripted model that is right as often as its skill says, real scoring."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from setwise.evaluation.generation import Inquiry, generate
from setwise.evaluation.score_run import score_run
from setwise.matching import Matcher, exact
from setwise.models import Completion
from setwise.models.scripted import ScriptedModel
from setwise.objectives import Objective, Regime
from setwise.questions import Problem
from setwise.records.files import dump_record
from setwise.records.method import Method
from setwise.records.objective import objective_to_record
from setwise.records.run import RunFolder
from setwise.records.sample_file import SampleFile
from tests.completions import completion

AILMENTS = (
    "Marsh fever", "Glass lung", "Tin ear", "Copper cough", "Velvet rash", "Salt gout", "Paper heart", "Slow knee",
    "Moon ague", "Brick throat", "Cellar chill", "Lantern eye", "Willow spine", "Amber colic", "Harbour itch",
)  # fmt: skip
THOUGHTS = (
    "The patient reports a long list of complaints and the onset was sudden.",
    "First I consider what is common in this season and in this age group.",
    "The pain is described as sharp and it does not move.",
    "There is no fever in the chart but it may not have been measured.",
    "Weighing the findings against each other I would put the following at the top.",
    "An earlier episode makes a chronic course more likely than not.",
    "I should not forget that two of the findings were never asked for.",
    "Taken together this narrows the list but does not settle it.",
)


@dataclass(frozen=True)
class MadeUpTask:
    """Patients whose differential is drawn from the ailments by a seed."""

    size: int = 40
    name: str = "made-up"
    regime: Regime = Regime.INCLUSIVE
    golds: int = 4
    instruction: str = "Name what the patient may have."
    matcher: Matcher = exact
    extra: Sequence[Problem] = field(default_factory=tuple)

    @property
    def fingerprint(self) -> str:
        return f"{self.name}-{self.size}"

    def __iter__(self) -> Iterator[Problem]:
        yield from self.extra
        for number in range(self.size):
            rng = random.Random(f"{self.name} {number}")
            most = self.golds if self.regime is Regime.INCLUSIVE else 1
            golds = rng.sample(AILMENTS, rng.randint(max(1, most - 2), most))
            age, pulse = rng.randint(20, 80), rng.randint(55, 110)
            question = (
                f"Patient {number}, {age} years old, pulse {pulse}.\n- {rng.choice(THOUGHTS)}\n- {rng.choice(THOUGHTS)}"
            )
            yield Problem(f"case-{number:04}", question, golds)


SKILL = {"rlvr-single": 0.55, "rlvr-multi": 0.7, "rlcr-single": 0.57, "rlcr-multi": 0.68}


def reply(problem: Problem, method: Method, objective: Objective, sample: int) -> Completion:
    """One completion. Single methods come back to a favourite answer; RLVR is overconfident, RLCR is not."""
    rng = random.Random(f"{problem.id} {method.name} {sample}")
    skill = SKILL.get(method.name.partition("+")[0], 0.4)
    favourite = random.Random(f"{problem.id} {method.name}").random() < 0.6
    if not objective.multi and favourite:
        rng = random.Random(f"{problem.id} {method.name} favourite")
    golds = [gold.text for gold in problem.golds or ()]
    others = [name for name in AILMENTS if name not in golds]
    answers, claims = [], []
    for place in range(objective.k):
        chance = skill * (1 - 0.12 * place)
        pool = [g for g in golds if g not in answers] if rng.random() < chance else []
        answers.append(rng.choice(pool or [o for o in others if o not in answers]))
        honest = chance if method.name.startswith("rlcr") else min(0.97, chance + 0.28)
        claims.append(round(min(1.0, max(0.0, rng.gauss(honest, 0.12))), 2))
    shared = THOUGHTS[:3] if not objective.multi else ()
    thinking = " ".join([*shared, *rng.sample(THOUGHTS, 3), f"So {answers[0]} it is."])
    text = completion(objective, answers, claims, thinking)
    if rng.random() < 0.04:
        return Completion(text[: len(text) // 2], "length", 400)
    return Completion(text, "stop", 60 + len(text) // 5)


def make_run(
    folder: Path, task: MadeUpTask, method: Method, replies: dict[str, list[Completion]] | None = None
) -> Path:
    """A scored run folder, made with the real generating and scoring."""
    inquiry = Inquiry(task, method)
    objective = method.read_objective(task.regime)
    script = dict(replies or {})
    for problem in task:
        if problem.id not in script:
            script[problem.id] = [reply(problem, method, objective, i) for i in range(method.samples)]
    model = ScriptedModel(script, "made-up-1b")
    RunFolder(folder).claim(inquiry.config(model.name, sum(1 for _ in task)))
    generate(inquiry, model, SampleFile.opened(folder / "samples.jsonl"))
    score_run(RunFolder(folder), task.matcher, resamples=200)
    return folder


def make_paper_runs(root: Path, task: MadeUpTask, methods: Sequence[Method]) -> None:
    for folder, method in zip(paper_run_folders(root, task, methods), methods, strict=True):
        make_run(folder, task, method)


def paper_run_folders(root: Path, task: MadeUpTask, methods: Sequence[Method]) -> list[Path]:
    return [root / f"{task.name}-{method.name.replace('+', '-')}" for method in methods]


def make_training_log(folder: Path, k: int, steps: int = 30) -> Path:
    """What a training run leaves in its folder, as far as a report reads it; the last line is cut off."""
    (folder / "model").mkdir(parents=True)
    manifest = {"taught": [{"objective": objective_to_record(Objective("rlvr-multi", k))}]}
    (folder / "model" / "setwise.json").write_text(json.dumps(manifest), encoding="utf-8")
    rng = random.Random(k)
    with (folder / "log.jsonl").open("w", encoding="utf-8") as log:
        for step in range(1, steps + 1):
            coverage = 0.3 + 0.01 * step + rng.gauss(0, 0.01)
            metrics = {"step": step, "reward": 1 + k * coverage, "coverage": coverage, "strictly_valid": 0.9}
            log.write(dump_record(metrics))
        log.write('{"schema": 2, "step": 3')
    with (folder / "alarms.jsonl").open("w", encoding="utf-8") as alarms:
        alarms.write(dump_record({"step": 12, "alarm": "duplicate_answers", "message": "31% of sets repeat an answer"}))
    return folder
