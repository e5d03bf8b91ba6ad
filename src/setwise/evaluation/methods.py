"""The methods of the paper, and a few more, by name."""

from setwise.errors import InputError
from setwise.objectives import OBJECTIVES, PAPER_K, objective_name
from setwise.plugins import suggestion
from setwise.records.attempt import Construction
from setwise.records.method import Confidence, Method

VOTES = 10

VERBALISED_SAMPLING_PROMPT = """\
Think of everything that could be a right answer to the question, and of how probable each one is. Do not give only the
answer you like best: draw {K} different answers from that whole distribution, the unlikely ones included, and state
for each the probability that it is right.

First reason inside the think tags. Then write the {K} answers with their probabilities. {SUM_RULE}Write exactly this,
and nothing outside of the tags:

{FORMAT}
"""


def _of_the_paper(*, confidences: bool) -> list[Method]:
    """The four rows of one block in the paper's tables."""
    single, multi = (objective_name(multi=multi, confidences=confidences) for multi in (False, True))
    family = single.partition("-")[0]
    confidence: Confidence = "written" if confidences else "none"
    asked: Confidence = "prompt" if confidences else "none"
    return [
        Method(single, False, single, Construction.SAMPLED, confidence, samples=PAPER_K),
        Method(f"{single}-prompted-multi", True, single, confidence=confidence),
        Method(f"{family}-zero-shot", True, confidence=asked),
        Method(multi, True, multi, confidence=confidence),
    ]


_RLVR, _RLCR = _of_the_paper(confidences=False), _of_the_paper(confidences=True)

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        *_RLVR,
        *_RLCR,
        *(each.asking(how) for each in (_RLVR[0], _RLVR[3]) for how in ("prompt", "continue")),
        Method("base-rlvr-single", False, construction=Construction.SAMPLED, samples=PAPER_K),
        Method("base-rlcr-single", False, "base", Construction.SAMPLED, "prompt", samples=PAPER_K),
        Method("verbalised-sampling", True, confidence="prompt", prompt=VERBALISED_SAMPLING_PROMPT),
        Method("self-consistency", False, "base", Construction.VOTED, samples=VOTES),
    )
}
assert set(OBJECTIVES) <= METHODS.keys(), "each objective is a method too"


def named_method(name: str) -> Method:
    """A method by name.

    >>> named_method("rlvr-single").samples, named_method("rlcr-multi").sized(k=5).k
    (3, 5)
    """
    if name not in METHODS:
        remedy = suggestion(name, METHODS)
        raise InputError(f"a method is one of {', '.join(METHODS)}", value=name, remedy=remedy)
    return METHODS[name]
