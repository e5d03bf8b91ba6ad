"""What makes two spellings one answer."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.matching import normalize
from setwise.matching.folding import _stream_safe
from tests.parsing.hostile import PIECES

MEANINGFUL = "+-#*/:.,%^_<>=!$€~|()' \t\u2212\u2013²⁵⁻⁺₂½≠→·ab12exthe\u0301\u0338\u200b\u3164İßﬁ㎡㎧가가"
INVISIBLE = [
    "\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e", "\ufe0f", "\ufe00", "\U000e0100", "\u034f", "\u115f",
    "\u1160", "\u3164", "\uffa0", "\u180b", "\u180e", "\u180f", "\u17b4", "\u17b5", "\u2800", "\ue000", "\U000f0000",
    "\u0378", "\ud800", "\udfff", "\U000e0041", "\uffff",
]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Pneumonia", "the  PNEUMONIA."),
        ("Guillain-Barré syndrome", "guillain barre\u0301 syndrome"),
        ("ﬁbromyalgia", "Fibromyalgia"),
        ("STRASSE", "straße"),
        ("COVID-19", "covid 19"),
        ("Pneumonia\u200b", "Pneumonia"),
        ("Pneu\u00admonia", "Pneumonia"),
        ("snake_case", "snake case"),
        ("3.", "3"),
        ("\u22125", "-5"),
        ("An acute laryngitis", "acute laryngitis"),
        ("“Gout”", "gout"),
        ("½", "1⁄2"),
        ("-\u200b5", "-5"),
        ("C\u200b++", "C++"),
        ("1,000", "1000"),
        ("-1,234,567.5", "-1234567.5"),
        ("U.S.", "US"),
        ("u.s.a", "USA"),
        ("e.g.", "eg"),
        ("J.K.Rowling", "J. K. Rowling"),
        ("<5", "< 5"),
        ("＜５", "< 5"),
        ("x\u2260 2", "x =\u0338 2"),
        ("3½", "3 1/2"),
        ("m²", "㎡"),
        ("HCO₃⁻", "HCO3-"),
        ("HER2- cancer", "(HER2-) cancer"),
        ("x = \u2212 5", "x=-5"),
        (".5", "0.5"),
        ("`gout`", "**Gout**"),
    ],
)
def test_these_are_the_same(one: str, other: str):
    assert normalize(one) == normalize(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5", "-5"),
        ("0.5", "5"),
        (".5", "5"),
        ("3.14", "314"),
        ("1e-5", "1e+5"),
        ("1e-5", "1e5"),
        ("C", "C++"),
        ("C", "C#"),
        ("C++", "C#"),
        ("C++11", "C11"),
        ("HER2+", "HER2"),
        ("Hepatitis A", "Hepatitis"),
        ("Hepatitis A", "Hepatitis B"),
        ("the", "a"),
        ("->", "<-"),
        ("< 5", "> 5"),
        ("= 5", "5"),
        ("p < 0.05", "p > 0.05"),
        ("x+y", "x-y"),
        ("x = 2", "x ≠ 2"),
        ("x = 2", "x != 2"),
        ("↑ BP", "↓ BP"),
        ("$5", "€5"),
        ("HER2-", "HER2"),
        ("HER2-", "HER2+"),
        ("A-", "A"),
        ("10⁵", "105"),
        ("10⁻⁵", "10⁵"),
        ("x²3", "x²³"),
        ("3½", "31/2"),
        ("1/2", "1 2"),
        ("1/2", "12"),
        ("12:30", "1230"),
        ("2*3", "23"),
        ("1,2", "12"),
        ("1,0000", "10000"),
        ("50%", "50"),
        ("50%", "50‰"),
        ("a + b", "b"),
        ("1010₂", "10102"),
        ("x = - 5", "x = 5"),
        ("x < -5", "x ← 5"),
        ("हिन्दी", "हन्द"),
    ],
)
def test_these_are_different(one: str, other: str):
    assert normalize(one) != normalize(other)


def test_three_comparisons_with_one_number_are_three_answers():
    assert len({normalize(text) for text in ("< 5", "> 5", "= 5")}) == 3


@given(st.text() | st.text(alphabet=MEANINGFUL) | st.lists(st.sampled_from(PIECES)).map("".join))
def test_the_normal_form_is_its_own_normal_form(text: str):
    assert normalize(normalize(text)) == normalize(text)


@given(st.text(alphabet=MEANINGFUL))
def test_no_normal_form_looks_like_two_names_of_one_answer(text: str):
    """Keys join the names of golds with a slash and number doubled ones."""
    assert " / " not in normalize(text)
    assert " #" not in normalize(text)


@pytest.mark.parametrize("invisible", INVISIBLE)
def test_what_cannot_be_seen_makes_no_answer_new(invisible: str):
    for text in ("Gout", "HER2-", "-5", "1,000", "U.S.", "x ≠ 2", "가"):
        for place in range(len(text) + 1):
            assert normalize(text[:place] + invisible + text[place:]) == normalize(text)


@given(st.text(min_size=1))
def test_only_nothing_is_nothing(text: str):
    assert normalize(text) != ""


def test_every_character_that_becomes_a_mark_is_counted_as_one():
    """A long run of marks is cut, as sorting it takes quadratic time; whatever NFKC turns into a mark can make one."""
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if unicodedata.combining(unicodedata.normalize("NFKD", character)[0]):
            assert len(_stream_safe(character * 100)) == 30, hex(code)


@given(st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1))
def test_case_spacing_and_full_stops_do_not_count(word: str):
    assert normalize(f"  {word}. ") == normalize(word)
