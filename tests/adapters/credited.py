"""A group of completions as token ids, and what `setwise train` pays each of those tokens."""

from collections.abc import Sequence
from typing import Any

from setwise import Objective, Problem, score_batch
from setwise.adapters.credit_rule import CreditRule
from setwise.adapters.ground_truth import Grading, write_ground_truth
from setwise.contract import CUT_OFF
from setwise.credit import CompletionDecoder, TokenCrediting, credit_named
from setwise.matching import exact
from setwise.objectives import RewardPreset
from tests.completions import completion

OBJECTIVE = Objective("rlcr-multi", 2, preset=RewardPreset("sums", sum_rule="always"))
PROBLEM = Problem("1", "Which?", ["Gout", "Sjögren's syndrome"])
RULE = CreditRule("answer", later_gain=0.5)
GRADING = Grading(PROBLEM, OBJECTIVE, exact, RULE)
ROW = write_ground_truth(PROBLEM, OBJECTIVE, exact, RULE)
THOUGHT = "weighing the evidence"
CUT = f"<think>{THOUGHT}"


def group_of(objective: Objective = OBJECTIVE) -> list[str]:
    """Sets that are right, half right, wrong, doubled, oversummed and out of form, and one that ran into its limit."""
    sets = [
        (["Gout", "Sjögren's syndrome"], ["0.7", "0.25"]),
        (["too:", "Gout"], ["0.25", "0.7"]),
        (["Gout", "café"], ["0.7", "0.7"]),
        (["too:", "naïve"], ["0.25", "0.25"]),
        (["Gout", "Gout"], ["0.7", "0.25"]),
    ]
    texts = [completion(objective, said[: objective.k], q[: objective.k], THOUGHT) for said, q in sets]
    return [*texts, texts[0].replace("</think>", ""), texts[0] + " too:", CUT]


def tokens_of(text: str, tokenizer: Any) -> list[int]:
    """As a model would sample it: cut off, or with the token that ends its turn."""
    ids = tokenizer.encode(text, add_special_tokens=False)
    return ids if text == CUT else [*ids, tokenizer.eos_token_id]


def paid_in_training(sampled: Sequence[Sequence[int]], tokenizer: Any, grading: Grading = GRADING) -> list[list[float]]:
    """By the trainer's own decoder."""
    problem, objective, matcher, rule = grading.problem, grading.objective, grading.matcher, grading.credit
    decoder = CompletionDecoder(tokenizer, [tokenizer.eos_token_id])
    completions = decoder(sampled)
    texts = [own.text for own in completions]
    finished = ["stop" if own.ended else CUT_OFF for own in completions]
    scores = score_batch(texts, [problem] * len(texts), objective, matcher=matcher, finish_reasons=finished)
    credit = credit_named(rule.name, objective, rule.later_gain, rule.confidence_score) if rule else None
    assert rule is not None
    assert credit is not None
    crediting = TokenCrediting(objective, credit, decoder.tokens, rule.divide_by_std)
    return [paid.advantages.tolist() for paid in crediting.of_group(scores, problem, completions)]


def tells_tokens_apart(advantages: Sequence[Sequence[float]]) -> bool:
    """Whether the completions are paid differently, and the tokens within one as well."""
    return len({own[0] for own in advantages}) > 2 and any(len(set(own)) > 4 for own in advantages)
