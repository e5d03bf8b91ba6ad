"""Finds problems that no answer can satisfy, by scoring their own golds or their reference with the matcher."""

from collections.abc import Iterable, Iterator

from setwise.errors import BrokenProblem, MachineryError
from setwise.matching import Matcher, named
from setwise.matching.protocol import let_go_after
from setwise.objectives import MOST_K, Objective, Regime
from setwise.questions import Problem
from setwise.scoring import score
from setwise.workflows.blind_guess import write_completion

CHEAP = ("exact", "fuzzy")
"""Matchers that start no process. Golds of others are scored on request."""
NO_ANSWER = frozenset(("nan", "null", "n/a", "tbd", "todo", "?", "-"))
"""Placeholders in a table for a missing gold."""


def is_cheap(matcher: str) -> bool:
    return matcher.partition(":")[0] in CHEAP


def unsatisfiable(problems: Iterable[Problem], matcher: str, regime: Regime) -> Iterator[tuple[str, str]]:
    """Each such problem with the reason."""
    with let_go_after(named(matcher)) as judge:
        for problem in problems:
            if why := _why(problem, judge, regime):
                yield problem.id, why


def _why(problem: Problem, matcher: Matcher, regime: Regime) -> str:
    golds = [gold.text for gold in problem.golds] if problem.golds is not None else [problem.reference]
    if problem.golds is None and not problem.reference.strip():
        return ""
    missing = [gold for gold in golds if gold.strip().casefold() in NO_ANSWER]
    if missing:
        return f'the gold "{missing[0]}" is no answer'
    held = golds[:MOST_K]
    objective = Objective("rlvr-multi", len(held), regime=regime if len(held) == 1 else Regime.INCLUSIVE)
    try:
        judged = score(write_completion(held, objective), problem, objective, matcher=matcher)
    except BrokenProblem as error:
        return error.detail
    except MachineryError:
        return ""  # unknown
    if judged.malformed:
        return f"no completion can hold its golds ({judged.malformed.reason})"
    unearned = [gold for gold, right in zip(held, judged.labels, strict=True) if not right]
    return f'the gold "{unearned[0]}" earns nothing' if unearned else ""
