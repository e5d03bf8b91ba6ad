"""THE pipeline: text -> parse -> label -> reward. Training, evaluation and every adapter call it.

No other code parses completions or decides what is correct.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from setwise.answers import AnswerSet, Malformed, Match, Rule
from setwise.errors import BrokenProblem, InputError, MachineryError
from setwise.matching import BatchMatcher, Matcher, exact
from setwise.matching.broken import broken_problems
from setwise.matching.same import each_form_once, paid_once, same_keys
from setwise.objectives import Objective, Regime
from setwise.parsing import parse
from setwise.questions import Problem
from setwise.records.attempt import Attempt
from setwise.records.score import Score
from setwise.rewards import JudgedSet, nothing, reward

__all__ = ["Score", "attempt_of", "score", "score_batch"]

TRIES = 3
LONGEST_FORM = 200

Said = TypeVar("Said")

AskedSet = tuple[list[str], Problem]
Verdict = tuple[list[Match], list[Hashable]] | MachineryError
"""The label and the key of each answer in a set. Equal keys mean the same answer."""


def score(
    text: str,
    problem: Problem,
    objective: Objective,
    *,
    matcher: Matcher = exact,
    strict: bool = True,
    finish_reason: str | None = None,
) -> Score:
    """Score one completion.

    `matcher` decides which answers are right. With `strict=False`, repairable completions are labelled too; the reward
    stays strict. A `finish_reason` of "length" marks a malformed completion as truncated. Raises `MachineryError` if
    the matcher cannot give a verdict, and `BrokenProblem` if it never can.

    >>> problem = Problem(id="1", question="...", golds=["Pneumonia", "Bronchitis"])
    >>> text = "<think>...</think><answer1>pneumonia</answer1><answer2>Gout</answer2>"
    >>> s = score(text, problem, Objective("rlvr-multi", k=2))
    >>> s.reward, s.labels
    (2.0, [True, False])
    """
    _check_pair(text, problem, objective)
    (broken,) = broken_problems([problem], matcher)
    if broken is not None:
        raise broken
    parsed = parse(text, objective, strict=strict, finish_reason=finish_reason)
    if isinstance(parsed, Malformed):
        return _malformed(parsed, objective)
    answers = parsed.answers
    verdict = matcher.match(answers, problem), same_keys(matcher, answers, problem)
    return _scored(parsed, (answers, problem), *verdict, objective)


def score_batch(
    texts: Sequence[str],
    problems: Sequence[Problem],
    objective: Objective,
    *,
    matcher: Matcher = exact,
    strict: bool = True,
    finish_reasons: Sequence[str | None] | None = None,
) -> list[Score]:
    """Score many completions, each against its own problem.

    Sets that the machinery failed to judge are tried again, three times in all; after that, their Score has an `.error`
    and no reward. Completions of a broken problem get an `.error` without a retry.
    """
    reasons = [None] * len(texts) if finish_reasons is None else finish_reasons
    if not len(texts) == len(problems) == len(reasons):
        raise InputError("texts, problems and finish reasons must be equally many", value=[len(texts), len(problems)])
    for text, problem in zip(texts, problems, strict=True):
        _check_pair(text, problem, objective)
    parsed = [parse(text, objective, strict=strict, finish_reason=r) for text, r in zip(texts, reasons, strict=True)]
    broken = broken_problems(problems, matcher)
    rows = zip(parsed, problems, broken, strict=True)
    asked = [(each.answers, problem) for each, problem, why in rows if isinstance(each, AnswerSet) and why is None]
    judged = zip(asked, _labelled(asked, matcher), strict=True)
    scores: list[Score] = []
    for each, why in zip(parsed, broken, strict=True):
        if why is not None:
            scores.append(_unjudged(each, why))
        elif isinstance(each, Malformed):
            scores.append(_malformed(each, objective))
        else:
            scores.append(_judged(each, *next(judged), objective))
    return scores


def attempt_of(
    score: Score, problem: Problem, objective: Objective, *, tokens: int | None = None, cut_off: bool | None = None
) -> Attempt:
    """One scored completion as an `Attempt`, the input of every metric."""
    forms = [written_form(form, problem) for form in score.forms]
    return Attempt(
        problem=problem.id,
        correct=tuple(score.labels),
        k=objective.k,
        credited=tuple(score.labels if problem.golds is not None else each_form_once(score.forms, score.labels)),
        confidences=tuple(score.confidences) if objective.confidences else (),
        forms=tuple(forms),
        n_golds=problem.n_golds,
        regime=objective.regime,
        tokens=tokens,
        strictly_valid=int(score.strictly_valid),
        truncated=None if cut_off is None else int(cut_off),
        malformed={str(score.malformed.reason): 1} if score.malformed else {},
    )


def credited_together(
    answers: Sequence[str], forms: Sequence[Hashable], problem: Problem, matcher: Matcher
) -> list[bool]:
    """Labels of answers from several completions as one set, in which a repeated right answer counts once."""
    matches = _tried(lambda: matcher.match(answers, problem))
    return [match.correct for match in paid_once(matches, forms, problem)]


def common_forms(answers: Sequence[str], problem: Problem, matcher: Matcher) -> list[Hashable]:
    """The keys of answers from several completions, compared at once. Equal keys mean the same answer."""
    return _tried(lambda: same_keys(matcher, answers, problem))


def evidence_of_set(matches: Sequence[Match], problem: Problem) -> dict[str, Any]:
    """What a set value needs besides labels: the number of golds or, for programs, the number of tests and which ones
    passed."""
    if problem.golds is not None:
        return {"n_golds": len(problem.golds)}
    return {"n_golds": len(problem.tests), "passed": [match.passed for match in matches]}


def written_form(form: Hashable, problem: Problem) -> str | None:
    """A form as text, hashed if very long. None for a program that does not parse, which is not an answer."""
    if problem.golds is None and not isinstance(form, str):
        return None
    text = form if isinstance(form, str) else repr(form)
    if len(text) <= LONGEST_FORM:
        return text
    from hashlib import blake2b  # imported here because loading it takes longer than scoring ten completions

    return blake2b(text.encode("utf-8", "replace")).hexdigest()[:32]


def _tried(ask: Callable[[], Said]) -> Said:
    """The matcher's result, tried again if its machinery fails."""
    for _ in range(TRIES - 1):
        try:
            return ask()
        except MachineryError:
            continue
    return ask()


