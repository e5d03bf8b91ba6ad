"""One string that defines how a completion is graded: the problem's golds or tests, the objective and the matcher and,
if a recipe pays single answers, the credit.

Engines pass this string from the dataset row to the reward function, in whatever process that runs. It contains
everything, so a worker needs no recipe, no task files and no state. It leaves out the question and the task's notes,
which scoring never reads.
"""

import json
from dataclasses import dataclass
from functools import lru_cache

from setwise.adapters.credit_rule import CreditRule, credit_from_record
from setwise.adapters.turns import OneAtATime
from setwise.errors import InputError
from setwise.matching import NAMES, Matcher, named, spec_of
from setwise.objectives import Objective
from setwise.questions import Problem
from setwise.records.files import READABLE, SCHEMA
from setwise.records.objective import objective_from_record, objective_to_record
from setwise.records.problem import problem_from_record, problem_to_record

REMEMBERED = 1 << 16
"""Problems cached per process. Rebuilding one costs more than scoring a completion against it."""
_WITHOUT_STATE = ("exact", "fuzzy")


@dataclass(frozen=True, slots=True)
class Grading:
    """What `setwise.score` needs besides the completion."""

    problem: Problem
    objective: Objective
    matcher: Matcher
    credit: CreditRule | None = None
    """For engines that take one advantage per token; None pays every token of a completion the same."""


def write_ground_truth(
    problem: Problem, objective: Objective, matcher: Matcher, credit: CreditRule | None = None
) -> str:
    """The string for one dataset row.

    >>> from setwise.matching import exact
    >>> text = write_ground_truth(Problem("1", "Who?", ["Ada"]), Objective("rlvr-single"), exact)
    >>> read_ground_truth(text).problem.golds
    (Gold(text='Ada', aliases=()),)
    """
    record = {name: value for name, value in problem_to_record(problem).items() if name not in ("question", "meta")}
    parts = {"problem": record, "objective": objective_to_record(objective), "matcher": matcher_name(matcher)}
    if credit is not None:
        parts["credit"] = credit.to_record()
    return json.dumps({"schema": SCHEMA, **parts})


@lru_cache(maxsize=REMEMBERED)
def read_ground_truth(text: str) -> Grading:
    """What `write_ground_truth` wrote. The same string gives the same objects."""
    try:
        parts = json.loads(text)
        schema, problem, objective, matcher = (parts[name] for name in ("schema", "problem", "objective", "matcher"))
    except (ValueError, KeyError, TypeError):
        raise InputError(
            "a ground truth must be what `setwise export` writes", value=text, remedy="export the data again"
        ) from None
    if schema not in READABLE:
        raise InputError(f"the schema of a ground truth must be {SCHEMA}", value=schema, remedy="export the data again")
    return Grading(
        problem_from_record({"question": "", **problem}, "ground truth"),
        _objective(json.dumps(objective)),
        shared_matcher(matcher),
        credit_from_record(parts.get("credit", {})),
    )


@lru_cache
def shared_matcher(name: str) -> Matcher:
    """The matcher of this process. Engines grade from several threads, so a matcher with a child process serves one at
    a time."""
    matcher = named(name)
    return matcher if matcher.name in _WITHOUT_STATE else OneAtATime(matcher)


def matcher_name(matcher: Matcher) -> str:
    """The name that makes the same matcher in another process."""
    spec = spec_of(matcher)
    if spec is None:
        ours = ", ".join(NAMES)
        rule = f"only a matcher with a name can travel to another engine: {ours}, or your own as module:name"
        raise InputError(rule, value=matcher.name)
    return spec


@lru_cache
def _objective(record: str) -> Objective:
    return objective_from_record(json.loads(record))
