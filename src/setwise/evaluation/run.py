"""One run in one folder: `config.json`, `samples.jsonl`, `scores.jsonl`, `metrics.json`.

Generating only adds to `samples.jsonl`; scoring only reads it and writes the other two anew. Either can be repeated.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from setwise.errors import InputError
from setwise.evaluation.analyses import Analyses, by_problem
from setwise.evaluation.attempts import Attempt, attempt_from_record
from setwise.evaluation.generate import Plan, fingerprint
from setwise.evaluation.labelling import labeller_of
from setwise.evaluation.measuring import Metrics, metrics_of
from setwise.evaluation.samples import SampleFile
from setwise.evaluation.statistics import RESAMPLES
from setwise.evaluation.tally import Tally
from setwise.matching import Matcher
from setwise.prompting import system_prompt
from setwise.records import SCHEMA, dump_record, objective_from_record, objective_to_record, read_records, replacing

RESCORABLE = ("matcher", "task.problems")
"""What may differ when a folder is used again: it concerns scoring, not what the model was asked."""

DESCRIBED = ("task", "model", "method", "k", "confidence", "sampling")
NEEDED = ("objective", "construction", "samples_per_problem")

MEASURED = {
    **dict.fromkeys(("task", "regime", "model", "method", "construction", "confidence"), str),
    "k": int,
    **dict.fromkeys(("metrics", "counts", "analyses"), dict),
}
"""The parts of `metrics.json` that readers count on."""

Config = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where a run lives."""

    path: Path

    @property
    def config(self) -> Path:
        return self.path / "config.json"

    @property
    def samples(self) -> Path:
        return self.path / "samples.jsonl"

    @property
    def scores(self) -> Path:
        return self.path / "scores.jsonl"

    @property
    def metrics(self) -> Path:
        return self.path / "metrics.json"

    def read_config(self) -> Config:
        return _read_json(self.config)

    def read_metrics(self) -> dict[str, Any]:
        """The numbers of a scored run, every part there and of its kind."""
        told = _read_json(self.metrics)
        unusable = [name for name, kind in MEASURED.items() if not isinstance(told.get(name), kind)]
        if not unusable and "budget" not in told["analyses"]:
            unusable = ["analyses"]
        if unusable:
            raise InputError(
                "the file lacks what setwise eval writes", place=self.metrics, value=unusable, remedy=self._rescore
            )
        return told

    @property
    def is_scored(self) -> bool:
        return self.metrics.is_file() and self.scores.is_file()

    def require_scored(self) -> None:
        if self.is_scored:
            return
        if self.samples.is_file():
            raise InputError("the run is not scored", place=self.path, remedy=self._rescore)
        raise InputError(
            "a run folder holds metrics.json and scores.jsonl", place=self.path, remedy="setwise eval makes one"
        )

    @property
    def _rescore(self) -> str:
        return f"setwise eval --out {self.path} --rescore"

    def task_setting(self, name: str) -> Any:
        """One entry of the config's task; None where it is not on record."""
        task = self.read_config().get("task") if self.config.is_file() else None
        return task.get(name) if isinstance(task, dict) else None

    def attempts(self) -> Iterator[Attempt]:
        """The scored attempts, problem by problem."""
        for place, record in read_records(self.scores):
            yield attempt_from_record(record, place)


def config_of(plan: Plan, model: str) -> Config:
    """Everything that decides what the model is asked, in a form that two runs can be compared by."""
    task, method = plan.task, plan.method
    asked = method.asked_objective(task.regime)
    return {
        "schema": SCHEMA,
        "task": {
            "name": task.name,
            **plan.task_settings,
            "regime": str(task.regime),
            "fingerprint": task.fingerprint,
            "problems": sum(1 for _ in task),
        },
        "model": model,
        "method": {**asdict(method), "construction": str(method.construction)},
        "objective": objective_to_record(method.read_objective(task.regime, think_opened=plan.think_opened)),
        "sampling": {**asdict(plan.sampling), "stop": list(plan.sampling.stop), "seed": plan.seed},
        "prompt_fingerprint": fingerprint([system_prompt(asked, method.prompt), task.instruction]),
        "matcher": task.matcher.name,
    }


