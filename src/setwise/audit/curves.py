"""The signs of findings over a training run, step by step."""

import numpy as np

from setwise.audit.table import NOTHING
from setwise.audit.view import AuditView

SIGNS = {
    "near_duplicates": "near_duplicates",
    "hedged": "hedged_answers",
    "in_question": "copied_answers",
    "in_prompt": "format_answers",
    "empty_thinking": "empty_thinking",
    "contradiction": "contradicting_thinking",
    "same_program": "equivalent_programs",
    "knows_tests": "special_cases",
    "prints_only": "printed_results",
    "works_on_the_judge": "tampering",
}
"""Each sign with the finding whose curve it draws."""


def curves(view: AuditView) -> dict[str, list[tuple[int, float]]]:
    """By finding, the share of completions that show it at each step; empty for a run without steps."""
    steps = view["step"]
    known = [int(step) for step in np.unique(steps) if step != NOTHING]
    if len(known) < 2:
        return {}
    shares = {name: view.table.mask(sign) for sign, name in SIGNS.items() if view.table.signs.get(sign)}
    found = {name: [(step, float(mask[steps == step].mean())) for step in known] for name, mask in shares.items()}
    most = {"one_set": "set", "template_thinking": "thought", "constant_confidences": "claim"}
    for name, column in most.items():
        if (view[column] != NOTHING).any():
            found[name] = [(step, _largest(view, column, step)) for step in known]
    if view.claimed.any() and view.context.objective.k > 1:
        found["sums_of_one"] = [(step, float(view["shares_out_one"][steps == step].mean())) for step in known]
    found["thought_words"] = [(step, float(view["thought_words"][steps == step].mean())) for step in known]
    found["valid"] = [(step, float(view["valid"][steps == step].mean())) for step in known]
    return found


def _largest(view: AuditView, column: str, step: int) -> float:
    """Share of the step's problems with its most frequent value."""
    rows = view["step"] == step
    tally = view.tally(column, rows)
    if not tally.keys.size:
        return 0.0
    return view.problems_of(rows & (view[column] == tally.keys[0])) / max(1, view.problems_of(rows))
