"""Whether completions are sampled from the weights in training, with each prompt stored once per group."""

from typing import Any

from setwise.errors import InputError
from setwise.models.shared_prompt.support import why_not
from setwise.settings import Backend


def why_not_groups(backend: Backend, model: Any, *, sharded: bool) -> str | None:
    """Why completions come from elsewhere; None if groups are decoded here."""
    if backend not in ("auto", "shared"):
        return f"generation.backend is {backend}"
    reason = "its weights are spread over processes" if sharded else why_not(model)
    if reason and backend == "shared":
        raise InputError(
            f"this model cannot hold a prompt once for its group: {reason}",
            place="generation.backend",
            value=backend,
            remedy="leave it at auto",
        )
    return reason
