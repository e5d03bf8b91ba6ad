"""An OpenAI-compatible server that misbehaves on purpose. Loopback only, bounded in all it sends.

`FAULTS` names what it can do wrong. A server is told which faults the first tries of every request meet, in order;
after those it answers. It can also run as a process of its own, to be killed: `python faulty_server.py PORT`.
"""

import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

FAULTS = (
    "429",
    "429 for a second",
    "429 without a date",
    "500",
    "503",
    "cut",
    "cut in a chunk",
    "closed",
    "empty body",
    "endless",
    "trickle",
    "not UTF-8",
    "not JSON",
    "a list",
    "no choices",
    "deep",
)
_MOST_BYTES = 4 * 1024 * 1024
_LONGEST_SECONDS = 5.0


def reply_text(question: str) -> str:
    """A right and a wrong answer to `Question 7?` of the made-up task."""
    number = "".join(c for c in question if c.isdigit())
    answers = ((f"gold {number}a", 0.8), (f"gold {number}b", 0.5), ("x", 0.1))
    tags = (f"<answer{i}>{a}</answer{i}><confidence{i}>{q}</confidence{i}>" for i, (a, q) in enumerate(answers, 1))
    return f"<think>thinking of {number}</think>" + "".join(tags)


class FaultyServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int = 0, faults: Sequence[str] = (), delay_seconds: float = 0.0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.faults, self.delay_seconds = list(faults), delay_seconds
        self.lock = threading.Lock()
        self.tries: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.body: dict[str, Any] = {}
        """Replaces parts of every answer's first message."""
        self.fault_for = ""
        """Only requests that say this meet the faults."""
        self.refused_field = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """The client hung up, as it should on some of the faults."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = cast(FaultyServer, self.server)
        key = json.dumps([body["messages"], body.get("seed")])
        with server.lock:
            server.bodies.append(body)
            server.headers.append(dict(self.headers))
            place = server.tries[key]
            server.tries[key] += 1
        time.sleep(server.delay_seconds)
        if server.refused_field in body:
            message = f"{server.refused_field} is not supported, use max_completion_tokens"
            self._send(json.dumps({"error": {"message": message}}).encode(), 400)
            return
        if place < len(server.faults) and server.fault_for in key:
            self.close_connection = True
            self._misbehave(server.faults[place])
            return
        with server.lock:
            server.answered[key] += 1
        message = {"role": "assistant", "content": reply_text(body["messages"][-1]["content"]), **server.body}
        usage = {"completion_tokens": 42, "prompt_tokens": 7}
        self._send(json.dumps({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}).encode())

    def _misbehave(self, fault: str) -> None:
        if fault.isdecimal() or fault.startswith("429"):
            headers = {"429": {"Retry-After": "0"}, "429 for a second": {"Retry-After": "1"}}.get(fault, {})
            self._send(b'{"error": {"message": "on purpose"}}', int(fault[:3]), headers)
        elif fault == "cut":
            self._start(1000)
            self.wfile.write(b'{"choices": [{"message": {"content": "half')
        elif fault == "cut in a chunk":
            self._start(None)
            self.wfile.write(b"400\r\nhalf a chunk")
        elif fault == "endless":
            self._start(None)
            for _ in range(_MOST_BYTES // 65536):
                self.wfile.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        elif fault == "trickle":
            self._start(100_000)
            until = time.monotonic() + _LONGEST_SECONDS
            while time.monotonic() < until:
                self.wfile.write(b" ")
                time.sleep(0.02)
        elif fault != "closed":
            self._send(_WRONG_BODIES[fault])

    def _start(self, length: int | None) -> None:
        self.send_response(200)
        if length is None:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def _send(self, body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Length": str(len(body)),
            "Content-Type": "application/json",
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


_WRONG_BODIES = {
    "empty body": b"",
    "not UTF-8": b'{"choices": [{"message": {"content": "\xff\xfe"}}]}',
    "not JSON": b"<html>Bad Gateway</html>",
    "a list": b"[]",
    "no choices": b'{"choices": []}',
    "deep": b"[" * 100_000,
}


@contextmanager
def faulty_server(faults: Sequence[str] = (), **options: Any) -> Iterator[FaultyServer]:
    server = FaultyServer(faults=faults, **options)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


if __name__ == "__main__":
    FaultyServer(int(sys.argv[1]), delay_seconds=float(sys.argv[2])).serve_forever()
