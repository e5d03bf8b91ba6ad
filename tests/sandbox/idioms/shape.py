"""What an idiom is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Idiom:
    """A way to write a test: a program that it holds for in plain Python, and one that it does not hold for."""

    program: str
    tests: tuple[str, ...]
    wrong: str = ""
    """Empty where every program that defines the names passes."""
    setup: str = ""


def idiom(program: str, *tests: str, wrong: str = "", setup: str = "") -> Idiom:
    return Idiom(program, tests, wrong, setup)
