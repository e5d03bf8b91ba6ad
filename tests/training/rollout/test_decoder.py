from setwise.training.rollout.decoder import CompletionDecoder
from tests.training.rollout.characters import END, Characters, tokens


def test_a_completion_without_its_end_is_truncated():
    texts, truncated = CompletionDecoder(Characters(), [END])(
        [tokens("a"), tokens("b", ended=False), [ord("c"), END, 1]]
    )
    assert (texts, truncated) == (["a", "b", "c"], [False, True, False])


def test_think_tags_that_a_tokenizer_calls_special_are_kept():
    class Special(Characters):
        all_special_tokens = ("<think>",)

    assert CompletionDecoder(Special(), [END]).keeps_special
    assert not CompletionDecoder(Characters(), [END]).keeps_special
