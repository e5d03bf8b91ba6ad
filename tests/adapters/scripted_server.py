"""Servers on this machine that say what they were told to: OpenAI-compatible ones, and ones that sample tokens."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Reply = Callable[[list[dict[str, Any]]], dict[str, Any]]


@contextmanager
def serving(reply: Reply) -> Iterator[str]:
    """The base address of a server; `reply` turns the chat into an assistant message."""

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        said = {"role": "assistant", **reply(body["messages"])}
        finish = said.pop("finish_reason", "stop")
        return {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, "message": said, "finish_reason": finish}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }

    with _answering(answer) as address:
        yield address


@contextmanager
def sampling(ids: Sequence[int], finish: str) -> Iterator[str]:
    """The base address of a server as vLLM's for training: token ids in, these token ids out."""
    logprobs = {"content": [{"token": f"token_id:{token}", "logprob": -1.0} for token in ids]}
    choice = {"index": 0, "token_ids": list(ids), "logprobs": logprobs, "finish_reason": finish}
    with _answering(lambda body: {"request_id": "1", "choices": [choice]}) as address:
        yield address


@contextmanager
def _answering(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            payload = json.dumps(answer(body)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: Any) -> None:
            """Silence."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
