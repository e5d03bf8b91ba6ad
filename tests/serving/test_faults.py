"""What clients do wrong, by accident or on purpose: a clear status, nothing that hangs, and no traceback."""

import json
import random
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from setwise.errors import InputError
from setwise.models import Reply, Request
from setwise.models.protocol import Completion
from setwise.serving import AnswerSetModel
from setwise.serving.app import Served
from setwise.serving.asking import Choices, how_to_ask
from setwise.serving.limits import Limits
from tests.serving.made_up import TOE, TOES, scripted
from tests.serving.made_up_profile import made_up_profile
from tests.serving.running import Running, running

SOON_SECONDS = 20.0


class HeldModel:
    """Answers when it is let."""

    name = "held"
    batch_size = 4

    def __init__(self) -> None:
        self.let, self.asked = threading.Event(), threading.Event()
        self.sizes: list[int] = []

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        batch = list(requests)
        self.sizes.append(len(batch))
        self.asked.set()
        assert self.let.wait(SOON_SECONDS)
        yield from ((each, Completion(TOES[0])) for each in batch)


def held() -> tuple[HeldModel, AnswerSetModel]:
    model = HeldModel()
    return model, AnswerSetModel(model, "hf:held", how_to_ask("hf:held", Choices()))


def in_threads(count: int, work: Any) -> list[threading.Thread]:
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads


def raw(server: Running) -> socket.socket:
    parts = urlsplit(server.url)
    return socket.create_connection((parts.hostname, parts.port), timeout=SOON_SECONDS)


def test_a_full_queue_is_a_429_and_what_was_taken_is_answered():
    model, served = held()
    statuses: list[int] = []
    with running(served, limits=Limits(queue=3)) as server:
        threads = in_threads(3, lambda: statuses.append(server.chat(TOE)[0]))
        until = time.monotonic() + SOON_SECONDS
        while server.served and server.served.desk.taken < 3:
            assert time.monotonic() < until
            time.sleep(0.01)
        status, headers, said = server.send(
            "POST", "/v1/chat/completions", {"messages": [{"role": "user", "content": TOE}]}
        )
        assert (status, json.loads(said)["error"]["code"]) == (429, "queue_full")
        assert int(headers["retry-after"]) >= 1
        model.let.set()
        for thread in threads:
            thread.join()
        assert statuses == [200, 200, 200]
        assert server.chat(TOE)[0] == 200


def test_what_waits_is_asked_for_together():
    model, served = held()
    with running(served) as server:
        first = in_threads(1, lambda: server.chat(TOE))
        assert model.asked.wait(SOON_SECONDS)
        rest = in_threads(6, lambda: server.chat(TOE))
        until = time.monotonic() + SOON_SECONDS
        while server.served and server.served.desk.taken < 7:
            assert time.monotonic() < until
            time.sleep(0.01)
        model.let.set()
        for thread in (*first, *rest):
            thread.join()
    assert model.sizes == [1, 4, 2]


def test_an_answer_that_takes_too_long_is_a_504_and_its_place_is_free_again():
    model, served = held()
    with running(served, limits=Limits(request_seconds=0.2, queue=1)) as server:
        for _ in range(2):
            assert server.chat(TOE)[0] == 504
        model.let.set()


def test_a_model_that_breaks_fails_its_request_and_no_traceback_is_sent(capfd: pytest.CaptureFixture[str]):
    class Broken:
        name = "broken"

        def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
            raise ZeroDivisionError("a secret of the server")

    with running(AnswerSetModel(Broken(), "hf:broken", how_to_ask("hf:broken", Choices()))) as server:
        status, said = server.chat(TOE)
        assert (status, said["error"]["code"]) == (500, "model_failed")
        assert "secret" not in json.dumps(said)
        assert server.send("GET", "/health")[0] == 200


def test_a_queue_that_holds_no_whole_set_is_refused(tmp_path: Path):
    judged = replace(scripted(tmp_path), profile=replace(made_up_profile(), samples=3))
    with pytest.raises(InputError, match="have 3 samples"):
        Served(model=judged, name="x", limits=Limits(queue=2))


def test_one_request_that_a_model_cannot_bear_does_not_fail_the_others():
    let = threading.Event()

    class Fastidious:
        name = "fastidious"

        def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
            batch = list(requests)
            assert let.wait(SOON_SECONDS)
            if any(each.question and each.question.text == "bad" for each in batch):
                raise ValueError("not that one")
            yield from ((each, Completion(TOES[0])) for each in batch)

    with running(AnswerSetModel(Fastidious(), "hf:x", how_to_ask("hf:x", Choices()))) as server:
        statuses: dict[str, int] = {}
        questions = ["first", "bad", "good", "fine"]

        def ask(question: str) -> None:
            statuses[question] = server.chat(question)[0]

        threads = [threading.Thread(target=ask, args=(each,)) for each in questions]
        for thread in threads:
            thread.start()
        until = time.monotonic() + SOON_SECONDS
        while server.served and server.served.desk.taken < 4:
            assert time.monotonic() < until
            time.sleep(0.01)
        let.set()
        for thread in threads:
            thread.join()
    assert statuses == {"first": 200, "bad": 500, "good": 200, "fine": 200}


