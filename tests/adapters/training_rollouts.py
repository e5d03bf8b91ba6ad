"""Rollouts as verifiers makes them for a trainer: its client renders and samples tokens, its graph keeps them."""

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from setwise.adapters.ground_truth import Grading, read_ground_truth
from tests.adapters.byte_tokenizer import byte_tokenizer
from tests.adapters.cases import Case, right_answers
from tests.adapters.credited import CUT, tokens_of
from tests.adapters.recipes import RECIPE, export, write_recipe
from tests.adapters.scripted_server import sampling
from tests.completions import completion

HARNESS = Path(__file__).parent / "harness"
PACKAGE = "setwise-tiny-clinic"


@dataclass(frozen=True)
class Group:
    """The traces of one problem, what was sampled in them, and how they are graded."""

    traces: list[Any]
    sampled: list[list[int]]
    grading: Grading
    tokenizer: Any


def credited_recipe(folder: Path, case: Case, **optimisation: Any) -> Path:
    """A recipe that pays single answers, for the value of a set that is not the paper's."""
    chosen = {**RECIPE["optimisation"], "credit": "answer", "later_gain": 0.5, **optimisation}
    return write_recipe(folder, case, optimisation=chosen, reward={"set_value": "any", "weights": {"calibration": 2.0}})


def exported_group(vf: Any, case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch, **optimisation: Any) -> Group:
    """The rollouts of the first task of an exported package."""
    assert export(monkeypatch, "verifiers", credited_recipe(folder, case, **optimisation), folder / "package") == 0
    for path in (HARNESS, folder / "package"):
        monkeypatch.syspath_prepend(str(path))
    monkeypatch.delitem(sys.modules, PACKAGE.replace("-", "_"), raising=False)
    monkeypatch.setenv("SCRIPTED_KEY", "none")
    return _rollouts(vf, next(iter(vf.load_taskset(vf.taskset_config_type(PACKAGE)(id=PACKAGE)))), folder)


def _rollouts(vf: Any, task: Any, folder: Path) -> Group:
    """One for each of a spread of completions."""
    tokenizer = byte_tokenizer()
    tokenizer.save_pretrained(folder / "tokenizer")
    grading = read_ground_truth(task.data.ground_truth)
    (gold,) = right_answers(grading.problem)
    sets = [[gold, "a", "b"], ["a", gold, "é"], ["a", "b", "é"], [gold, gold, "a"]]
    texts = [completion(grading.objective, said, [0.6, 0.2, 0.1]) for said in sets]
    texts += [texts[0].replace("0.6", "0.9"), texts[0].replace("</think>", ""), CUT]
    sampled = [tokens_of(text, tokenizer) for text in texts]
    traces = [_rollout(vf, task, ids, folder / "tokenizer") for ids in sampled]
    return Group(traces, sampled, grading, tokenizer)


def _rollout(vf: Any, task: Any, ids: list[int], tokenizer: Path) -> Any:
    finish = "stop" if ids[-1] == byte_tokenizer().eos_token_id else "length"
    with sampling(ids, finish) as address:
        config = vf.AgentConfig(
            harness={"id": "one_turn_harness"},
            runtime=vf.SubprocessConfig(),
            model="scripted",
            client=vf.TrainClientConfig(
                base_url=address, api_key_var="SCRIPTED_KEY", renderer_model_name=str(tokenizer)
            ),
            sampling=vf.SamplingConfig(),
        )
        trace = asyncio.run(vf.make_agent(config).run(task))
    assert not trace.errors, trace.errors
    return trace
