"""Who may ask: those with the key, if there is one; on loopback, no page from another site."""

import hmac
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from setwise.serving.bodies import send_refusal
from setwise.serving.refusals import Refusal

OPEN_PATHS = ("/", "/health", "/favicon.ico")
"""Paths that need no key: the page contains nothing secret, and a health probe has none."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Guard:
    """Refuses before anything is read."""

    app: ASGIApp
    key: str = ""
    only_loopback: bool = True
    """Whether the server listens on loopback only. A Host with another name then comes from a page rebound to it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (refusal := self._refusal(scope)):
            await send_refusal(send, refusal)
            return
        await self.app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Refusal | None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        if self.only_loopback and host and _name(f"//{host}") not in LOOPBACK:
            return Refusal(403, "this server is for its own machine only", code="wrong_host")
        origin = headers.get(b"origin", b"").decode("latin-1")
        if origin and origin.partition("//")[2] != host:
            return Refusal(403, "this server answers no page of another site", code="wrong_origin")
        if self.key and scope["path"] not in OPEN_PATHS and not self._has_key(headers.get(b"authorization", b"")):
            message = "the key is missing or wrong; send it as Authorization: Bearer KEY"
            return Refusal(401, message, code="invalid_api_key")
        return None

    def _has_key(self, given: bytes) -> bool:
        return hmac.compare_digest(given, b"Bearer " + self.key.encode())


def _name(host: str) -> str:
    try:
        return (urlsplit(host).hostname or "").lower()
    except ValueError:
        return ""
