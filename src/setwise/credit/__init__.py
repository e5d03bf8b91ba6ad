"""Scored completions -> what each of their tokens is paid. Training and adapters share it.

decoder   token ids of completions back to text
tokens    the position of each sampled token in the text, without encoding anything again
parts     which part of a completion a token writes
numbers   what a confidence would be with another of its tokens
spread    the credit of a group's parts, token by token
"""

from setwise.credit.decoder import CompletionDecoder, SampledCompletion
from setwise.credit.numbers import NumberTokens
from setwise.credit.spread import CREDITS, TokenCredit, TokenCrediting, credit_named
from setwise.credit.tokens import TokenText

__all__ = [
    "CREDITS",
    "CompletionDecoder",
    "NumberTokens",
    "SampledCompletion",
    "TokenCredit",
    "TokenCrediting",
    "TokenText",
    "credit_named",
]
