"""THE pipeline: text -> parse -> label -> reward. Training, evaluation and every adapter call it.

Evaluation has no parser of its own and no other idea of "correct".
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from setwise.answers import AnswerSet, Malformed, Reason
from setwise.errors import InputError, MachineryError
from setwise.matching import BatchMatcher, Match, Matcher, exact
from setwise.objectives import Objective, Regime
from setwise.parsing import parse
from setwise.problems import Problem
from setwise.rewards import NOTHING, Broken, reward

TRIES = 3

AskedSet = tuple[Sequence[str], Problem]
Verdict = list[Match] | MachineryError


@dataclass(frozen=True, slots=True)
class Score:
    """What one completion is worth, and why.

    Labels and answers stand even where a rule zeroed the terms; a malformed completion has empty lists.
    """

    reward: float | None
    """The total. None where the machinery failed (`error`), so that an engine leaves the completion out."""
    format: float = 0.0
    correctness: float = 0.0
    calibration: float = 0.0
    answers: list[str] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)
    confidences: list[float | None] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    """The evidence behind each label."""
    distinct: int = 0
    """How many different answers there are."""
    malformed: Malformed | None = None
    repairs: tuple[Reason, ...] = ()
    """What a lenient parse overlooked; a repaired completion carries labels but earns nothing."""
    broken: Broken | None = None
    """The rule that cost it some or all of its reward."""
    error: str | None = None

    @property
    def strictly_valid(self) -> bool:
        return self.malformed is None and not self.repairs and self.error is None


def score(
    text: str,
    problem: Problem,
    objective: Objective,
    *,
    matcher: Matcher = exact,
    strict: bool = True,
    finish_reason: str | None = None,
) -> Score:
    """Score one completion. Raises `MachineryError` where the matcher cannot give a verdict.

    With `strict=False` a repairable completion is labelled too; the reward is the strict one all the same.

    >>> problem = Problem(id="1", question="...", golds=["Pneumonia", "Bronchitis"])
    >>> text = "<think>...</think><answer1>pneumonia</answer1><answer2>Gout</answer2>"
    >>> s = score(text, problem, Objective("rlvr-multi", k=2))
    >>> s.reward, s.labels
    (2.0, [True, False])
    """
    _check_pair(text, problem, objective)
    parsed = parse(text, objective, strict=strict, finish_reason=finish_reason)
    if isinstance(parsed, Malformed):
        return _malformed(parsed)
    return _scored(parsed, matcher.match(parsed.answers, problem), matcher, objective)


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

    A set the machinery could not judge is tried again, and is then a Score with `.error` and reward None.
    """
    reasons = [None] * len(texts) if finish_reasons is None else finish_reasons
    if not len(texts) == len(problems) == len(reasons):
        raise InputError("texts, problems and finish reasons must be equally many", value=[len(texts), len(problems)])
    for text, problem in zip(texts, problems, strict=True):
        _check_pair(text, problem, objective)
    parsed = [parse(text, objective, strict=strict, finish_reason=r) for text, r in zip(texts, reasons, strict=True)]
    asked = [(p.answers, problem) for p, problem in zip(parsed, problems, strict=True) if isinstance(p, AnswerSet)]
    verdicts = iter(_labelled(asked, matcher))
    return [
        _malformed(result) if isinstance(result, Malformed) else _judged(result, next(verdicts), matcher, objective)
        for result in parsed
    ]


def _labelled(sets: Sequence[AskedSet], matcher: Matcher) -> list[Verdict]:
    """Label every set; those the machinery failed on are tried again, together."""
    verdicts = _attempt(sets, matcher)
    for _ in range(TRIES - 1):
        failed = [i for i, verdict in enumerate(verdicts) if isinstance(verdict, MachineryError)]
        if not failed:
            break
        for i, verdict in zip(failed, _attempt([sets[i] for i in failed], matcher), strict=True):
            verdicts[i] = verdict
    return verdicts


def _attempt(sets: Sequence[AskedSet], matcher: Matcher) -> list[Verdict]:
    if isinstance(matcher, BatchMatcher):
        try:
            return matcher.match_batch(sets)
        except MachineryError as error:
            return [error] * len(sets)
    return [_attempt_one(answers, problem, matcher) for answers, problem in sets]


def _attempt_one(answers: Sequence[str], problem: Problem, matcher: Matcher) -> Verdict:
    try:
        return matcher.match(answers, problem)
    except MachineryError as error:
        return error


def _judged(parsed: AnswerSet, verdict: Verdict, matcher: Matcher, objective: Objective) -> Score:
    if isinstance(verdict, MachineryError):
        message = f"{type(verdict).__name__}: {verdict}"
        return Score(None, answers=parsed.answers, confidences=parsed.confidences, error=message)
    return _scored(parsed, verdict, matcher, objective)


def _scored(parsed: AnswerSet, matches: list[Match], matcher: Matcher, objective: Objective) -> Score:
    answers, confidences = parsed.answers, parsed.confidences
    labels = [match.correct for match in matches]
    distinct = len(set(matcher.forms(answers)))
    if objective.preset.uniqueness == "lowercase":
        paid_as_distinct = len({answer.strip().lower() for answer in answers})
    else:
        paid_as_distinct = distinct
    earned = NOTHING if parsed.repairs else reward(labels, _given(confidences), paid_as_distinct, objective)
    return Score(
        earned.total,
        earned.format,
        earned.correctness,
        earned.calibration,
        answers,
        labels,
        confidences,
        matches,
        distinct,
        None,
        parsed.repairs,
        earned.broken,
    )


def _given(confidences: list[float | None]) -> list[float]:
    return [confidence for confidence in confidences if confidence is not None]


def _malformed(parsed: Malformed) -> Score:
    return Score(0.0, malformed=parsed, broken=Broken.FORMAT)


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
