"""The blocks of a document that are written from records."""

import pytest

from results.blocks import with_block
from setwise.errors import InputError

BLOCK = "<!-- sums -->\nold\n<!-- end of sums -->\n"


def test_a_block_is_replaced_and_the_rest_stays():
    assert with_block(f"before\n{BLOCK}after\n", "sums", ["new", "rows"]) == (
        "before\n<!-- sums -->\n\nnew\nrows\n\n<!-- end of sums -->\nafter\n"
    )


@pytest.mark.parametrize(("text", "found"), [("", 0), ("<!-- sums -->\nno end", 0), (BLOCK + BLOCK, 2)])
def test_a_block_that_is_missing_or_stands_twice_is_refused(text: str, found: int):
    with pytest.raises(InputError, match=f"sums: {found} times"):
        with_block(text, "sums", ["new"])
