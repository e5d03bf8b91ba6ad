"""The litellm example with the real package in front of a real server; `make test-litellm` runs it."""

import asyncio
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.adapters.scripted_server import serving
from tests.serving.made_up import COUGH, TOE, scripted
from tests.serving.opened import honest_profile
from tests.serving.running import Running, running

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else importing litellm asks the network for prices
litellm: Any = pytest.importorskip("litellm", reason="make test-litellm runs this with litellm")

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("leftovers_collected")]

EXAMPLE = Path(__file__).parents[2] / "examples" / "litellm"
KEY = "sk-made-up-for-this-test"
CAREFUL, LAX = ({"setwise": {"alpha": alpha}} for alpha in (0.15, 0.25))
STARTS_IN_SECONDS = 120


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Careful, it answers the question about the toe and abstains on the cough; lax, it keeps less."""
    model = replace(scripted(tmp_path_factory.mktemp("served")), profile=honest_profile())
    with running(model, name="clinic", alpha=0.5) as served:
        yield served


@pytest.fixture(scope="module")
def second_opinion() -> Iterator[str]:
    with serving(lambda messages: {"content": "Ask a doctor."}) as url:
        yield url


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("abstention", EXAMPLE / "abstention.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def asked(question: str, server: Running) -> dict[str, Any]:
    messages = [{"role": "user", "content": question}]
    return {"model": "openai/clinic", "api_base": f"{server.url}/v1", "api_key": "none", "messages": messages}


def test_a_plain_call_carries_the_set_and_the_decision(server: Running):
    response = litellm.completion(**asked(TOE, server), extra_body=CAREFUL)
    assert [each["answer"] for each in response.setwise["answers"]] == ["Gout", "Cellulitis", "Fracture"]
    assert response.setwise["decision"]["alpha"] == 0.15


def test_a_decision_leaves_the_kept_answers_or_raises(server: Running, example: ModuleType):
    response = litellm.completion(**asked(TOE, server), extra_body=LAX)
    kept = [each["answer"] for each in response.setwise["answers"] if each["kept"]]
    assert 0 < len(kept) < 3
    assert example.decided(response).choices[0].message.content.split("\n") == kept
    abstained = litellm.completion(**asked(COUGH, server), extra_body=CAREFUL)
    with pytest.raises(example.Abstained) as caught:
        example.decided(abstained)
    assert abstained.setwise["decision"]["reason"] in str(caught.value)


def test_an_abstention_goes_to_the_next_model_without_being_asked_again(
    server: Running, second_opinion: str, example: ModuleType, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(litellm, "callbacks", [example.guardrail])
    clinic = {key: value for key, value in asked(TOE, server).items() if key != "messages"}
    other = {"model": "openai/second-opinion", "api_base": second_opinion, "api_key": "none"}
    router = litellm.Router(
        model_list=[
            {"model_name": "clinic", "litellm_params": {**clinic, "extra_body": CAREFUL}},
            {"model_name": "second-opinion", "litellm_params": other},
        ],
        fallbacks=[{"clinic": ["second-opinion"]}],
    )

    async def both() -> list[Any]:
        questions = [[{"role": "user", "content": question}] for question in (TOE, COUGH)]
        return [await router.acompletion(model="clinic", messages=messages) for messages in questions]

    before = requests_of(server)
    toe, cough = asyncio.run(both())
    assert toe.choices[0].message.content.split("\n")[0] == "Gout"
    assert cough.choices[0].message.content == "Ask a doctor."
    assert requests_of(server) == before + 2


def test_a_stream_carries_the_decision_and_is_not_held_back(
    server: Running, example: ModuleType, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(litellm, "callbacks", [example.guardrail])

    async def chunks() -> list[Any]:
        stream = await litellm.acompletion(**asked(COUGH, server), extra_body=CAREFUL, stream=True)
        return [chunk async for chunk in stream]

    decisions = [said["decision"] for chunk in asyncio.run(chunks()) if (said := getattr(chunk, "setwise", None))]
    assert [decision["abstained"] for decision in decisions] == [True]


def test_the_proxy_of_the_example_does_the_same(server: Running, second_opinion: str):
    pytest.importorskip("litellm.proxy.proxy_cli", reason="needs litellm[proxy]")
    environment = {
        **os.environ,
        "SETWISE_URL": f"{server.url}/v1",
        "SETWISE_API_KEY": "none",
        "SECOND_OPINION_URL": second_opinion,
        "SECOND_OPINION_API_KEY": "none",
        "LITELLM_MASTER_KEY": KEY,
    }
    with proxy(environment) as port:
        toe, cough = (ask_proxy(port, question) for question in (TOE, COUGH))
    assert toe["choices"][0]["message"]["content"].split("\n")[0] == "Gout"
    assert not toe["setwise"]["decision"]["abstained"]
    assert cough["choices"][0]["message"]["content"] == "Ask a doctor."


def requests_of(server: Running) -> int:
    assert server.served
    return server.served.tally.completions


@contextmanager
def proxy(environment: dict[str, str]) -> Iterator[int]:
    """The proxy with the example's own config, as soon as it answers."""
    with serving(lambda messages: {}) as url:
        port = int(url.rsplit(":", 1)[1].removesuffix("/v1"))  # a port that was free a moment ago
    command = [str(Path(sys.executable).with_name("litellm")), "--config", "config.yaml", "--host", "127.0.0.1"]
    process = subprocess.Popen(
        [*command, "--port", str(port)],
        cwd=EXAMPLE,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
    )
    try:
        deadline = time.monotonic() + STARTS_IN_SECONDS
        while not is_alive(port):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.5)
        yield port
    finally:
        process.terminate()
        process.wait()


def is_alive(port: int) -> bool:
    try:
        return send(port, "GET", "/health/liveliness")[0] == 200
    except OSError:
        return False


def ask_proxy(port: int, question: str) -> dict[str, Any]:
    body = {"model": "clinic", "messages": [{"role": "user", "content": question}]}
    status, said = send(port, "POST", "/v1/chat/completions", json.dumps(body))
    assert status == 200, said
    return json.loads(said)


def send(port: int, method: str, path: str, body: str | None = None) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()
