"""Questions with canned answers, and models that say them."""

import json
from collections.abc import Sequence
from pathlib import Path

from setwise.serving import AnswerSetModel, load

COUGH, TOE, MUMBLE = "Fever and a productive cough?", "A swollen big toe?", "What is it?"


def completion(*answers: tuple[str, float], thinking: str = "hm") -> str:
    """
    >>> completion(("Gout", 0.9))
    '<think>hm</think><answer1>Gout</answer1><confidence1>0.9</confidence1>'
    """
    tags = (f"<answer{i}>{a}</answer{i}><confidence{i}>{q}</confidence{i}>" for i, (a, q) in enumerate(answers, 1))
    return f"<think>{thinking}</think>" + "".join(tags)


COUGHS = (
    completion(("Pneumonia", 0.6), ("Bronchitis", 0.25), ("Influenza", 0.1), thinking="The lung or the airways."),
    completion(("Bronchitis", 0.5), ("the pneumonia", 0.4), ("Asthma", 0.05)),
    "I would rather not say.",
)
TOES = (completion(("Fracture", 0.02), ("Gout", 0.9), ("Cellulitis", 0.05)),)
SCRIPT = {COUGH: COUGHS, TOE: TOES, MUMBLE: ("mumble",)}


def write_script(path: Path, script: dict[str, Sequence[str]] | None = None) -> str:
    """What `scripted:` takes; each problem has an id that is not its question, as in the records of a run."""
    lines = [
        {"problem": {"id": f"case-{number}", "question": question}, "text": text, "tokens": 7, "prompt_tokens": 5}
        for number, (question, texts) in enumerate((SCRIPT if script is None else script).items())
        for text in texts
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return f"scripted:{path}"


def scripted(folder: Path, script: dict[str, Sequence[str]] | None = None) -> AnswerSetModel:
    return load(write_script(folder / "script.jsonl", script))