def claim(folder: RunFolder, config: Config) -> None:
    """Make the folder this run's, or see that it already is. Another run's folder is refused, with the difference."""
    started = folder.samples.exists() and folder.samples.stat().st_size > 0
    if not started:
        write_json(folder.config, config)
        return
    if not folder.config.exists():
        raise InputError("the folder holds samples but no config.json", place=folder.path, remedy="use another one")
    changed = differences(folder.read_config(), config)
    if changed:
        raise InputError(
            f"the folder holds a run with other settings ({'; '.join(changed)})",
            place=folder.path,
            remedy="use another --out, or delete the folder",
        )


def differences(old: Config, new: Config) -> list[str]:
    """Settings that differ, one phrase each.

    >>> differences({"a": {"b": 1}}, {"a": {"b": 2}})
    ['a.b was 1, is 2']
    """
    before, after = _flat(old), _flat(new)
    return [
        f"{name} was {_shown(before.get(name))}, is {_shown(after.get(name))}"
        for name in dict.fromkeys((*before, *after))
        if before.get(name) != after.get(name) and name not in RESCORABLE
    ]


def score_run(
    folder: RunFolder,
    matcher: Matcher,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Metrics:
    """Label every completion of a run and write `scores.jsonl` and `metrics.json`. Asks no model."""
    file = SampleFile.opened(folder.samples)
    first = next(file.by_problem(), None)
    if not first:
        raise InputError("there are no completions to score", place=folder.samples)
    record = first[0].record
    missing = [name for name in (*DESCRIBED, *NEEDED) if name not in record]
    if missing:
        raise InputError(f"a sample record needs {', '.join(missing)}", place=folder.samples)
    objective = objective_from_record(record["objective"])
    labeller = labeller_of(first[0], record["samples_per_problem"], matcher, objective)
    tally, analyses = Tally(), Analyses()
    with replacing(folder.scores) as out:
        for done, (_, attempts) in enumerate(by_problem(labeller.attempts(file.by_problem())), start=1):
            for attempt in attempts:
                out.write(dump_record(attempt.to_record()))
                tally.add(attempt)
            analyses.add(attempts)
            on_progress(done)
        if not tally.problems:
            raise labeller.why_nothing(folder.path)
        unanswered = (folder.task_setting("problems") or 0) - len(file.offsets)
        if unanswered > 0:
            labeller.left_out["incomplete_problems"] += unanswered
        tally.counts.update(labeller.left_out, duplicate_samples=file.duplicates)
        metrics = metrics_of(tally, resamples=resamples, seed=seed)
    described = {name: record[name] for name in DESCRIBED}
    described["sampling"] = {name: value for name, value in described["sampling"].items() if name != "seed"}
    extra = {"regime": str(objective.regime), "matcher": matcher.name, "resamples": resamples}
    write_json(
        folder.metrics,
        {"schema": SCHEMA, **described, **extra, **metrics.to_record(), "analyses": analyses.to_record()},
    )
    return metrics


def write_json(path: Path, value: dict[str, Any]) -> None:
    with replacing(path) as out:
        out.write(json.dumps(value, indent=1, allow_nan=False) + "\n")


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", place=path) from None
    except ValueError as error:
        raise InputError(f"the file must be JSON ({error})", place=path) from None
    if not isinstance(value, dict):
        raise InputError("the file must hold a JSON object", place=path)
    if value.get("schema", SCHEMA) != SCHEMA:
        raise InputError(f"schema must be {SCHEMA}", place=path, value=value["schema"], remedy="upgrade setwise")
    return value


def _flat(config: Config, path: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in config.items():
        flat |= _flat(value, f"{path}{name}.") if isinstance(value, dict) else {f"{path}{name}": value}
    return flat


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
