"""A made-up clinic: conditions with priors, findings with known probabilities, and exact beliefs.

A patient has one condition, drawn from the priors, and a full chart: every finding is present or absent, drawn
independently given the condition (naive Bayes). The question shows each finding with probability `seen` and withholds
the rest, so the truth can be estimated but not known.

The regime defines what counts as right. Exclusive: the patient's own condition. Inclusive: the differential, which is
every condition whose posterior given the full chart reaches `threshold`; since part of the chart is withheld, that too
is uncertain. `belief` gives the exact probability that each condition is right.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import shake_128
from itertools import product

import numpy as np
from numpy.typing import NDArray

from setwise.errors import InputError
from setwise.objectives import Regime
from setwise.questions import Question

# fmt: off
CONDITION_NAMES = (
    "arvine", "belor", "cressa", "dulmin", "estral", "fornel", "gavelle", "hesper", "ilvane", "jorrin", "kestia",
    "lumora", "mirvex", "nolane", "ostrel", "pirova", "quenna", "rastel", "selvic", "torvane", "ulmera", "vorsel",
    "wendra", "xalvin", "yorrel", "zephia", "brintal", "corvane", "drelis", "falmora",
)
FINDING_NAMES = (
    "fever", "cough", "rash", "chills", "nausea", "fatigue", "swelling", "dizziness", "itching", "wheezing",
    "cramps", "bruising", "pallor", "thirst", "tremor", "sneezing", "numbness", "blurring", "sweating", "stiffness",
)
# fmt: on
MOST_HIDDEN_CHARTS = 1 << 14
NO, YES, HIDDEN = 0, 1, 2

Floats = NDArray[np.float64]
States = NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class World:
    """Everything that is true of one clinic."""

    conditions: tuple[str, ...]
    findings: tuple[str, ...]
    priors: Floats
    """P(condition), summing to 1."""
    likelihoods: Floats
    """P(finding present | condition), with one row per condition and one column per finding."""
    seen: float
    """Probability that a finding is shown."""
    regime: Regime
    threshold: float
    """Posterior given the full chart at which a condition belongs to the differential (inclusive)."""

    def posterior(self, question: Question) -> dict[str, float]:
        """P(condition | what the question shows), by condition."""
        return self._named(self.posterior_given(self.states(question.text)))

    def belief(self, question: Question) -> dict[str, float]:
        """P(condition is a right answer | what the question shows): the answer of the best possible model."""
        return self._named(self.belief_given(self.states(question.text)))

    def posterior_given(self, states: States) -> Floats:
        """The posterior for findings that are NO, YES or HIDDEN. Rows of states give rows."""
        joint = self.joint(states)
        return joint / joint.sum(axis=-1, keepdims=True)

    def belief_given(self, states: States) -> Floats:
        """The belief for such findings."""
        if self.regime is Regime.EXCLUSIVE:
            return self.posterior_given(states)
        unique, places = np.unique(np.atleast_2d(states), axis=0, return_inverse=True)
        rows = np.stack([weights @ right for weights, right in map(self._completions, unique)])
        return rows[places.reshape(np.shape(states)[:-1])]

    def differential(self, charts: States) -> NDArray[np.bool_]:
        """The conditions that a doctor with the full chart keeps. The likeliest one always belongs."""
        posterior = self.posterior_given(charts)
        return (posterior >= self.threshold) | (posterior == posterior.max(axis=-1, keepdims=True))

    def any_right(self, states: States, chosen: States) -> float:
        """P(at least one of the chosen conditions is right | what one question shows)."""
        if self.regime is Regime.EXCLUSIVE:
            return float(self.posterior_given(states)[chosen].sum())
        weights, right = self._completions(states)
        return float(weights @ right[:, chosen].any(axis=1))

    def draw(self, uniforms: Floats) -> tuple[States, States, States]:
        """Conditions, full charts and what is shown of them. Each patient takes `numbers_a_patient` uniforms."""
        conditions = np.searchsorted(np.cumsum(self.priors)[:-1], uniforms[:, 0], side="right")
        has, shows = np.split(uniforms[:, 1:], 2, axis=1)
        charts = np.where(has < self.likelihoods[conditions], YES, NO)
        return conditions, charts, np.where(shows < self.seen, charts, HIDDEN)

    @property
    def numbers_a_patient(self) -> int:
        return 1 + 2 * len(self.findings)

    def joint(self, states: States) -> Floats:
        """P(condition and what is shown)."""
        states = np.asarray(states)
        tables = self._log_tables
        log_likelihood = sum(tables[finding][:, states[..., finding]] for finding in range(len(self.findings)))
        return self.priors * np.exp(np.moveaxis(np.asarray(log_likelihood), 0, -1))

    def question(self, states: States) -> str:
        """The shown findings as text, with a space around every word.

        >>> make_world(conditions=2, findings=2).question(np.array([1, 0]))
        'patient : fever yes ; cough no'
        """
        shown = [
            f"{name} {'yes' if state == YES else 'no'}"
            for name, state in zip(self.findings, states, strict=True)
            if state != HIDDEN
        ]
        return "patient : " + (" ; ".join(shown) or "nothing known")

    def states(self, question: str) -> NDArray[np.int64]:
        """What a question shows; the inverse of `question`."""
        shown = dict(part.split() for part in question.removeprefix("patient : ").split(" ; "))
        codes = {"yes": YES, "no": NO}
        return np.array([codes.get(shown.get(name, ""), HIDDEN) for name in self.findings])

    @cached_property
    def _log_tables(self) -> Floats:
        """log P(state | condition) with axes finding, condition, state. A hidden finding carries no information."""
        present = self.likelihoods.T
        return np.log(np.stack([1 - present, present, np.ones_like(present)], axis=-1))

    def _named(self, values: Floats) -> dict[str, float]:
        return dict(zip(self.conditions, values.tolist(), strict=True))

    def _completions(self, states: States) -> tuple[Floats, NDArray[np.bool_]]:
        """Every full chart that the question allows: its probability, and its differential."""
        hidden = np.flatnonzero(states == HIDDEN)
        if 2 ** len(hidden) > MOST_HIDDEN_CHARTS:
            raise InputError("the inclusive clinic can hide at most 14 findings", value=len(hidden))
        charts = np.repeat(np.asarray(states)[None, :], 2 ** len(hidden), axis=0)
        charts[:, hidden] = all_charts(len(hidden))
        weights = self.joint(charts).sum(axis=-1)
        return weights / weights.sum(), self.differential(charts)


def make_world(
    seed: int = 0,
    *,
    conditions: int = 10,
    findings: int = 10,
    seen: float = 0.5,
    regime: Regime = Regime.EXCLUSIVE,
    threshold: float = 0.05,
) -> World:
    """A clinic from a seed: equal priors, with each finding typical of about half of the conditions."""
    numbers = stable_uniforms(2 * conditions * findings, "clinic", seed, conditions, findings)
    is_typical, spread = numbers.reshape(2, conditions, findings)
    likelihoods = np.where(is_typical < 0.5, 0.7 + 0.25 * spread, 0.05 + 0.25 * spread).round(2)
    return World(
        conditions=CONDITION_NAMES[:conditions],
        findings=FINDING_NAMES[:findings],
        priors=np.full(conditions, 1 / conditions),
        likelihoods=likelihoods,
        seen=seen,
        regime=regime,
        threshold=threshold,
    )


@lru_cache(maxsize=32)
def all_charts(findings: int) -> States:
    """Every full chart, one per row."""
    return np.array(list(product((NO, YES), repeat=findings)), dtype=np.int64).reshape(2**findings, findings)


def stable_uniforms(count: int, *parts: object) -> Floats:
    """Numbers in [0, 1) that depend only on the parts, not on numpy's generators, which may change.

    >>> bool(np.all(stable_uniforms(3, "clinic", 0) == stable_uniforms(4, "clinic", 0)[:3]))
    True
    """
    digest = shake_128("\0".join(map(str, parts)).encode()).digest(8 * count)
    bits = np.frombuffer(digest, dtype="<u8") >> np.uint64(11)
    return bits.astype(np.float64) * 2.0**-53
