"""Real servers on loopback: in a thread of this process, or as the command that users run."""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import IO, Any
from urllib.parse import urlsplit

from setwise.serving import AnswerSetModel
from setwise.serving.app import Served
from setwise.serving.limits import Limits
from setwise.serving.server import listen, server_of

ANSWERS_IN_SECONDS = 30.0


@dataclass(frozen=True)
class Running:
    """A server that answers."""

    url: str
    served: Served | None = None
    process: subprocess.Popen[bytes] | None = None

    def connection(self, timeout: float = ANSWERS_IN_SECONDS) -> HTTPConnection:
        parts = urlsplit(self.url)
        return HTTPConnection(parts.hostname or "", parts.port, timeout=timeout)

    def send(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body. A body that is no bytes is sent as JSON."""
        connection = self.connection()
        try:
            sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, path, sent, headers or {})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def chat(self, question: str, headers: dict[str, str] | None = None, **fields: Any) -> tuple[int, dict[str, Any]]:
        body = {"messages": [{"role": "user", "content": question}], **fields}
        status, _, said = self.send("POST", "/v1/chat/completions", body, headers)
        return status, json.loads(said)


@contextmanager
def running(model: AnswerSetModel, *, limits: Limits | None = None, **options: Any) -> Iterator[Running]:
    """A server in a thread; it has stopped when the block ends."""
    served = Served(model=model, name=options.pop("name", "clinic"), limits=limits or Limits(), **options)
    listener = listen("127.0.0.1", 0)
    started, addresses = threading.Event(), []

    def say(address: str) -> None:
        addresses.append(address)
        started.set()

    server = server_of(served, listener, say)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    assert started.wait(ANSWERS_IN_SECONDS)
    try:
        yield Running(addresses[0], served)
    finally:
        server.should_exit = True
        thread.join(ANSWERS_IN_SECONDS)
        assert not thread.is_alive()


@contextmanager
def serving_process(*arguments: str, key: str = "") -> Iterator[Running]:
    """`setwise serve`, as a process of its own; it is killed if it has not ended with the block."""
    command = [sys.executable, "-m", "setwise", "serve", *arguments, "--port", "0"]
    environment = {**os.environ, "SETWISE_API_KEY": key}
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(command, stderr=log, env=environment)
        try:
            yield Running(_address(process, log), process=process)
        finally:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[bytes], log: IO[str]) -> str:
    """Read from a file: nobody empties a pipe while the server runs, and a full one would stop it."""
    until = time.monotonic() + ANSWERS_IN_SECONDS
    while True:
        log.seek(0)
        said = log.read()
        if found := re.search(r" is served at (http://\S+)\n", said):
            return found[1]
        assert process.poll() is None, said
        assert time.monotonic() < until, said
        time.sleep(0.02)
