"""How to ask a published model, with setwise and without it, and what its profile is good for."""

import re

from setwise.records.manifest import Lesson, Manifest
from setwise.reports.inputs import ProfileCurves

PROMISED = (0.05, 0.1, 0.2, 0.3)


def how_to_ask(name: str, manifest: Manifest, lesson: Lesson, *, has_profile: bool) -> str:
    folder = name.rpartition("/")[2]
    profile = f" --profile {folder}/profile.json" if has_profile else ""
    given = f', profile="{folder}/profile.json"' if has_profile else ""
    download = [f"hf download {name} --local-dir {folder}"] if "/" in name else []
    shell = [
        "pip install -e '.[hf,serving]'    # in a checkout of setwise",
        *download,
        f'setwise ask {folder} "your question"{profile}',
        f"setwise serve {folder}{profile}    # an OpenAI-compatible server",
    ]
    python = [
        "import setwise",
        "",
        f'model = setwise.load("{folder}"{given})',
        'for answer in model.ask("your question").answers:',
        f"    print(answer.text, answer.{'calibrated' if has_profile else 'stated'})",
    ]
    before = ["The user message is this line, an empty one, and the question:", _fenced(manifest.instruction)]
    parts = [
        "## How to ask",
        _fenced("\n".join(shell), "sh"),
        _fenced("\n".join(python), "python"),
        "Without setwise, send two messages. The system message, word for word:",
        _fenced(lesson.system_prompt),
        *(before if manifest.instruction else ["The user message is the question."]),
    ]
    return "\n\n".join(parts)


def promises(profile: ProfileCurves) -> list[str]:
    """What the profile is for, and what it can promise."""
    first = "`profile.json` turns stated confidences into calibrated ones"
    if not profile.promises:
        return [f"{first}. No alpha can be promised with this model."]
    shown = [
        each
        for place, each in enumerate(profile.promises)
        if place == 0 or any(abs(each.alpha - alpha) < 1e-9 for alpha in PROMISED)
    ]
    rows = [f"| {each.alpha:.2f} | {each.kept:.2f} | {1 - each.answered:.0%} |" for each in shown]
    return [
        f"{first} and decides how many answers to keep so that a right one is among them with probability 1 - alpha, "
        "or when to pass a question on. The first row is the smallest alpha that can be promised.",
        "\n".join(["| alpha | answers kept | passed on |", "| ---: | ---: | ---: |", *rows]),
    ]


def _fenced(text: str, language: str = "") -> str:
    """A block that no sequence of backticks in the text can end.

    >>> print(_fenced("a ``` b"))
    ````
    a ``` b
    ````
    """
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
