"""Token ids of a completion back to text, and whether it was cut off."""

from collections.abc import Sequence
from typing import Any

from setwise.contract import THINK_CLOSE, THINK_OPEN


class CompletionDecoder:
    """Decodes as an inference server does: the end token is dropped and special tokens are not shown.

    A tokenizer that calls the think tags special would lose them that way, so there they are kept.
    """

    def __init__(self, tokenizer: Any, end_tokens: Sequence[int]) -> None:
        self.tokenizer = tokenizer
        self.end_tokens = frozenset(end_tokens)
        self.keeps_special = bool({THINK_OPEN, THINK_CLOSE} & set(tokenizer.all_special_tokens))

    def __call__(self, completion_ids: Sequence[Sequence[int]]) -> tuple[list[str], list[bool]]:
        shown = [self.shown(ids) for ids in completion_ids]
        kept = [list(ids[:end]) for ids, end in zip(completion_ids, shown, strict=True)]
        truncated = [end == len(ids) for ids, end in zip(completion_ids, shown, strict=True)]
        return self.tokenizer.batch_decode(kept, skip_special_tokens=not self.keeps_special), truncated

    def decode(self, ids: Sequence[int]) -> str:
        """Some tokens as they are shown within a completion."""
        return self.tokenizer.decode(list(ids), skip_special_tokens=not self.keeps_special)

    def shown(self, ids: Sequence[int]) -> int:
        """How many of a completion's tokens come before its end token and the padding."""
        padding = self.tokenizer.pad_token_id
        end = len(ids)
        while end and (ids[end - 1] in self.end_tokens or ids[end - 1] == padding):
            end -= 1
        return end
