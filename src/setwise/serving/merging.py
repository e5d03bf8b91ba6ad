"""The completions of one question -> one ranked set, joined as `setwise calibrate` joins them.

Answers that the matcher calls the same are one. Its confidence is the mean over all samples, 0 in a sample that does
not hold it; so a sample that cannot be read lowers every confidence. Where the model states no confidences, the mean is
the share of samples that hold the answer: self-consistency (Wang et al., 2023, arXiv:2203.11171) for sets.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

from setwise.answers import AnswerSet
from setwise.matching import Matcher, same_keys
from setwise.metrics.claims import pooled_confidences
from setwise.questions import Problem

_UNJUDGED = Problem("asked", "", ["\ue000"])
"""Matchers compare answers with golds first, and no answer is this private character. One for all questions: matchers
keep what they work out for a gold set."""

Ranked = Sequence[tuple[str, float | None]]


def merged(sets: Sequence[AnswerSet | None], matcher: Matcher) -> Ranked:
    """The answers with pooled confidences, the most confident first and equals as written.

    None stands for a completion that cannot be read. The answers of one completion alone have no number where the
    model states none.
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
