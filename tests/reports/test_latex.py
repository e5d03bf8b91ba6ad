"""Names and numbers in LaTeX: shown, not obeyed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.reports.latex import comment, escape


@pytest.mark.parametrize("special", [*"\\{}&%$#_~^|<>"])
def test_every_special_character_is_written_another_way(special: str):
    assert escape(special) != special
    assert escape(f"a{special}b") == f"a{escape(special)}b"


def test_a_command_is_shown_and_not_obeyed():
    assert escape(r"\input{x} 5%") == r"\textbackslash{}input\{x\} 5\%"


@given(st.text())
def test_no_text_leaves_its_cell_or_its_comment(text: str):
    for written in (escape(text), comment(text)):
        assert len(written.splitlines()) <= 1
        written.encode("utf-8")
