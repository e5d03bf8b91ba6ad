"""What makes two spellings one answer."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.matching import normalize
from setwise.matching.normalize import _stream_safe


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
        ("हिन्दी", "हन्द"),
    ],
)
def test_these_are_different(one: str, other: str):
    assert normalize(one) != normalize(other)


@given(st.text())
def test_the_normal_form_is_its_own_normal_form(text: str):
    assert normalize(normalize(text)) == normalize(text)


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
