"""Merges the completions of one question into one ranked set, as `setwise calibrate` does.

Answers that the matcher considers the same become one. Its confidence is the mean over all samples, with 0 for samples
without it, so an unreadable sample lowers every confidence. If the model states no confidences, the mean is the share
of samples with the answer: self-consistency (Wang et al., 2023, arXiv:2203.11171) for sets.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

from setwise.answers import AnswerSet
from setwise.matching import Matcher, same_keys
from setwise.metrics.claims import pooled_confidences
from setwise.questions import Problem

_UNJUDGED = Problem("asked", "", ["\ue000"])
"""Matchers compare answers with golds first, and no answer is this private character. One problem serves all questions,
because matchers cache what they compute for a gold set."""

Ranked = Sequence[tuple[str, float | None]]


def merged(sets: Sequence[AnswerSet | None], matcher: Matcher) -> Ranked:
    """The answers with pooled confidences, most confident first; ties keep their order.

    None stands for an unreadable completion. Answers of a single completion have no number if the model states none.
    """
    candidates = [(number, each) for number, read in enumerate(sets) if read for each in read.candidates]
    keys = same_keys(matcher, [each.text for _, each in candidates], _UNJUDGED) if candidates else []
    stated = any(each.confidence is not None for _, each in candidates)
    highest: dict[Hashable, dict[int, float]] = defaultdict(dict)
    spellings: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for key, (number, each) in zip(keys, candidates, strict=True):
        confidence = (each.confidence or 0.0) if stated else 1.0
        highest[key][number] = max(confidence, highest[key].get(number, 0.0))
        spellings[key][each.text] += 1
    names = {key: each.most_common(1)[0][0] for key, each in spellings.items()}
    if len(sets) == 1 and not stated:
        return [(name, None) for name in names.values()]
    pooled = pooled_confidences({key: list(by.values()) for key, by in highest.items()}, len(sets))
    return [(names[key], confidence) for key, confidence in pooled]
