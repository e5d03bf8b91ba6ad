"""What options of several commands have in common."""

from setwise.errors import InputError


def require_at_least(least: int, option: str, value: int) -> None:
    if value < least:
        raise InputError(f"must be a whole number of at least {least}", place=option, value=value)
