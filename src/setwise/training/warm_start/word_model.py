"""A causal LM from nothing, small enough to train on a CPU in minutes: every word of a task is one token.

A finding and its value (`fever yes`) are one token too, since a model of two layers would spend most of a short
training on learning to read them together.

Tags are ordinary tokens, because engines decode without the special ones. The weights start wide
(`initializer_range` 0.12): from narrower ones such a model falls into giving the commonest answer to every question.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from setwise.contract import THINK, tags_of
from setwise.prompting import messages
from setwise.questions import Problem
from setwise.records.manifest import Lesson
from setwise.tasks import Task
from setwise.training.run.policy import PLAIN_TEMPLATE
from setwise.training.warm_start.transcripts import ANALYSIS, CONFIDENCE_STEPS, gold_texts

PADDING, END, UNKNOWN = "<pad>", "<end>", "<unknown>"
SPACE = r"\s+(?!(?:yes|no)\b)"
"""What separates two tokens: white space, unless a value follows."""


@dataclass(frozen=True, slots=True)
class WordModelSize:
    layers: int = 2
    hidden: int = 64
    heads: int = 4
    positions: int = 512
    initializer_range: float = 0.12


def build_word_model(words: Iterable[str], folder: str | Path, size: WordModelSize, seed: int = 0) -> Path:
    """Write an untrained model and its tokenizer, which knows these words and no others."""
    import torch
    from tokenizers import Regex, Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Split
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate([PADDING, END, UNKNOWN, *sorted(set(words))])}
    backend = Tokenizer(WordLevel(vocabulary, unk_token=UNKNOWN))
    backend.pre_tokenizer = Split(Regex(SPACE), behavior="removed")
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend, pad_token=PADDING, eos_token=END, unk_token=UNKNOWN, padding_side="left"
    )
    tokenizer.chat_template = PLAIN_TEMPLATE
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=size.hidden,
        intermediate_size=2 * size.hidden,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        num_key_value_heads=size.heads,
        max_position_embeddings=size.positions,
        initializer_range=size.initializer_range,
        pad_token_id=vocabulary[PADDING],
        eos_token_id=vocabulary[END],
        bos_token_id=None,
        tie_word_embeddings=True,
    )
    torch.manual_seed(seed)
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return Path(folder)


def split_words(text: str) -> list[str]:
    """
    >>> split_words("patient : fever yes ; cough no")
    ['patient', ':', 'fever yes', ';', 'cough no']
    """
    return [word for word in re.split(SPACE, text) if word]


def task_words(task: Task, problems: Sequence[Problem], lessons: Sequence[Lesson], thinking: str) -> Iterator[str]:
    """Every word that prompts and transcripts of a task can hold."""
    yield from thinking.split()
    yield from ANALYSIS.split()
    yield from (f"{number / CONFIDENCE_STEPS:.1f}" for number in range(CONFIDENCE_STEPS + 1))
    for name in task.answer_names:
        yield from name.split()
    for lesson in lessons:
        for tag in (THINK, *tags_of(lesson.objective.format)):
            yield from (tag.opening, tag.closing)
    for problem in problems:
        for text in gold_texts(problem):
            yield from text.split()
        for lesson in lessons:
            chat = messages(problem.question, lesson.objective, instruction=task.instruction, prompt=lesson.prompt)
            for message in chat:
                yield from split_words(message["content"])
