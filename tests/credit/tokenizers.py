"""Small tokenizers of the shapes that real models have, trained on a few lines."""

from functools import cache
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

LINES = [
    "<think>weighing the evidence</think><answer1>Gout</answer1><confidence1>0.7</confidence1>",
    "<answer2>Sjögren's syndrome</answer2><confidence2>0.25</confidence2> Guillain-Barré, naïve café",
    "日本語の答え 🩺 is an answer, too: α-synuclein ≥ 5 µg",
]
END = "<|end|>"


@cache
def byte_level() -> Any:
    """As GPT-2, Llama 3 and Qwen have it: every byte is a token, common runs of bytes are others."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(LINES * 3, trainers.BpeTrainer(vocab_size=420, initial_alphabet=alphabet))
    return _wrapped(tokenizer)


@cache
def sentencepiece() -> Any:
    """As Llama 2, Mistral and Gemma have it: a word begins with a mark for the blank, rare characters are bytes."""
    tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    parts = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    tokenizer.decoder = decoders.Sequence(parts)
    every_byte = [AddedToken(f"<0x{byte:02X}>", normalized=False) for byte in range(256)]
    special = ["<unk>", *(str(each.content) for each in every_byte)]
    trained = trainers.BpeTrainer(vocab_size=600, special_tokens=special, limit_alphabet=60)
    tokenizer.train_from_iterator(LINES[:2] * 3, trained)
    rebuilt = _with_plain_bytes(tokenizer)
    return _wrapped(rebuilt)


@cache
def words() -> Any:
    """As BERT and the demo have it: a token a word, joined by blanks that no token holds."""
    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split(Regex(r"</?[a-z0-9]+>"), "isolated")]
    )
    tokenizer.train_from_iterator(LINES, trainers.WordLevelTrainer(special_tokens=["[UNK]"]))
    return _wrapped(tokenizer)


def _with_plain_bytes(tokenizer: Tokenizer) -> Tokenizer:
    """The byte tokens as members of the vocabulary and no more: special ones would not be decoded."""
    import json

    config = json.loads(tokenizer.to_str())
    config["added_tokens"] = []
    return Tokenizer.from_str(json.dumps(config))


def _wrapped(tokenizer: Tokenizer) -> Any:
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, clean_up_tokenization_spaces=False)
    fast.add_special_tokens({"eos_token": END, "pad_token": END})
    return fast


SHAPES = {"byte-level": byte_level, "sentencepiece": sentencepiece, "words": words}
