"""`bayes.json`: the scores of the best possible model, if the truth is known."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from setwise.errors import InputError
from setwise.objectives import Regime
from setwise.records.files import read_json, write_json

BAYES = "bayes.json"
_VERSION_1_NAMES = {
    "pass@1": "pass_at_1",
    "brier_top1": "top1/brier",
    "brier_pooled": "pooled/brier",
    "brier_top1_best_constant": "top1/brier_base_rate",
    "brier_pooled_best_constant": "pooled/brier_base_rate",
    "ece_top1": "top1/ece",
    "ece_pooled": "pooled/ece",
    "set_ece": "set/ece",
    "set_confidence": "set/confidence",
}
"""Before version 2 the file had other names and no version; `pass@K` is added by K."""


@dataclass(frozen=True, slots=True)
class BestValue:
    """A number, and how far chance may have moved it (0: exact)."""

    mean: float
    standard_error: float = 0.0


@dataclass(frozen=True, slots=True)
class BestPossible:
    """The best values by metric, for sets of K."""

    regime: Regime
    k: int
    method: str
    """How they were found: exactly, or from this many sampled problems."""
    values: Mapping[str, BestValue]

    def write(self, folder: str | Path) -> Path:
        path = Path(folder) / BAYES
        write_json(path, {**asdict(self), "regime": str(self.regime)})
        return path

    @classmethod
    def read(cls, folder: str | Path, k: int) -> "BestPossible | None":
        """The best values for sets of K in a run folder; None if there are none."""
        path = Path(folder) / BAYES
        if not path.is_file():
            return None
        record = read_json(path)
        values = record.get("values")
        if not isinstance(values, dict):
            raise InputError('"values" must map names to numbers', place=path, value=values)
        if record.get("k", k) != k:
            raise InputError(f'"k" must be the k of the run, {k}', place=path, value=record["k"])
        regime = Regime(record.get("regime", Regime.INCLUSIVE))
        metrics = {**_VERSION_1_NAMES, f"pass@{k}": "pass_at_k"}
        found = {metrics.get(name) or name: _value(each, path) for name, each in values.items()}
        return cls(regime, k, record.get("method", ""), found)


def _value(value: Any, path: Path) -> BestValue:
    mean = value.get("mean") if isinstance(value, dict) else value
    error = value.get("standard_error", 0.0) if isinstance(value, dict) else 0.0
    if isinstance(mean, bool) or not isinstance(mean, int | float):
        raise InputError('a value must be a number or {"mean": number}', place=path, value=value)
    return BestValue(float(mean), float(error))
