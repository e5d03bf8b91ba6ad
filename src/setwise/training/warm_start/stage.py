"""The supervised stage before reinforcement learning: TRL's SFT on transcripts, for a model that cannot write the
format yet."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from setwise.errors import InputError
from setwise.jobs import transcripts_per_process
from setwise.prompting import Message, messages
from setwise.questions import Problem
from setwise.records.files import Record
from setwise.records.manifest import Lesson, Manifest, is_complete
from setwise.records.run import differences
from setwise.settings import ModelSettings, WarmStartSettings
from setwise.tasks import Task
from setwise.training.run.manifest import manifest_of_training
from setwise.training.run.policy import load_model, load_tokenizer, save_model
from setwise.training.warm_start.transcripts import Writer, answer_pool
from setwise.training.watch.listeners import LossNotes, StopAtNaN, as_callback

STAGE = "warm-start"

Row = dict[str, list[int]]


@dataclass(frozen=True, kw_only=True)
class WarmStart:
    """A model to be taught the format of one or more objectives."""

    task: Task
    problems: Sequence[Problem]
    lessons: Sequence[Lesson]
    model: ModelSettings
    settings: WarmStartSettings
    folder: Path
    seed: int = 0
    processes: int = 1
    """How many share each step."""


def warm_start(plan: WarmStart, note: Callable[[str], None] | None = None) -> Path:
    """Train, save, and return the folder. A folder that is already complete is left unchanged, and refused if something
    else was asked for."""
    if is_complete(plan.folder):
        _require_same(plan)
        return plan.folder
    tokenizer = load_tokenizer(plan.model)
    trainer = _trainer(plan, tokenizer)
    trainer.add_callback(as_callback(StopAtNaN(plan.model.path)))
    if note is not None:
        trainer.add_callback(as_callback(LossNotes("warm start", note)))
    trainer.train()
    manifest = manifest_of_training(STAGE, plan.task, plan.lessons, plan.model, warm_start=_described(plan))
    save_model(trainer, plan.folder, "float32", manifest)
    return plan.folder


def _described(plan: WarmStart) -> Record:
    """What the model depends on, for its manifest."""
    return {
        **asdict(plan.settings),
        "seed": plan.seed,
        "task": plan.task.fingerprint,
        "model": {
            "path": plan.model.path,
            "revision": plan.model.revision,
            "dtype": plan.model.dtype,
            "chat_template_options": plan.model.chat_template_options,
        },
        "taught": {str(number): _taught(lesson) for number, lesson in enumerate(plan.lessons, start=1)},
    }


def _taught(lesson: Lesson) -> Record:
    """The prompt and the format. Rewards do not matter."""
    objective = lesson.objective
    return {
        "objective": objective.name,
        "k": objective.k,
        "analysis": objective.has_analysis,
        "think_opened": objective.think_opened,
        "sums_up_to_one": objective.asks_for_sums_up_to_one,
        "prompt": lesson.prompt,
    }


def _require_same(plan: WarmStart) -> None:
    made = Manifest.read(plan.folder) or Manifest()
    before, now = made.notes.get("warm_start", {}), _described(plan)
    # An older version noted less.
    changed = differences({"stage": made.stage, **before}, {"stage": STAGE, **{name: now.get(name) for name in before}})
    if changed:
        raise InputError(
            "this folder holds a model that was made otherwise: " + "; ".join(changed),
            place=plan.folder,
            remedy="undo the change, or choose another folder",
        )


def transcript_rows(plan: WarmStart, tokenizer: Any) -> list[Row]:
    """Tokenized exactly as training and evaluation will ask. Only the completion enters the loss."""
    chats, completions = zip(*_transcripts(plan), strict=True)
    # All at once, because a tokenizer spends most of a short call on the call.
    rendered = tokenizer.apply_chat_template(
        list(chats), tokenize=False, add_generation_prompt=True, **plan.model.chat_template_options
    )
    asked, said = (tokenizer(list(texts), add_special_tokens=False)["input_ids"] for texts in (rendered, completions))
    return [_row(*ids, tokenizer.eos_token_id) for ids in zip(asked, said, strict=True)]


def _transcripts(plan: WarmStart) -> Iterator[tuple[list[Message], str]]:
    """Chats up to the completion, and the completions."""
    random = Random(plan.seed)
    settings = plan.settings
    writers = [
        Writer(
            lesson.objective,
            answer_pool(plan.task, plan.problems, lesson.objective.k),
            settings.thinking,
            settings.imitation,
        )
        for lesson in plan.lessons
    ]
    for number in range(settings.transcripts or settings.steps * settings.batch):
        which = number % len(plan.lessons)
        problem = plan.problems[(number // len(plan.lessons)) % len(plan.problems)]
        lesson = plan.lessons[which]
        chat = messages(problem.question, lesson.objective, instruction=plan.task.instruction, prompt=lesson.prompt)
        yield chat, writers[which].write(problem, random)


def _row(asked: list[int], said: list[int], end: int) -> Row:
    said = [*said, end]
    return {"input_ids": [*asked, *said], "completion_mask": [0] * len(asked) + [1] * len(said)}


def _trainer(plan: WarmStart, tokenizer: Any) -> Any:
    from datasets import Dataset
    from transformers import PrinterCallback
    from trl.trainer.sft_config import SFTConfig
    from trl.trainer.sft_trainer import SFTTrainer

    settings = plan.settings
    arguments = SFTConfig(
        output_dir=str(plan.folder.with_name(plan.folder.name + "-work")),
        max_steps=settings.steps,
        per_device_train_batch_size=transcripts_per_process(settings, plan.processes),
        learning_rate=settings.learning_rate,
        lr_scheduler_type="linear",
        warmup_steps=round(0.05 * settings.steps),
        max_length=None,
        completion_only_loss=True,
        bf16=plan.model.dtype == "bfloat16",
        fp16=plan.model.dtype == "float16",
        gradient_checkpointing=plan.model.gradient_checkpointing,
        save_strategy="no",
        report_to="none",
        logging_steps=max(1, settings.steps // 10),
        disable_tqdm=True,
        dataloader_pin_memory=False,
        seed=plan.seed,
    )
    trainer = SFTTrainer(
        model=load_model(replace(plan.model, lora=None)),
        args=arguments,
        train_dataset=Dataset.from_list(transcript_rows(plan, tokenizer)),
        processing_class=tokenizer,
    )
    trainer.remove_callback(PrinterCallback)
    return trainer
