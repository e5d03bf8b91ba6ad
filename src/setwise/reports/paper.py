"""The numbers that the paper reports, to show next to ours. `paper.json` has them with their sources."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from setwise.reports.inputs import Run
from setwise.reports.methods import base_method, without_way


@cache
def _paper() -> dict[str, Any]:
    return json.loads((files("setwise.reports") / "paper.json").read_text(encoding="utf-8"))


def printed(task: str, method: str, k: int, metric: str) -> float | None:
    """The paper's number, if it has one for that dataset, method and K.

    >>> printed("mbpp", "rlvr-multi", 3, "n_correct"), printed("mbpp", "rlvr-multi", 3, "coverage")
    (1.35, None)
    """
    paper = _paper()
    if k != paper["source"]["k"]:
        return None
    for table in ("correctness", "calibration"):
        value = paper[table].get(task, {}).get(without_way(method), {}).get(metric)
        if value is not None:
            return value
    return None


def printed_by_k(run: Run) -> float | None:
    """Coverage in the paper's table by K."""
    return _paper()["by_k"].get(run.task, {}).get(base_method(run), {}).get(str(run.k))


def citation() -> str:
    source = _paper()["source"]
    return f"{source['authors']}: {source['title']} ({source['year']}), {source['model']}, K = {source['k']}."


def note() -> str:
    return _paper()["source"]["note"]
