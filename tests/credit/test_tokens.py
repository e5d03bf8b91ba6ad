"""Each sampled token at its place in the text, whatever made the text out of it."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.credit import TokenText
from setwise.credit.tokens import UNFINISHED
from tests.credit.tokenizers import LINES, SHAPES

# A text with the mark of half a character in it cannot be told from half a character, by definition.
TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters=UNFINISHED), max_size=60),
    st.lists(
        st.sampled_from(["<answer1>", "</answer1>", "Gout", " ", "é", "日本", "🩺", "0.7", "</think>", "\n", "ö"]),
        max_size=20,
    ).map("".join),
)


def decoding(tokenizer):
    return TokenText(lambda ids: tokenizer.decode(list(ids), skip_special_tokens=True))


def places_by_definition(tokenizer, ids: list[int], text: str) -> list[int]:
    """How much of the text is settled by the tokens before each."""
    places = []
    for end in range(len(ids)):
        before = tokenizer.decode(ids[:end], skip_special_tokens=True)
        same = next(
            (i for i, (a, b) in enumerate(zip(before, text, strict=False)) if a != b), min(len(before), len(text))
        )
        places.append(max([same, *places[-1:]]))
    return places


@pytest.mark.parametrize("shape", SHAPES)
@given(text=TEXTS)
def test_every_token_of_any_text_stands_where_the_text_before_it_ends(shape, text):
    tokenizer = SHAPES[shape]()
    ids = tokenizer.encode(text, add_special_tokens=False)
    shown = tokenizer.decode(ids, skip_special_tokens=True)
    assert decoding(tokenizer).starts(ids, shown).tolist() == places_by_definition(tokenizer, ids, shown)


@pytest.mark.parametrize("shape", SHAPES)
def test_sampled_ids_that_no_encoder_would_give(shape):
    """A model may write `Go` `ut` where its tokenizer writes `Gout`, and half of a character."""
    tokenizer, chance = SHAPES[shape](), random.Random(0)
    one = decoding(tokenizer)
    for _ in range(300):
        ids = chance.choices(range(len(tokenizer)), k=chance.randrange(1, 25))
        shown = tokenizer.decode(ids, skip_special_tokens=True)
        starts = one.starts(ids, shown).tolist()
        assert starts == sorted(starts)
        assert starts[0] == 0
        assert starts[-1] <= len(shown)
        if "\ufffd" not in shown:
            assert starts == places_by_definition(tokenizer, ids, shown)


def test_the_tokens_of_one_character_stand_where_it_does():
    tokenizer = SHAPES["byte-level"]()
    ids = tokenizer.encode("a🦷b", add_special_tokens=False)
    bytes_of_the_tooth = len(ids) - 2
    assert bytes_of_the_tooth > 1
    assert decoding(tokenizer).starts(ids, "a🦷b").tolist() == [0, *[1] * bytes_of_the_tooth, 2]


def test_common_tokens_are_decoded_once():
    tokenizer, asked = SHAPES["byte-level"](), []
    ids = tokenizer.encode(LINES[0] * 4, add_special_tokens=False)

    def decode(tokens):
        asked.append(len(tokens))
        return tokenizer.decode(list(tokens))

    one = TokenText(decode)
    one.starts(ids, LINES[0] * 4)
    first = len(asked)
    one.starts(ids, LINES[0] * 4)
    assert first <= 1 + 2 * len(set(ids))
    assert len(asked) == first
