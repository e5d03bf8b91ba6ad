"""Checks a server's address before anything is sent to it."""

from urllib.parse import urlsplit

from setwise.errors import InputError

_RULE = "a base URL is http(s)://host[:port][/path]"


def require_base_url(url: str, place: object = "") -> None:
    """Refuse a URL that cannot be connected to, or that a path cannot be appended to.

    >>> require_base_url("http://[::1]:8000/v1")
    >>> require_base_url("http://localhost:99999")
    Traceback (most recent call last):
    setwise.errors.InputError: a base URL is http(s)://host[:port][/path] (Port out of range 0-65535), got ...
    """
    if "@" in url.partition("//")[2].partition("/")[0]:
        # The value is left out, because it would show the password.
        raise InputError("a base URL must not hold a password", place=place, remedy="put the key into OPENAI_API_KEY")
    problem = _problem(url)
    if problem is not None:
        raise InputError(f"{_RULE}{problem and f' ({problem})'}", place=place, value=url)


def _problem(url: str) -> str | None:
    """What is wrong with the URL, possibly an empty string; None if nothing is."""
    # Checked first, because the parser drops some of these silently.
    if any(character.isspace() or not character.isprintable() for character in url):
        return "it holds a blank or a control character"
    try:
        parts = urlsplit(url)
        (parts.hostname or "").encode("idna")
        port = parts.port
    except ValueError as error:
        return str(error)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    if port == 0:
        return "port 0 cannot be connected to"
    if parts.query or parts.fragment:
        return "it ends in a query or a fragment"
    return None if parts.path.isascii() else "what is not ASCII must be percent-encoded"
