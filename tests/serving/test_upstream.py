"""Our server in front of another one: what passes through, and what happens when the other one fails."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

import openai
import pytest

from setwise.serving import load
from setwise.serving.limits import Limits
from tests.serving.running import Running, running
from tests.serving.upstream import PIECES, SAID, Upstream, upstream

ROOT = Path(__file__).parents[2]
SOON_SECONDS = 20.0


@pytest.fixture
def behind() -> Iterator[Upstream]:
    with upstream() as server:
        yield server


@pytest.fixture
def server(behind: Upstream) -> Iterator[Running]:
    with running(load(behind.spec), name="toes", limits=Limits(request_seconds=60)) as server:
        yield server


@contextmanager
def streamed(server: Running) -> Iterator[HTTPResponse]:
    with closing(server.connection()) as connection:
        body = {"stream": True, "messages": [{"role": "user", "content": "A toe?"}]}
        connection.request("POST", "/v1/chat/completions", json.dumps(body))
        with connection.getresponse() as answer:
            yield answer


def read_stream(server: Running) -> str:
    with streamed(server) as answer:
        return answer.read().decode()


def records(stream: str) -> list[dict[str, Any]]:
    events = [line[6:] for line in stream.splitlines() if line.startswith("data: ")]
    return [json.loads(each) for each in events if each != "[DONE]"]


def test_the_answer_passes_through_and_gains_the_set(server: Running, behind: Upstream):
    status, said = server.chat("A toe?", temperature=0.3, user="u", n=1, setwise={"samples": 1})
    assert (status, said["id"], said["usage"]["total_tokens"]) == (200, "up-1", 12)
    assert said["choices"][0]["message"]["content"] == SAID
    assert [each["answer"] for each in said["setwise"]["answers"]] == ["Gout", "Cellulitis", "Fracture"]
    [sent] = behind.bodies
    assert (sent["temperature"], sent["user"], sent["model"], sent["max_tokens"]) == (0.3, "u", "toes", 1536)
    assert "setwise" not in sent


def test_a_connection_is_used_again_streamed_or_not(server: Running, behind: Upstream):
    for _ in range(3):
        assert server.chat("A toe?")[0] == 200
        assert read_stream(server)
    assert (behind.connections, len(behind.bodies)) == (1, 6)


def test_a_question_alone_gets_the_prompt_and_a_client_s_own_prompt_stays(server: Running, behind: Upstream):
    server.chat("A toe?")
    own = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "A toe?"}]
    server.send("POST", "/v1/chat/completions", {"messages": own})
    turns = [{"role": role, "content": role} for role in ("user", "assistant", "user")]
    server.send("POST", "/v1/chat/completions", {"messages": turns})
    first, second, third = (each["messages"] for each in behind.bodies)
    assert [each["role"] for each in first] == ["system", "user"]
    assert "<answer1>" in first[0]["content"]
    assert second == own
    assert third == [first[0], *turns]


def test_a_stream_passes_as_it_comes(server: Running, behind: Upstream):
    behind.mode = "paused"
    with streamed(server) as answer:
        first = answer.readline()
        assert json.loads(first[6:])["choices"][0]["delta"]["content"] == PIECES[0]
        assert not behind.go_on.is_set(), "the first piece is here, and the second was not yet allowed"
        behind.go_on.set()
        rest = answer.read().decode()
    said = records(first.decode() + rest)
    assert "".join(each["choices"][0]["delta"].get("content", "") for each in said) == SAID
    assert [each["answer"] for each in said[-1]["setwise"]["answers"]] == ["Gout", "Cellulitis", "Fracture"]
    assert rest.endswith("data: [DONE]\n\n")


def test_the_set_comes_even_where_the_stream_names_no_end(server: Running, behind: Upstream):
    behind.mode = "no end"
    said = records(read_stream(server))
    assert said[-1]["choices"][0]["finish_reason"] == "stop"
    assert said[-1]["setwise"]["answers"]


def test_a_stream_that_said_its_last_word_is_over(server: Running, behind: Upstream):
    """Even where the upstream keeps the connection open behind it."""
    behind.mode = "never closed"
    assert read_stream(server).endswith("data: [DONE]\n\n")
    assert not behind.go_on.is_set()


def test_several_samples_are_asked_for_one_by_one(server: Running, behind: Upstream):
    status, said = server.chat("A toe?", seed=3, setwise={"samples": 4})
    assert status == 200
    assert sorted(each["seed"] for each in behind.bodies) == [3, 4, 5, 6]
    assert said["setwise"]["samples"] == 4
    assert said["usage"]["completion_tokens"] == 28


def test_every_sample_that_was_in_flight_when_the_token_limit_was_refused_is_asked_for_again(
    server: Running, behind: Upstream
):
    behind.refused_field = "max_tokens"
    status, said = server.chat("A toe?", setwise={"samples": 4})
    assert (status, said["setwise"]["samples"]) == (200, 4)
    assert [each.get("max_completion_tokens") for each in behind.bodies].count(1536) == 4


def test_a_stream_learns_the_other_name_of_the_token_limit_too(server: Running, behind: Upstream):
    behind.refused_field = "max_tokens"
    said = records(read_stream(server))
    assert "".join(each["choices"][0]["delta"].get("content", "") for each in said) == SAID
    assert [each["answer"] for each in said[-1]["setwise"]["answers"]] == ["Gout", "Cellulitis", "Fracture"]


def test_the_client_s_own_token_limit_is_sent_by_the_name_that_was_learnt(server: Running, behind: Upstream):
    behind.refused_field = "max_tokens"
    assert [server.chat("A toe?", max_tokens=each)[0] for each in (7, 8, None)] == [200, 200, 200]
    assert [each.get("max_completion_tokens") for each in behind.bodies] == [None, 7, 8, 1536]


def test_a_client_s_newer_name_of_the_token_limit_stays(server: Running, behind: Upstream):
    assert server.chat("A toe?", max_completion_tokens=7)[0] == 200
    assert behind.bodies[0]["max_completion_tokens"] == 7
    assert "max_tokens" not in behind.bodies[0]


@pytest.mark.parametrize(
    ("mode", "status", "code"),
    [
        ("500", 502, "upstream_failed"),
        ("401", 502, "upstream_failed"),
        ("503", 503, "upstream_unreachable"),
        ("429", 429, "upstream_busy"),
        ("400", 400, "upstream_refused"),
        ("closed", 502, "upstream_failed"),
        ("cut", 502, "upstream_failed"),
        ("not JSON", 502, "upstream_failed"),
    ],
)
def test_its_failures_have_clear_statuses(server: Running, behind: Upstream, mode: str, status: int, code: str):
    behind.mode = mode
    got, said = server.chat("A toe?")
    assert (got, said["error"]["code"]) == (status, code)
    if mode not in ("cut", "not JSON"):
        assert server.chat("A toe?", stream=True)[0] == status
    behind.mode = "well"
    assert server.chat("A toe?")[0] == 200


@pytest.mark.parametrize("mode", ["cut", "error event"])
def test_a_cut_stream_ends_with_an_error_and_without_an_end(server: Running, behind: Upstream, mode: str):
    behind.mode = mode
    text = read_stream(server)
    assert records(text)[-1]["error"]["code"] == "upstream_failed"
    assert "[DONE]" not in text
    with (
        openai.OpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0) as client,
        pytest.raises(openai.APIError, match="no usable answer"),
    ):
        list(client.chat.completions.create(model="toes", messages=[{"role": "user", "content": "?"}], stream=True))


def test_too_slow_an_answer_is_a_504(behind: Upstream):
    behind.mode = "slow"
    with running(load(behind.spec), name="toes", limits=Limits(request_seconds=0.3)) as server:
        status, said = server.chat("A toe?")
    assert (status, said["error"]["code"]) == (504, "timeout")


def test_a_client_that_hangs_up_ends_the_work_for_it(server: Running, behind: Upstream):
    behind.mode = "endless"
    with streamed(server) as answer:
        answer.readline()
    assert behind.cut_off.wait(SOON_SECONDS)


def test_a_client_that_stops_reading_is_let_go(behind: Upstream):
    behind.mode = "endless"
    limits = Limits(stalled_seconds=0.5)
    with running(load(behind.spec), name="toes", limits=limits) as server, streamed(server) as answer:
        answer.readline()
        assert behind.cut_off.wait(SOON_SECONDS)


def test_a_server_that_was_killed_is_used_again_when_it_is_back():
    def started(port: int) -> subprocess.Popen[bytes]:
        process = subprocess.Popen([sys.executable, "-m", "tests.serving.upstream", str(port)], cwd=ROOT)
        until = time.monotonic() + SOON_SECONDS
        while server.chat("A toe?")[0] != 200:
            assert time.monotonic() < until
            time.sleep(0.05)
        return process

    with upstream() as reserved:
        port, spec = reserved.server_address[1], reserved.spec
    with running(load(spec), name="toes") as server:
        process = started(port)
        try:
            process.kill()
            process.wait()
            statuses = {server.chat("A toe?")[0] for _ in range(5)}
            assert statuses <= {502, 503}
            assert server.chat("A toe?", stream=True)[0] == 503
            process = started(port)
        finally:
            process.kill()
            process.wait()
