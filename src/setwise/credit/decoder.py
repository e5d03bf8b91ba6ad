"""Decodes token ids of completions to text, as an inference server shows it."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from setwise.contract import THINK_CLOSE, THINK_OPEN
from setwise.credit.tokens import TokenText


class SampledCompletion(NamedTuple):
    ids: Sequence[int]
    text: str
    shown: int
    """How many of its tokens make up the text, without the end token and padding."""

    @property
    def ended(self) -> bool:
        """Whether it reached its end token."""
        return self.shown < len(self.ids)


class CompletionDecoder:
    """Drops the end token and hides special tokens.

    A tokenizer that treats the think tags as special would lose them, so those are kept.
    """

    def __init__(self, tokenizer: Any, end_tokens: Iterable[int] | None = None) -> None:
        """If no `end_tokens` are given, any special token except a think tag ends a completion."""
        special = dict(zip(tokenizer.all_special_tokens, tokenizer.all_special_ids, strict=True))
        thinking = {THINK_OPEN, THINK_CLOSE} & set(special)
        ends = [number for token, number in special.items() if token not in thinking]
        self.tokenizer = tokenizer
        self.keeps_special = bool(thinking)
        self.tokens = TokenText(self.decode)
        self._unseen = {*(ends if end_tokens is None else end_tokens), tokenizer.pad_token_id}

    def __call__(self, completions: Iterable[Sequence[int]]) -> list[SampledCompletion]:
        sampled = [(ids, self._shown(ids)) for ids in completions]
        texts = self.tokenizer.batch_decode(
            [list(ids[:shown]) for ids, shown in sampled], skip_special_tokens=not self.keeps_special
        )
        return [SampledCompletion(ids, text, shown) for (ids, shown), text in zip(sampled, texts, strict=True)]

    def decode(self, ids: Sequence[int]) -> str:
        """Some tokens, as shown within a completion."""
        return self.tokenizer.decode(list(ids), skip_special_tokens=not self.keeps_special)

    def _shown(self, ids: Sequence[int]) -> int:
        end = len(ids)
        while end and ids[end - 1] in self._unseen:
            end -= 1
        return end