def test_a_body_of_one_megabyte_is_read_and_a_larger_one_is_a_413(tmp_path: Path):
    with running(scripted(tmp_path), limits=Limits(prompt_characters=10_000)) as server:
        room = 1024 * 1024 - 200
        status, said = server.chat("x" * room)
        assert (status, said["error"]["code"]) == (400, "context_length_exceeded")
        for size in (1024 * 1024, 3 * 1024 * 1024, 20 * 1024 * 1024):
            status, said = server.chat("x" * size) if size < 16_000_000 else declared(server, size)
            assert (status, said["error"]["code"]) == (413, "request_too_large")
        assert server.chat(TOE)[0] == 200


def declared(server: Running, size: int) -> tuple[int, dict[str, Any]]:
    """Only the head of a large request; nobody waits for the rest."""
    with closing(raw(server)) as connection:
        connection.sendall(
            f"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n".encode()
        )
        said = connection.makefile("rb").read().decode()
    head, _, body = said.partition("\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


@pytest.mark.parametrize("sent", [b"", b"POST /v1/chat/comp", b"POST / HTTP/1.1\r\nHost: localhost\r\nX: "])
def test_a_client_that_sends_no_whole_head_is_let_go(tmp_path: Path, sent: bytes):
    with running(scripted(tmp_path), limits=Limits(receive_seconds=0.2)) as server, closing(raw(server)) as connection:
        connection.sendall(sent)
        with suppress(ConnectionResetError):
            assert connection.recv(1000) == b""


def test_a_client_that_sends_its_body_slowly_is_told_so(tmp_path: Path):
    with running(scripted(tmp_path), limits=Limits(receive_seconds=0.2)) as server, closing(raw(server)) as connection:
        connection.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{")
        assert connection.recv(1000).startswith(b"HTTP/1.1 408 ")


def test_a_loopback_server_answers_no_page_of_another_site(tmp_path: Path):
    with running(scripted(tmp_path)) as server:
        assert server.chat(TOE, headers={"Host": "rebound.example"})[0] == 403
        assert server.chat(TOE, headers={"Origin": "https://elsewhere.example"})[0] == 403
        assert server.chat(TOE, headers={"Origin": server.url})[0] == 200


def test_a_key_is_asked_for_where_there_is_one(tmp_path: Path):
    with running(scripted(tmp_path), key="sesame") as server:
        assert server.chat(TOE)[0] == 401
        assert server.chat(TOE, headers={"Authorization": "Bearer open"})[0] == 401
        assert server.chat(TOE, headers={"Authorization": "Bearer sesame"})[0] == 200
        assert [server.send("GET", path)[0] for path in ("/health", "/", "/metrics", "/v1/models")] == [
            200,
            200,
            401,
            401,
        ]


@pytest.mark.parametrize("bodies", [500, pytest.param(5_000, marks=pytest.mark.slow)])
def test_fuzzed_bodies_get_clear_statuses_over_one_connection(tmp_path: Path, bodies: int):
    """Valid requests with something wrong in them, cut, or overwritten by noise."""
    rng = random.Random(bodies)
    with running(scripted(tmp_path)) as server, closing(server.connection()) as connection:
        statuses = set()
        for _ in range(bodies):
            connection.request("POST", "/v1/chat/completions", fuzzed(rng))
            answer = connection.getresponse()
            said = json.loads(answer.read().partition(b"\n")[0].removeprefix(b"data: "))
            statuses.add(answer.status)
            if answer.status != 200:
                assert said["error"]["message"]
                assert "Traceback" not in said["error"]["message"]
        assert statuses <= {200, 400, 404, 500}, "500 only where the script has no such question"
        assert {200, 400} <= statuses
        assert server.chat(TOE)[0] == 200


VALUES: list[Any] = [
    None, True, -1, 0, 1, 2**70, 1e308, -0.5, 0.5, "", "x", "\ud800", "é" * 40, [], [[]], {}, {"a": {}}, ["x", 1],
    [{"type": "text", "text": TOE}], {"samples": 2}, {"alpha": 0.1}, {"samples": "2"}, {"include_usage": 3},
]  # fmt: skip
FIELDS = [
    "model",
    "messages",
    "stream",
    "stream_options",
    "temperature",
    "top_p",
    "max_tokens",
    "stop",
    "seed",
    "n",
    "setwise",
]


def fuzzed(rng: random.Random) -> bytes:
    message: Any = {"role": "user", "content": TOE}
    body: dict[Any, Any] = {"messages": [message]}
    for _ in range(rng.randrange(3)):
        body[rng.choice(FIELDS)] = rng.choice(VALUES)
    if rng.random() < 0.3:
        message[rng.choice(["role", "content", "name"])] = rng.choice(VALUES)
    text = bytearray(json.dumps(body).encode())
    how = rng.random()
    if how < 0.15:
        del text[rng.randrange(len(text)) :]
    elif how < 0.3:
        for _ in range(rng.randrange(1, 4)):
            text[rng.randrange(len(text))] = rng.randrange(256)
    elif how < 0.33:
        text = bytearray(b"[" * rng.randrange(1, 20_000))
    elif how < 0.36:
        text = bytearray(b'{"temperature": ' + b"9" * rng.randrange(1, 6000) + b', "messages": NaN}')
    return bytes(text)
