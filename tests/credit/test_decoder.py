from setwise.credit import CompletionDecoder
from tests.credit.characters import END, Characters, tokens


def test_a_completion_without_its_end_token_has_not_ended():
    sampled = CompletionDecoder(Characters(), [END])([tokens("a"), tokens("b", ended=False), [ord("c"), END, 1]])
    assert [(own.text, own.ended) for own in sampled] == [("a", True), ("b", False), ("c", True)]


def test_think_tags_that_a_tokenizer_calls_special_are_kept():
    class Special(Characters):
        all_special_tokens = ("<think>",)
        all_special_ids = (0x2297,)

    assert CompletionDecoder(Special(), [END]).keeps_special
    assert not CompletionDecoder(Characters(), [END]).keeps_special
