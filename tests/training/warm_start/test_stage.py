"""What a warm start is trained on: the transcripts, as training and evaluation will ask."""

from pathlib import Path
from random import Random

import pytest

from setwise.objectives import OBJECTIVES
from setwise.prompting import lesson, messages
from setwise.settings import WarmStartSettings
from setwise.tasks import Task
from setwise.training.run.policy import load_tokenizer
from setwise.training.warm_start.stage import WarmStart, transcript_rows
from setwise.training.warm_start.transcripts import Writer
from tests.training.launched import launch
from tests.training.tiny_clinic import model_settings, objective_named

WORKER = Path(__file__).with_name("shared_start.py")


def plan_of(task: Task, start: Path, seed: int) -> WarmStart:
    return WarmStart(
        task=task,
        problems=list(task),
        lessons=[lesson(objective_named(name, task), name) for name in OBJECTIVES],
        model=model_settings(start),
        settings=WarmStartSettings(transcripts=90, imitation=0.5),
        folder=start,
        seed=seed,
    )


def test_transcripts_tokenized_together_are_those_tokenized_one_by_one(task: Task, start: Path):
    plan = plan_of(task, start, seed=3)
    tokenizer = load_tokenizer(plan.model)
    random = Random(3)
    rows = transcript_rows(plan, tokenizer)
    assert len(rows) == 90
    for number, row in enumerate(rows):
        problem, taught = plan.problems[number // 4], plan.lessons[number % 4]
        writer = Writer(taught.objective, task.answer_names, plan.settings.thinking, plan.settings.imitation)
        chat = messages(problem.question, taught.objective, instruction=task.instruction, prompt=taught.prompt)
        rendered = tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
        asked, said = (
            tokenizer(text, add_special_tokens=False)["input_ids"] for text in (rendered, writer.write(problem, random))
        )
        assert row["input_ids"] == [*asked, *said, tokenizer.eos_token_id]
        assert row["completion_mask"] == [0] * len(asked) + [1] * (len(said) + 1)


def test_a_seed_decides_the_transcripts(task: Task, start: Path):
    tokenizer = load_tokenizer(model_settings(start))
    first, again, other = (transcript_rows(plan_of(task, start, seed), tokenizer) for seed in (0, 0, 1))
    assert first == again
    assert first != other


@pytest.mark.slow
def test_two_processes_share_the_batch_that_one_would_train_on(start: Path, tmp_path: Path):
    import torch
    from safetensors.torch import load_file

    for processes in (1, 2):
        launch(WORKER, processes, start, tmp_path / str(processes))
    before, one, two = (load_file(each / "model.safetensors") for each in (start, tmp_path / "1", tmp_path / "2"))
    assert any(not tensor.equal(before[name]) for name, tensor in one.items())
    for name, tensor in one.items():
        torch.testing.assert_close(two[name], tensor, rtol=1e-3, atol=1e-5)
