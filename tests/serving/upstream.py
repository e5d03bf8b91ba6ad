"""An OpenAI-compatible server to stand behind ours: it answers, streams, and misbehaves when told to.

It can be a process of its own, to be killed: `python -m tests.serving.upstream PORT`.
"""

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from tests.serving.made_up import completion

SAID = completion(("Gout", 0.9), ("Cellulitis", 0.05), ("Fracture", 0.02), thinking="a toe")
LONGEST_SECONDS = 10.0
PIECES = [SAID[:20], SAID[20:60], SAID[60:]]


class Upstream(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.mode = "well"
        self.modes: list[str] = []
        """Of the next requests, before `mode` is everybody's."""
        self.refused_field = ""
        self.go_on = threading.Event()
        """Where the mode is `paused`, what a stream waits for after its first piece."""
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.connections = 0
        self.cut_off = threading.Event()
        """Set where a client hung up while it was being answered."""

    @property
    def spec(self) -> str:
        return f"openai:toes@http://127.0.0.1:{self.server_address[1]}/v1"

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections += 1
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        self.cut_off.set()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def upstream(self) -> Upstream:
        return cast(Upstream, self.server)

    def log_message(self, format: str, *args: Any) -> None:
        """Silence."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.upstream.bodies.append(body)
        self.upstream.headers.append(dict(self.headers))
        mode = self.upstream.modes.pop(0) if self.upstream.modes else self.upstream.mode
        if self.upstream.refused_field in body:
            message = f"{self.upstream.refused_field} is not supported, use max_completion_tokens"
            self._send({"error": {"message": message}}, 400)
        elif mode.isdecimal():
            self._send({"error": {"message": "on purpose"}}, int(mode))
        elif mode == "closed":
            self.close_connection = True
        elif mode == "not JSON":
            self._write(b"<html>Bad Gateway</html>")
        elif mode == "slow":
            self.upstream.go_on.wait(LONGEST_SECONDS)
            self._send(_whole())
        elif body.get("stream"):
            self._stream(mode)
        elif mode == "cut":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"choices": [{"mes')
            self.close_connection = True
        else:
            self._send(_whole())

    def _stream(self, mode: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, piece in enumerate(PIECES):
            self._event(_chunk({"content": piece} | ({"role": "assistant"} if not number else {})))
            if mode == "cut":
                self.close_connection = True
                return
            if mode == "paused":
                self.upstream.go_on.wait(LONGEST_SECONDS)
            if mode == "endless":
                self._endlessly()
        if mode == "error event":
            self._event({"error": {"message": "on purpose"}})
        if mode != "no end":
            self._event(_chunk({}, "stop"))
        self._chunked(b"data: [DONE]\n\n")
        if mode == "never closed":
            self.upstream.go_on.wait(LONGEST_SECONDS)
        self._chunked(b"")

    def _endlessly(self) -> None:
        until = time.monotonic() + LONGEST_SECONDS
        while time.monotonic() < until:
            self._event(_chunk({"content": "x" * 10_000}))

    def _event(self, record: dict[str, Any]) -> None:
        self._chunked(b"data: " + json.dumps(record).encode() + b"\n\n")

    def _chunked(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _send(self, record: dict[str, Any], status: int = 200) -> None:
        self._write(json.dumps(record).encode(), status)

    def _write(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if status == 429:
            self.send_header("Retry-After", "7")
        self.end_headers()
        self.wfile.write(body)


def _whole() -> dict[str, Any]:
    message = {"role": "assistant", "content": SAID}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12}
    return {
        "id": "up-1",
        "object": "chat.completion",
        "created": 1,
        "model": "toes",
        "choices": [choice],
        "usage": usage,
    }


def _chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "up-1", "object": "chat.completion.chunk", "created": 1, "model": "toes", "choices": [choice]}


@contextmanager
def upstream(port: int = 0) -> Iterator[Upstream]:
    server = Upstream(port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.go_on.set()
        server.shutdown()
        server.server_close()
        thread.join()


if __name__ == "__main__":
    Upstream(int(sys.argv[1])).serve_forever()
