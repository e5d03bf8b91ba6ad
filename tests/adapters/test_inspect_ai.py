"""With the real inspect_ai package and its mock model."""

from pathlib import Path
from typing import Any

import pytest

from setwise import Objective
from tests.adapters.cases import Case, completions_for, our_scores

inspect_ai = pytest.importorskip("inspect_ai", reason="inspect_ai is not installed here; `make test-inspect` runs this")

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
    pytest.mark.usefixtures("leftovers_collected"),
]
TERMS = ("format", "correctness", "calibration")


def evaluated(task: Any, outputs: list[Any], folder: Path, **options: Any) -> Any:
    from inspect_ai.model import get_model  # pyright: ignore[reportMissingImports]

    for said in outputs:
        said.usage = usage()
    model = get_model("mockllm/model", custom_outputs=outputs)
    (log,) = inspect_ai.eval(task, model=model, log_dir=str(folder), display="none", max_samples=1, **options)
    assert log.status == "success", log.error
    return log


def usage() -> Any:
    """Given, because the mock model would otherwise fetch a tokenizer to count with."""
    from inspect_ai.model import ModelUsage  # pyright: ignore[reportMissingImports]

    return ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)


def output(text: str) -> Any:
    from inspect_ai.model import ModelOutput  # pyright: ignore[reportMissingImports]

    return ModelOutput.from_content("mockllm/model", text)


def values(log: Any) -> list[dict[str, float]]:
    return [next(iter(sample.scores.values())).value for sample in log.samples]


@pytest.mark.parametrize("objective", ["rlvr-single", "rlcr-multi"])
def test_every_task_is_scored_as_score_batch_does(objective: str, every_case: list[Case], tmp_path: Path) -> None:
    from setwise.adapters.inspect_ai import inspect_task

    for case in every_case:
        source = case.load()
        problems = list(source)
        wanted = Objective(objective, regime=source.regime)
        for number in range(7) if case.name == "clinic" else (0,):
            texts = [completions_for(problem, wanted)[number] for problem in problems]
            ours = our_scores(texts, problems, wanted, source)
            task = inspect_task(case.name, objective, **case.arguments)
            scored = values(evaluated(task, [output(text) for text in texts], tmp_path / "logs"))
            assert [value["reward"] for value in scored] == [score.reward for score in ours]
            told = [{name: value[name] for name in TERMS if name in value} for value in scored]
            assert told == [score.terms for score in ours]


def test_thinking_that_a_provider_split_off_is_put_back(every_case: list[Case], tmp_path: Path) -> None:
    from inspect_ai.model import (  # pyright: ignore[reportMissingImports]
        ChatMessageAssistant,
        ContentReasoning,
        ContentText,
        ModelOutput,
    )

    from setwise.adapters.inspect_ai import inspect_task

    problem = next(iter(every_case[0].load()))
    whole = completions_for(problem, Objective("rlvr-single"))[0]
    thinking, _, content = whole.removeprefix("<think>").partition("</think>")
    said = ChatMessageAssistant(content=[ContentReasoning(reasoning=thinking), ContentText(text=content)])
    split = ModelOutput.from_message(said)
    task = inspect_task("clinic", "rlvr-single", limit=1)
    assert values(evaluated(task, [split], tmp_path))[0]["reward"] == 2.0


def test_a_lenient_scorer_labels_what_it_does_not_pay(every_case: list[Case], tmp_path: Path) -> None:
    from setwise.adapters.inspect_ai import inspect_task

    problem = next(iter(every_case[0].load()))
    chatty = completions_for(problem, Objective("rlvr-single"))[5]
    for lenient, n_correct in ((False, 0.0), (True, 1.0)):
        task = inspect_task("clinic", "rlvr-single", lenient=lenient, limit=1)
        (value,) = values(evaluated(task, [output(chatty)], tmp_path))
        assert (value["reward"], value["n_correct"]) == (0.0, n_correct)


def test_every_task_is_registered_by_its_name() -> None:
    from inspect_ai._util.registry import registry_lookup  # pyright: ignore[reportMissingImports]

    import setwise.adapters.inspect_entry
    from setwise.tasks import TASKS

    assert setwise.adapters.inspect_entry
    assert all(registry_lookup("task", f"setwise/{name}") for name in TASKS.names())


def test_a_task_can_be_run_by_name_with_options_of_its_own(tmp_path: Path) -> None:
    import setwise.adapters.inspect_entry  # noqa: F401

    options = {"objective": "rlvr-multi", "k": 2, "limit": 2, "regime": "inclusive"}
    log = evaluated("setwise/clinic", [output("nothing"), output("nothing")], tmp_path, task_args=options)
    assert [value["reward"] for value in values(log)] == [0.0, 0.0]
    assert "<answer2>" in log.samples[0].input[0].content
