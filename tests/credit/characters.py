"""A tokenizer whose tokens are code points."""

from collections.abc import Sequence

END, PADDING = 0, 1


class Characters:
    pad_token_id = PADDING
    all_special_tokens: tuple[str, ...] = ("<end>",)
    all_special_ids: tuple[int, ...] = (END,)

    def batch_decode(self, batch: Sequence[Sequence[int]], skip_special_tokens: bool) -> list[str]:
        return [self.decode(ids, skip_special_tokens) for ids in batch]

    def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> str:
        return "".join(map(chr, ids))


def tokens(text: str, *, ended: bool = True) -> list[int]:
    return [*map(ord, text), *([END] if ended else [])]
