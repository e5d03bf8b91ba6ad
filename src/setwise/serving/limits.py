"""How much work one server accepts, and how long it waits."""

from dataclasses import dataclass, fields

from setwise.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on work, size and time; each is a number above 0."""

    queue: int = 256
    """Completions accepted and not yet answered; one more is refused with 429."""
    samples: int = 16
    """Completions that one request may ask for."""
    body_bytes: int = 1024 * 1024
    prompt_characters: int = 32_768
    """Characters in all messages together, for a model in this process. An upstream server sets its own limit."""
    request_seconds: float = 300.0
    """From the last byte of a request to the last of its answer."""
    receive_seconds: float = 20.0
    """For a client to send its headers, and again for its body."""
    stalled_seconds: float = 20.0
    """For a client that has stopped reading."""
    grace_seconds: float = 60.0
    """For accepted requests when the server is told to stop."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, bool) or not 0 < value < float("inf"):
                raise InputError(f"{each.name} must be a number above 0", value=value)
