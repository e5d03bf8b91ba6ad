"""Describes how well this machine can isolate a program."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TIERS = {
    "A": "own namespaces and a private read-only root, Landlock, seccomp allow-list, limits",
    "B": "Landlock, seccomp allow-list, limits",
    "C": "seccomp allow-list that opens no file, limits",
    "D": "limits only",
}
_COSTS = {
    "B": "a program sees the machine's own process ids and file names, though it can open, signal and start nothing",
    "C": "a program sees the machine's own process ids and can open no file at all, so it can import only the modules "
    "that were loaded beforehand",
    "D": "nothing keeps a program from reading your files, the network or the trainer's memory: never use it on "
    "programs you did not write",
}


@dataclass(frozen=True, slots=True)
class Isolation:
    """The report of one sandbox: its tier, its parts, what is missing and what that costs."""

    tier: str
    layers: tuple[str, ...]
    missing: Mapping[str, str]
    """Each tier that was not reached, with the reason."""
    notes: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        return f"tier {self.tier}: {TIERS[self.tier]}"

    @property
    def costs(self) -> tuple[str, ...]:
        """What a tier below A leaves open, or takes away."""
        return (_COSTS[self.tier],) if self.tier in _COSTS else ()

    def __str__(self) -> str:
        lines = [self.summary, *(f"  with     {layer}" for layer in self.layers)]
        lines += [f"  missing  tier {tier}: {reason}" for tier, reason in self.missing.items()]
        lines += [f"  costs    {cost}" for cost in self.costs]
        lines += [f"  note     {note}" for note in self.notes]
        return "\n".join(lines)


def describe(facts: Mapping[str, Any], refused: Mapping[str, str]) -> Isolation:
    """The report of a zygote in readable form."""
    tier = facts["tier"]
    layers, notes = [], []
    if facts["namespaces"]:
        layers.append(f"namespaces for processes, mounts, network and IPC, made {facts['namespaces']}")
        holding = "that holds the standard library alone" if facts["library"] else "that is empty"
        layers.append(f"a private read-only root {holding}")
    if facts["landlock"]:
        layers.append(f"Landlock version {facts['landlock']}")
    if tier != "D":
        layers.append("seccomp allow-list, no new privileges")
    layers.append("limits on CPU time, memory, files and processes")
    if facts["was_root"]:
        layers.append("programs run as nobody, not as root")
    if tier == "A" and not facts["landlock"]:
        notes.append("the kernel has no Landlock; the private root stands alone")
    if tier in "AB" and not facts["library"]:
        notes.append(
            "the standard library is out of the programs' reach: only modules loaded beforehand can be imported"
        )
    return Isolation(tier, tuple(layers), dict(refused), tuple(notes))
