import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from setwise.errors import InputError
from setwise.training.run.engine import build_trainer
from tests.training.tiny_clinic import make_job


@pytest.fixture
def trainer(start: Path, tmp_path: Path) -> Any:
    job = make_job(start, tmp_path / "run")
    job = replace(job, optimisation=replace(job.optimisation, steps=1))
    return build_trainer(job, job.objective)


def test_a_prompt_is_tokenised_once_for_its_group_and_no_two_rows_share_a_list(trainer: Any):
    rows = [row["prompt"] for row in trainer.train_dataset.select(range(3))]
    prompts = [rows[0], rows[0], rows[1], rows[2], rows[1]]
    tokenizer, seen = trainer.processing_class, []
    render = tokenizer.apply_chat_template

    def counted(conversation: list[Any], **options: Any) -> Any:
        seen.extend(conversation)
        return render(conversation, **options)

    tokenizer.apply_chat_template = counted
    found, images, fields = trainer._tokenize_prompts(prompts)
    assert len(seen) == 3
    assert (images, fields) == (None, {})
    assert found == [render(prompt, add_generation_prompt=True, return_dict=True)["input_ids"] for prompt in prompts]
    found[0].append(0)
    assert found[1] != found[0]


def test_the_log_says_how_long_the_parts_of_a_step_took(trainer: Any):
    trainer.train()
    (line,) = (line for line in trainer.state.log_history if "reward" in line)
    assert 0 < line["time/generation"] < line["time/rollout"] < line["step_time"]


def test_a_tied_weight_is_not_called_missing_and_a_lost_one_is(
    trainer: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(logging.getLogger("transformers"), "propagate", True)
    weights = trainer.model.state_dict()
    lost = "model.norm.weight"
    for absent, named in ((["lm_head.weight"], False), (["lm_head.weight", lost], True)):
        kept = {name: weight for name, weight in weights.items() if name not in absent}
        caplog.clear()
        trainer._issue_warnings_after_load(trainer.model.load_state_dict(kept, strict=False))
        assert ("missing keys" in caplog.text, "lm_head" in caplog.text) == (named, False)
        assert (lost in caplog.text) is named


def test_a_tied_weight_that_a_checkpoint_has_under_no_name_is_missing(trainer: Any):
    from setwise.training.run.trainer import really_missing

    both = ["lm_head.weight", "model.embed_tokens.weight"]
    assert really_missing(trainer.model, both) == both


def test_processes_that_do_not_know_each_other_are_refused(start: Path, tmp_path: Path):
    job = make_job(start, tmp_path / "run")
    with pytest.raises(InputError, match=r"2 processes were started, and each would train alone; .*ACCELERATE_USE_CPU"):
        build_trainer(job, job.objective, processes=2)