def _labelled(sets: Sequence[AskedSet], matcher: Matcher) -> list[Verdict]:
    """Label every set. Sets that the machinery failed on are retried together."""
    verdicts = _attempt(sets, matcher)
    for _ in range(TRIES - 1):
        failed = [i for i, verdict in enumerate(verdicts) if _is_worth_another_try(verdict)]
        if not failed:
            break
        for i, verdict in zip(failed, _attempt([sets[i] for i in failed], matcher), strict=True):
            verdicts[i] = verdict
    return verdicts


def _is_worth_another_try(verdict: Verdict) -> bool:
    return isinstance(verdict, MachineryError) and not isinstance(verdict, BrokenProblem)


def _attempt(sets: Sequence[AskedSet], matcher: Matcher) -> list[Verdict]:
    if isinstance(matcher, BatchMatcher):
        try:
            labels = matcher.match_batch(sets)
        except MachineryError as error:
            return [error] * len(sets)
        return [_with_keys(found, *asked, matcher) for found, asked in zip(labels, sets, strict=True)]
    return [_attempt_one(answers, problem, matcher) for answers, problem in sets]


def _attempt_one(answers: Sequence[str], problem: Problem, matcher: Matcher) -> Verdict:
    try:
        return matcher.match(answers, problem), same_keys(matcher, answers, problem)
    except MachineryError as error:
        return error


def _with_keys(
    found: list[Match] | MachineryError, answers: Sequence[str], problem: Problem, matcher: Matcher
) -> Verdict:
    try:
        return found if isinstance(found, MachineryError) else (found, same_keys(matcher, answers, problem))
    except MachineryError as error:
        return error


def _judged(parsed: AnswerSet, asked: AskedSet, verdict: Verdict, objective: Objective) -> Score:
    if isinstance(verdict, MachineryError):
        return _unjudged(parsed, verdict)
    return _scored(parsed, asked, *verdict, objective)


def _unjudged(parsed: AnswerSet | Malformed, error: MachineryError) -> Score:
    read = parsed if isinstance(parsed, AnswerSet) else None
    return Score(
        reward=None,
        answers=read.answers if read else [],
        confidences=read.confidences if read else [],
        error=f"{type(error).__name__}: {error}",
        broken_problem=isinstance(error, BrokenProblem),
    )


def _scored(
    parsed: AnswerSet, asked: AskedSet, matches: list[Match], forms: list[Hashable], objective: Objective
) -> Score:
    answers, problem = asked
    confidences = parsed.confidences
    distinct = len(set(forms))
    if distinct < len(forms):
        matches = paid_once(matches, forms, problem)
    labels = [match.correct for match in matches]
    if parsed.repairs:
        earned = nothing(objective, Rule.FORMAT)
    else:
        lowercase = objective.preset.uniqueness == "lowercase"
        paid_as_distinct = len({answer.strip().lower() for answer in answers}) if lowercase else distinct
        stated: Any = confidences if objective.confidences else ()  # strictly valid, so none is missing
        judged = JudgedSet(labels, stated, paid_as_distinct, objective, parsed)
        if objective.preset.set_value == "vpo":
            judged = judged._replace(**evidence_of_set(matches, problem))
        earned = reward(judged)
    return Score(
        reward=earned.total,
        terms=earned.terms,
        answers=answers,
        labels=labels,
        confidences=confidences,
        matches=matches,
        forms=forms,
        distinct=distinct,
        repairs=parsed.repairs,
        violated=earned.violated,
        parsed=parsed,
    )


def _malformed(parsed: Malformed, objective: Objective) -> Score:
    earned = nothing(objective, Rule.FORMAT)
    return Score(reward=0.0, terms=earned.terms, malformed=parsed, violated=earned.violated)


def _check_pair(text: str, problem: Problem, objective: Objective) -> None:
    if not isinstance(text, str):
        raise InputError("a completion must be a string", value=text, place=f"problem {problem.id}")
    if objective.regime is Regime.EXCLUSIVE and problem.golds is not None and len(problem.golds) > 1:
        raise InputError(
            "in the exclusive regime a problem has one gold",
            value=len(problem.golds),
            place=f"problem {problem.id}",
            remedy="use regime inclusive, or make other names of one answer its aliases",
        )
