"""Mathematics: equal values are right, and several values, other units and other per cents are not."""

import pickle
from collections.abc import Iterator

import pytest

from setwise import Gold, Problem
from setwise.matching.math import MathMatcher
from setwise.matching.quantity import WrittenQuantity, read_quantity
from setwise.matching.units import unit_of
from tests.parsing.hostile import huge

RIGHT = [
    ("1/2", r"\frac{1}{2}"),
    ("1/2", "0.5"),
    ("x + 1", "$1 + x$"),
    ("7", "x = 7"),
    ("7", "2 + 5 = 7"),
    ("7", "The answer is $7$."),
    ("7", r"$\boxed{7}$"),
    ("7", "**7**"),
    ("-5", "\u22125"),
    ("3.5", "3 1/2"),
    ("1000", "1,000"),
    ("1000", r"1\,000"),
    (r"\pi", r"\pi \approx 3.14"),
    ("{1, 2}", "{2, 1}"),
    ("(1, 2)", "(1,2)"),
    ("[1, 2)", "[1,2)"),
    ("x=1 or x=2", "x = 2 or x = 1"),
    ("x=1 or x=2", "$x=1$ or $x=2$"),
    ("7 or 5", "7 or 5"),
    ("3 cm", "3.0cm"),
    ("3 cm", r"$3\text{ centimeters}$"),
    ("5 m^2", "5 square meters"),
    ("10 m/s", "10 meters per second"),
    ("$5", r"\$5.00"),
    ("$5", "5 dollars"),
    ("3", "3 km"),
    ("7%", "7 percent"),
    ("7%", r"$7\%$"),
    ("no solution", "No solution."),
    (r"2\pi r h", r"2 \pi h r"),
]
WRONG = [
    ("7", "7 (or 5)"),
    ("5", "7 (or 5)"),
    ("7", "$1$ ... $7$"),
    ("7", "$1$ or $7$"),
    ("7", r"1 \ldots 7"),
    ("7", "7 or 5"),
    ("7", "7, 5"),
    ("7", "{5, 7}"),
    ("7", "5 = 7"),
    ("7", "x = 5 = 7"),
    ("7", "y = 5x = 7"),
    ("7", r"5 \approx 7"),
    ("5", r"5 \approx 7"),
    ("12", "7 5"),
    ("7", "7 5"),
    ("7", "7\n5"),
    ("7", "5 not 7"),
    ("7", "not 7"),
    ("7", "$5 or $7"),
    ("7", r"\boxed{5} \boxed{7}"),
    ("7", r"5 \boxed{7}"),
    ("7", "7_5"),
    ("2", r"\pm 2"),
    ("7", "700%"),
    ("7", "7%"),
    ("7%", "7"),
    ("0.07", "7%"),
    ("3 cm", "3 km"),
    ("3 cm", "3"),
    ("$5", "\u20ac5"),
    ("7", "7 thousand"),
    ("3", "3m"),
    ("no", "on"),
]


@pytest.fixture(scope="module")
def matcher() -> Iterator[MathMatcher]:
    pytest.importorskip("math_verify")
    with MathMatcher(timeout_seconds=60) as matcher:
        yield matcher


def is_right(matcher: MathMatcher, gold: str, answer: str) -> bool:
    return matcher.match([answer], Problem("1", "?", [gold]))[0].correct


@pytest.mark.parametrize(("gold", "answer"), RIGHT)
def test_equal_values_are_right(matcher: MathMatcher, gold: str, answer: str):
    assert is_right(matcher, gold, answer)


@pytest.mark.parametrize(("gold", "answer"), WRONG)
def test_hedges_and_other_quantities_are_wrong(matcher: MathMatcher, gold: str, answer: str):
    assert not is_right(matcher, gold, answer)


def test_one_gold_is_earned_once_and_aliases_are_the_gold(matcher: MathMatcher):
    problem = Problem("1", "?", [Gold("1/2", ("50%",)), "x + 1"])
    assert [match.gold for match in matcher.match(["0.5", "1 + x", "50 %", "2/4"], problem)] == [0, 1, None, None]


def test_an_endless_expression_is_wrong_and_equal_to_none_and_the_next_gets_a_new_process():
    pytest.importorskip("math_verify")
    problem = Problem("1", "?", ["1/2"])
    with MathMatcher(timeout_seconds=2) as matcher:
        assert not is_right(matcher, "1/2", "10^{10^{10}}")
        assert is_right(matcher, "1/2", "0.50")
        assert matcher.same(["10^{10^{10}}", "3", "6/2"], problem) == ["10^{10^{10}}", "3", "3"]
    assert pickle.loads(pickle.dumps(matcher)).timeout_seconds == 2


def test_a_quantity_is_an_expression_with_its_unit_and_per_cent():
    assert read_quantity("The answer is 3 km.") == WrittenQuantity("3", "km")
    assert read_quantity("700%") == WrittenQuantity("700", percent=True)
    assert read_quantity("-$5") == WrittenQuantity("-5", "$")
    assert read_quantity("x^2 h") == WrittenQuantity("x^2 h"), "a letter behind variables is a variable"


@pytest.mark.parametrize(
    ("one", "other"),
    [("cm", "centimetres"), ("m/s", "meters per second"), ("cm^2", "sq cm"), ("m²", "m^{2}"), ("L", "litres")],
)
def test_a_unit_has_one_name(one: str, other: str):
    assert unit_of(one) == unit_of(other) is not None


@pytest.mark.parametrize("words", ["thousand", "or", "not", "", "apples and pears"])
def test_what_is_no_unit_is_none(words: str):
    assert unit_of(words) is None


def test_a_huge_answer_is_not_read():
    assert {read_quantity(text) for text in huge(100_000).values()} == {None}
