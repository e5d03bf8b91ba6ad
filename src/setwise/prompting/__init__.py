"""Objective + question -> chat messages.

The four prompts are text files in this folder. They state the contract of the paper's prompts in our own words. Your
own prompt file replaces them and may use the same marks (`prompting.marks`).
"""

from functools import lru_cache
from importlib import resources
from pathlib import Path

from setwise.contract import THINK, Tag, tags_of
from setwise.errors import InputError
from setwise.objectives import Objective, Regime
from setwise.prompting.marks import fill, require_known
from setwise.questions import Question
from setwise.records.manifest import Lesson

__all__ = ["Message", "lesson", "messages", "read_prompt_file", "system_prompt"]

Message = dict[str, str]

_INSIDE = {
    "think": "your reasoning",
    "answer": "your answer",
    "analysis": "what could make you wrong",
    "confidence": "a number from 0 to 1",
}
_ANALYSIS_RULE = (
    "Between the analysis tags, name what could make you wrong: steps you are unsure of, readings of the question "
    "you did not take, rival answers. Be specific, and do not repair the answer there. "
)
_SUM_RULES = {
    Regime.EXCLUSIVE: "At most one candidate can be right, so the confidences together must not exceed 1; "
    "let them stay below 1 when the right answer may not be among your candidates. ",
    Regime.INCLUSIVE: "The confidences together must not exceed 1. ",
}


def messages(
    question: Question, objective: Objective, *, instruction: str = "", prompt: str | None = None
) -> list[Message]:
    """The chat that asks one question: a system message with the contract, and a user message with the question.

    `instruction` is the task's sentence about the kind of answer wanted; `prompt` replaces the contract.

    >>> chat = messages(Question("Who?"), Objective("rlvr-single"), instruction="Name a person.")
    >>> [message["role"] for message in chat], chat[1]["content"]
    (['system', 'user'], 'Name a person.\\n\\nWho?')
    """
    asked = f"{instruction}\n\n{question.text}" if instruction else question.text
    return [
        {"role": "system", "content": system_prompt(objective, prompt)},
        {"role": "user", "content": asked},
    ]


def system_prompt(objective: Objective, prompt: str | None = None) -> str:
    """The contract that an objective asks a model to follow."""
    text = _shipped(objective.name) if prompt is None else prompt
    values = {
        "K": str(objective.k),
        "FORMAT": _format(objective),
        "SUM_RULE": _SUM_RULES[objective.regime] if objective.asks_for_sums_up_to_one else "",
        "ANALYSIS_RULE": _ANALYSIS_RULE if objective.has_analysis else "",
    }
    return fill(text, values).strip()


def lesson(objective: Objective, prompt: str | None = None) -> Lesson:
    """How a model is taught an objective: with the shipped prompt or your own."""
    return Lesson(objective, system_prompt(objective, prompt), prompt)


def read_prompt_file(path: str | Path) -> str:
    """Read your own prompt from a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the prompt file cannot be read ({error})", place=path) from None
    if not text.strip():
        raise InputError("a prompt file must not be empty", place=path)
    require_known(text, path)
    return text


def _format(objective: Objective) -> str:
    return "\n".join(tag.around(f" {_inside(tag)} ") for tag in (THINK, *tags_of(objective.format)))


def _inside(tag: Tag) -> str:
    return f"candidate {tag.number}" if tag.number and tag.kind == "answer" else _INSIDE[tag.kind]


@lru_cache
def _shipped(name: str) -> str:
    return resources.files("setwise.prompting").joinpath("prompts", f"{name}.txt").read_text(encoding="utf-8")
