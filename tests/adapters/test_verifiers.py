"""With the real verifiers package: its taskset, its rollout through its interception server, its reward."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from setwise import Objective
from setwise.adapters.verifiers import asked
from tests.adapters.cases import Case, completions_for, our_scores
from tests.adapters.recipes import export, write_recipe
from tests.adapters.scripted_server import serving

vf = pytest.importorskip("verifiers.v1", reason="verifiers is not installed here; `make test-verifiers` runs this")

HARNESS = Path(__file__).parent / "harness"
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


def taskset(case: Case, **changes: Any) -> Any:
    from setwise.adapters.verifiers import SetwiseTaskset, SetwiseTasksetConfig

    return SetwiseTaskset(SetwiseTasksetConfig(data=case.name, **case.arguments, **changes))


def rollout(task: Any, address: str) -> Any:
    config = vf.AgentConfig(
        harness={"id": "one_turn_harness"},
        runtime=vf.SubprocessConfig(),
        model="scripted",
        client=vf.EvalClientConfig(base_url=address, api_key_var="SCRIPTED_KEY"),
        sampling=vf.SamplingConfig(),
    )
    trace = asyncio.run(vf.make_agent(config).run(task))
    assert not trace.errors, trace.errors
    return trace


@pytest.fixture
def one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HARNESS))
    monkeypatch.setenv("SCRIPTED_KEY", "none")


def test_every_task_gives_its_problems_as_a_taskset(every_case: list[Case]) -> None:
    for case in every_case:
        problems = list(case.load())
        tasks = list(taskset(case))
        assert [task.data.id for task in tasks] == [problem.id for problem in problems]
        assert all(problem.question.text in task.data.prompt for task, problem in zip(tasks, problems, strict=True))


@pytest.mark.usefixtures("one_turn")
@pytest.mark.parametrize("objective", ["rlvr-single", "rlcr-multi"])
def test_a_rollout_earns_what_score_batch_gives(objective: str, every_case: list[Case]) -> None:
    for case in every_case:
        source = case.load()
        problem = next(iter(source))
        wanted = Objective(objective, regime=source.regime)
        texts = [text for text in completions_for(problem, wanted) if text]
        ours = our_scores(texts, [problem] * len(texts), wanted, source)
        task = next(iter(taskset(case, objective={"name": objective})))
        for text, score in zip(texts, ours, strict=True):
            with serving(lambda chat, text=text: {"content": text}) as address:
                trace = rollout(task, address)
            assert trace.reward == score.reward
            assert trace.metrics["format"] == score.terms["format"]
            assert trace.metrics["n_correct"] == sum(score.labels)


@pytest.mark.usefixtures("one_turn")
def test_thinking_that_a_server_split_off_is_put_back(every_case: list[Case]) -> None:
    clinic = every_case[0]
    problem = next(iter(clinic.load()))
    whole = completions_for(problem, Objective("rlvr-single"))[0]
    thinking, _, content = whole.removeprefix("<think>").partition("</think>")
    task = next(iter(taskset(clinic, objective={"name": "rlvr-single"})))
    with serving(lambda chat: {"content": content, "reasoning_content": thinking}) as address:
        assert rollout(task, address).reward == 2.0


def test_the_prompt_and_the_objective_can_be_chosen(every_case: list[Case]) -> None:
    config = taskset(every_case[0], objective={"name": "rlvr-multi", "k": 2}, prompt="Say {K} things.").config
    example = next(asked(config))
    assert example.system == "Say 2 things."


def test_an_exported_package_is_found_by_its_id(
    every_case: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clinic = every_case[0]
    assert export(monkeypatch, "verifiers", write_recipe(tmp_path, clinic), tmp_path / "package") == 0
    monkeypatch.syspath_prepend(str(tmp_path / "package"))
    config = vf.taskset_config_type("setwise-tiny-clinic")(id="setwise-tiny-clinic")
    tasks = list(vf.load_taskset(config))
    assert [task.data.id for task in tasks] == [problem.id for problem in clinic.load()]
