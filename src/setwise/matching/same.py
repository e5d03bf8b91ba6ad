"""Which answers are the same: one key per answer; equal keys are one answer.

The keys follow from what is right. Two answers that can earn the same golds are one, however they are spelt. Other
answers are one if the matcher considers them equal. Keys are readable, since they are stored and shown in reports.
"""

from collections.abc import Callable, Hashable, Sequence

from setwise.answers import Match
from setwise.matching.normalize import normalize
from setwise.matching.protocol import Matcher
from setwise.questions import Gold, Problem

WRONG = Match(correct=False)


def same_keys(matcher: Matcher, answers: Sequence[str], problem: Problem) -> list[Hashable]:
    """One key per answer, from `matcher.same` if there is one.

    A matcher without it is asked about each answer alone. Answers that earn the same gold are the same; the others
    differ by normal form.
    """
    same = getattr(matcher, "same", None)
    if same is not None:
        return same(answers, problem)
    keys = {answer: _key_alone(matcher, answer, problem) for answer in dict.fromkeys(answers)}
    return [keys[answer] for answer in answers]


def _key_alone(matcher: Matcher, answer: str, problem: Problem) -> str:
    [match] = matcher.match([answer], problem)
    if not match.correct or match.gold is None or problem.golds is None:
        return normalize(answer)
    return key_of_golds(problem.golds, (match.gold,))


def key_of_golds(golds: tuple[Gold, ...], numbers: Sequence[int], written: Callable[[str], str] = normalize) -> str:
    """The key of an answer that can earn these golds: their names, joined by a mark that no normal form contains.

    >>> key_of_golds((Gold("Influenza A", ("flu",)), Gold("Gout"), Gold("Influenza B", ("flu",))), (2, 0))
    'influenza a / influenza b'
    """
    return " / ".join(_name([written(gold.text) for gold in golds], number) for number in sorted(numbers))


def _name(names: list[str], number: int) -> str:
    """A gold's name, with its number if an earlier gold has the same name."""
    name = names[number]
    doubled = name in names[:number]
    return f"{name} #{number + 1}" if doubled else name


def each_once(edges: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """The golds that each answer can earn, where a repeated answer earns nothing more.

    >>> each_once([(0, 1), (1,), (1, 0), ()])
    [(0, 1), (1,), (), ()]
    """
    seen: set[frozenset[int]] = set()
    once: list[Sequence[int]] = []
    for golds in edges:
        able = frozenset(golds)
        once.append(() if able in seen else golds)
        seen.add(able)
    return once


def each_form_once(forms: Sequence[Hashable], correct: Sequence[bool]) -> list[bool]:
    """The labels, with each right answer counted once.

    >>> each_form_once(["a", "b", "a"], [True, False, True])
    [True, False, False]
    """
    seen: set[Hashable] = set()
    credited = []
    for form, right in zip(forms, correct, strict=True):
        credited.append(right and form not in seen)
        if right:
            seen.add(form)
    return credited


def paid_once(matches: list[Match], keys: Sequence[Hashable], problem: Problem) -> list[Match]:
    """The labels, with a second right answer of the same key counted as wrong, whatever the matcher decided.

    Programs are exempt: they have no golds that a repeat could earn.
    """
    if problem.golds is None or len(set(keys)) == len(keys):
        return matches
    paid = each_form_once(keys, [match.correct for match in matches])
    return [match if match.correct == right else WRONG for match, right in zip(matches, paid, strict=True)]
