"""Texts that break careless parsers."""

import random
from collections.abc import Callable

from setwise import Objective
from tests.completions import completion

PIECES = (
    "<think>", "</think>", "<answer>", "</answer>", "<answer1>", "</answer1>", "<answer2>", "</answer2>",
    "<confidence1>", "</confidence1>", "<confidence>", "</confidence>", "<analysis>", "</analysis>",
    "<answer999999999>", "<answer-1>", "<answer٣>", "</", "<", ">", "&lt;", " ", "\n", "\x00", "\x1b[0m", "\ud800",
    "\udfff", "\u200b", "\u202e", "\ufeff", "0.5", "1e309", "NaN", "٠.٥", "9" * 400, "." * 50, "the", "A", "🙂",
)  # fmt: skip


def mutated(objective: Objective, chance: random.Random) -> str:
    """A well-formed completion after one to six random acts of vandalism."""
    answers = [chance.choice(["Gout", "Croup", "C++", "-0.5", "the", ""]) for _ in range(objective.k)]
    text = completion(objective, answers, [chance.choice(["0.5", "1", "70%", "x"]) for _ in answers])
    for _ in range(chance.randint(1, 6)):
        text = chance.choice(ACTS)(text, chance)
    return text


def _insert(text: str, chance: random.Random) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + chance.choice(PIECES) * chance.choice((1, 1, 1, 3)) + text[at:]


def _delete(text: str, chance: random.Random) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + text[at + chance.randint(1, 20) :]


def _cut(text: str, chance: random.Random) -> str:
    return text[: chance.randint(0, len(text))]


def _repeat(text: str, chance: random.Random) -> str:
    start, end = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
    return text[:end] + text[start:end] + text[end:]


def _swap(text: str, chance: random.Random) -> str:
    a, b, c = sorted(chance.randint(0, len(text)) for _ in range(3))
    return text[:a] + text[b:c] + text[a:b] + text[c:]


ACTS: tuple[Callable[[str, random.Random], str], ...] = (_insert, _insert, _delete, _cut, _repeat, _swap)


def huge(characters: int) -> dict[str, str]:
    """One text of about that many characters per way to hurt."""
    half = characters // 2
    tail = "<answer1>A</answer1><confidence1>0.5</confidence1><answer2>B</answer2><confidence2>0.5</confidence2>"

    def fill(piece: str, size: int = characters) -> str:
        return piece * (size // len(piece))

    return {
        "thinking": "<think>" + fill("word ") + "</think>" + tail,
        "open tags": fill("<answer1>"),
        "closed answers": "<think></think>" + fill("<answer1>A</answer1>"),
        "nested": "<think></think>" + fill("<answer1>", half) + fill("</answer1>", half),
        "thoughts": fill("<think></think>") + tail,
        "angle brackets": "<think></think><answer1>" + fill("<"),
        "white space": "<think></think>" + fill(" \n\t") + tail,
        "spaces in tags": "<think></think>" + fill("<  answer "),
        "digits": f"<think></think><answer1>A</answer1><confidence1>{fill('9')}x</confidence1>",
        "zeros": tail.replace("0.5", "0.5" + fill("0", half)).join(("<think></think>", "")),
        "long answer": tail.replace(">A<", ">" + fill("the a. -1e-5 C++ ", half) + "<").join(("<think></think>", "")),
        "punctuation": tail.replace(">A<", ">" + fill("+-.#", half) + "<").join(("<think></think>", "")),
        "surrogates": "<think></think><answer1>" + fill("\ud800") + "</answer1>",
        "combining marks": "<think></think><answer1>a" + fill("\u0301\u0323", half) + "</answer1>",
        "marks in disguise": "<think></think><answer1>a" + fill("\u0f73\uff9e\u0316", half) + "</answer1>",
        "big number": "<think></think>" + f"<answer{fill('9')}>A</answer{'9'}>",
    }
