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
from setwise.models.weight_bars import no_weight_bars
from setwise.objectives import OBJECTIVES, PAPER_K, Objective
from setwise.prompting import lesson, messages
from setwise.questions import Problem
from setwise.records.manifest import Lesson
from setwise.settings import WarmStartSettings
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


def small_model(
    task: Task, folder: str | Path, *, k: int = PAPER_K, prompt: str | None = None, size: WordModelSize | None = None
) -> Path:
    """Write an untrained model whose tokens are the words of a task, and return its folder.

    It replaces a pretrained model where there is no network. Its words are those of the task's questions and right
    answers, of the default thinking of a warm start, and of the prompts of all four objectives with sets of `k`: the
    shipped ones, or the text of yours. Any other word is one unknown token.
    """
    objectives = [Objective(name, k if Objective(name).multi else 1, regime=task.regime) for name in OBJECTIVES]
    lessons = [lesson(objective, prompt) for objective in objectives]
    words = task_words(task, list(task), lessons, WarmStartSettings.thinking)
    return build_word_model(words, folder, size or WordModelSize())


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
    with no_weight_bars():
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
    answers = dict.fromkeys([*task.answer_names, *(text for problem in problems for text in gold_texts(problem))])
    for tag in {tag for taught in lessons for tag in (THINK, *tags_of(taught.objective.format))}:
        yield from (tag.opening, tag.closing)
        if tag.kind == "answer":
            for text in answers:
                yield from split_words(tag.around(f" {text} "))
    for problem in problems:
        for taught in lessons:
            chat = messages(problem.question, taught.objective, instruction=task.instruction, prompt=taught.prompt)
            for message in chat:
                yield from split_words(message["content"])
