"""Whether runs were judged by the same matcher. Otherwise, a difference may come from the matchers."""

from collections.abc import Mapping

from setwise.errors import InputError
from setwise.matching import MATCHERS, NAMES, named, spec_of
from setwise.records.run import RunFolder


def require_judged_alike(runs: Mapping[str, RunFolder]) -> None:
    """Refuse runs with different matchers, and name the command that judges one like the other.

    A run with no matcher on record passes; reports of the comparison point it out.
    """
    known = {name: spec for name, folder in runs.items() if (spec := folder.read_metrics().matcher)}
    model = next((name for name, spec in known.items() if _can_be_given(spec)), None)
    first = model or next(iter(known), "")
    others = [name for name, spec in known.items() if _canonical(spec) != _canonical(known[first])]
    if not others:
        return
    judged = ", ".join(f"{name} by {spec}" for name, spec in known.items())
    remedy = " && ".join(runs[name].rescoring(known[first]) for name in others)
    raise InputError(
        f"only runs that were judged alike can be compared, and these were judged differently ({judged})",
        remedy=remedy if model else "score them again with one --matcher",
    )


def _can_be_given(spec: str) -> bool:
    """Whether `--matcher` accepts it. A matcher made by a program has only a name."""
    return spec.partition(":")[0] in NAMES or ":" in spec or spec in MATCHERS.names()


def _canonical(spec: str) -> str:
    """`fuzzy:90` for `fuzzy`, if 90 is its default."""
    try:
        return (spec_of(named(spec)) or spec) if spec.partition(":")[0] in NAMES else spec
    except InputError:
        return spec
