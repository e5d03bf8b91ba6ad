"""Everything a client can be told instead of an answer, in the format of OpenAI's errors."""

from typing import Any


class Refusal(Exception):
    """A status and one line. Nothing else about the error reaches a client."""

    def __init__(
        self, status: int, message: str, *, code: str | None = None, param: str | None = None, retry_after: int = 0
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.param = status, " ".join(message.split()), code, param
        self.headers = {"Retry-After": str(retry_after)} if retry_after else {}

    def to_record(self) -> dict[str, Any]:
        """
        >>> Refusal(404, "no such model", code="model_not_found").to_record()["error"]["type"]
        'invalid_request_error'
        """
        kind = _KINDS.get(self.status, "invalid_request_error" if self.status < 500 else "server_error")
        return {"error": {"message": self.message, "type": kind, "param": self.param, "code": self.code}}


_KINDS = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error", 504: "timeout_error"}


def bad_request(message: str, param: str | None = None, code: str | None = None) -> Refusal:
    return Refusal(400, message, param=param, code=code)


def too_large(limit: int) -> Refusal:
    return Refusal(413, f"a request may have at most {limit:,} bytes", code="request_too_large")


def too_slow(seconds: float) -> Refusal:
    return Refusal(408, f"the request did not arrive within {seconds:g} s", code="request_timeout")


def too_busy(limit: int) -> Refusal:
    message = f"{limit:,} completions are being worked on or waiting; ask again soon"
    return Refusal(429, message, code="queue_full", retry_after=1)


def too_late(seconds: float) -> Refusal:
    return Refusal(504, f"no answer within {seconds:g} s", code="timeout")


def stopping() -> Refusal:
    return Refusal(503, "the server is stopping and takes no new requests", code="stopping", retry_after=5)


def unreachable(detail: str) -> Refusal:
    message = f"the model's server cannot be reached ({detail})"
    return Refusal(503, message, code="upstream_unreachable", retry_after=1)


def broken_upstream(detail: str) -> Refusal:
    return Refusal(502, f"the model's server gave no usable answer ({detail})", code="upstream_failed")


def broken_model() -> Refusal:
    return Refusal(500, "the model failed; the server's log says why", code="model_failed")
