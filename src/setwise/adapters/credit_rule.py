"""How the tokens of a completion share its reward, as stored in a row: the recipe's setting, for a process without a
recipe."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from setwise.errors import InputError
from setwise.settings import ConfidenceScore


@dataclass(frozen=True, slots=True)
class CreditRule:
    """`optimisation.credit` of a recipe, if it is not `completion`, and its parameters."""

    name: str
    later_gain: float = 0.25
    divide_by_std: bool = False
    confidence_score: ConfidenceScore = "brier"

    def to_record(self) -> dict[str, Any]:
        return asdict(self)


def credit_from_record(record: Mapping[str, Any]) -> CreditRule | None:
    """A rule as `to_record` wrote it; None if there was none.

    >>> credit_from_record({"name": "answer", "later_gain": 0.5})
    CreditRule(name='answer', later_gain=0.5, divide_by_std=False, confidence_score='brier')
    """
    if not record:
        return None
    known = [field.name for field in fields(CreditRule)]
    if "name" not in record or set(record) - set(known):
        raise InputError(f"a credit has a name and no more than {', '.join(known)}", value=dict(record))
    return CreditRule(**record)
