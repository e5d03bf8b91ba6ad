"""Matchers by name: `exact`, `fuzzy:85`, `code:ast_canonical`, or the user's own."""

from collections.abc import Callable

from setwise.errors import InputError
from setwise.matching.exact import exact
from setwise.matching.fuzzy import FuzzyMatcher
from setwise.matching.protocol import Matcher
from setwise.plugins import Registry


def _exact(argument: str) -> Matcher:
    return exact


def _fuzzy(argument: str) -> Matcher:
    try:
        return FuzzyMatcher(float(argument)) if argument else FuzzyMatcher()
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError("a fuzzy threshold is a number", value=argument) from None


def _math(argument: str) -> Matcher:
    from setwise.matching.math import MathMatcher

    return MathMatcher()


def _code(argument: str) -> Matcher:
    from setwise.matching.code import CodeMatcher

    return CodeMatcher(argument) if argument else CodeMatcher()  # pyright: ignore[reportArgumentType]


_OURS: dict[str, Callable[[str], Matcher]] = {"exact": _exact, "fuzzy": _fuzzy, "math": _math, "code": _code}
_WITH_ARGUMENT = ("fuzzy", "code")
NAMES = tuple(_OURS)
MATCHERS: Registry[object] = Registry(object, "a matcher", "setwise.matchers")
"""Matchers of other packages: each a matcher, or a class or function that makes one."""
_specs: dict[int, tuple[Matcher, str]] = {}
"""The name each such matcher was requested by, so that another process can request the same."""


def named(name: str) -> Matcher:
    """A matcher by name, such as `exact` or `fuzzy:85`. A judge has no name, because it needs a model.

    Your own is `module:name`, or the name its package registers.
    """
    kind, colon, argument = name.partition(":")
    if kind in _OURS and (not colon or kind in _WITH_ARGUMENT):
        return _OURS[kind](argument)
    if kind in _OURS or (not colon and name not in MATCHERS.names()):
        known = ", ".join((*NAMES, *MATCHERS.names()))
        rule = f"a matcher is one of {known} (fuzzy takes a threshold: fuzzy:85), or one of your own as module:name"
        raise InputError(rule, value=name)
    found = MATCHERS.find(name)
    matcher = found if isinstance(found, Matcher) and not isinstance(found, type) else _made(found, name)
    _specs[id(matcher)] = (matcher, name)
    return matcher


def spec_of(matcher: Matcher) -> str | None:
    """The name from which `named` makes the same matcher in another process; None if there is none."""
    if id(matcher) in _specs:
        return _specs[id(matcher)][1]
    spec = getattr(matcher, "spec", None)
    return spec if isinstance(spec, str) else None


def _made(factory: object, name: str) -> Matcher:
    made = factory() if callable(factory) else factory
    if not isinstance(made, Matcher):
        rule = "a matcher has a name and match(answers, problem)"
        raise InputError(rule, place=name, value=type(made).__name__)
    return made
