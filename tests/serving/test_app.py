"""The server as plain clients see it: `curl`, the `openai` package, a probe, Prometheus."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import openai
import pytest

from tests.serving.made_up import COUGH, MUMBLE, TOE, TOES, scripted
from tests.serving.made_up_profile import made_up_profile
from tests.serving.running import Running, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(scripted(tmp_path_factory.mktemp("served"))) as server:
        yield server


@pytest.fixture(scope="module")
def client(server: Running) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0) as client:
        yield client


def asked(question: str, **extra: Any) -> dict[str, Any]:
    return {"model": "clinic", "messages": [{"role": "user", "content": question}], "extra_body": extra}


def curl(*arguments: str) -> str:
    command = ["curl", "--silent", "--noproxy", "*", "--max-time", "30", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_openai_client_gets_text_and_the_answers_beside_it(client: openai.OpenAI):
    said = client.chat.completions.create(**asked(TOE))
    assert said.choices[0].message.content == TOES[0]
    own: Any = said.model_extra
    assert [each["answer"] for each in own["setwise"]["answers"]] == ["Gout", "Cellulitis", "Fracture"]
    assert said.usage is not None
    assert said.usage.total_tokens == 12


def test_a_stream_holds_the_same_text_and_ends_with_the_answers(client: openai.OpenAI):
    whole: Any = client.chat.completions.create(**asked(TOE)).model_extra
    chunks = list(client.chat.completions.create(**asked(TOE), stream=True, stream_options={"include_usage": True}))
    assert "".join(each.choices[0].delta.content or "" for each in chunks if each.choices) == TOES[0]
    carrying: list[Any] = [each.model_extra for each in chunks if (each.model_extra or {}).get("setwise")]
    assert [each["setwise"] for each in carrying] == [whole["setwise"]]
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage is not None


def test_several_samples_come_as_one_set_streamed_or_not(client: openai.OpenAI):
    extra = {"setwise": {"samples": 3}}
    said = client.chat.completions.create(**asked(COUGH, **extra))
    own: Any = said.model_extra
    assert [(each["answer"], each["stated"]) for each in own["setwise"]["answers"][:2]] == [
        ("Pneumonia", pytest.approx(1 / 3)),
        ("Bronchitis", 0.25),
    ]
    assert own["setwise"]["samples"] == 3
    assert own["setwise"]["malformed"] == "missing_think"
    streamed = client.chat.completions.create(**asked(COUGH, **extra), stream=True)
    text = "".join(each.choices[0].delta.content or "" for each in streamed)
    assert text == said.choices[0].message.content
    assert "<answer1>Pneumonia</answer1>" in text


def test_what_cannot_be_read_is_an_answer_too(client: openai.OpenAI):
    said = client.chat.completions.create(**asked(MUMBLE))
    own: Any = said.model_extra
    assert said.choices[0].message.content == "mumble"
    assert own["setwise"]["answers"] == []
    assert own["setwise"]["malformed"] == "missing_think"


def test_errors_are_those_the_openai_client_knows(client: openai.OpenAI):
    with pytest.raises(openai.NotFoundError, match="only clinic"):
        client.chat.completions.create(model="another", messages=[{"role": "user", "content": TOE}])
    with pytest.raises(openai.BadRequestError, match="non-empty list") as caught:
        client.chat.completions.create(model="clinic", messages=[])
    assert caught.value.param == "messages"
    with pytest.raises(openai.BadRequestError, match="needs a profile"):
        client.chat.completions.create(**asked(TOE, setwise={"alpha": 0.1}))


def test_the_models_are_listed(client: openai.OpenAI):
    assert [each.id for each in client.models.list()] == ["clinic"]
    assert client.models.retrieve("clinic").owned_by == "setwise"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("another")


def test_curl_needs_no_header(server: Running):
    body = json.dumps({"messages": [{"role": "user", "content": TOE}]})
    said = json.loads(curl("--data", body, f"{server.url}/v1/chat/completions"))
    assert said["setwise"]["answers"][0] == {"answer": "Gout", "stated": 0.9, "calibrated": None, "kept": True}
    streamed = curl(
        "--no-buffer", "--data", body.replace("{", '{"stream": true, ', 1), f"{server.url}/v1/chat/completions"
    )
    events = [line for line in streamed.splitlines() if line]
    assert all(line.startswith("data: ") for line in events)
    assert events[-1] == "data: [DONE]"


def test_a_client_with_its_own_system_prompt_is_left_alone(server: Running):
    """The script answers by the question alone, so what is seen here is that the question is still found."""
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": TOE}]
    status, _, said = server.send("POST", "/v1/chat/completions", {"messages": messages})
    assert (status, json.loads(said)["setwise"]["question"]) == (200, TOE)


def test_health_and_metrics(server: Running):
    assert server.send("GET", "/health")[::2] == (200, b'{"status":"ok"}')
    before = server.send("GET", "/metrics")[2].decode()
    server.chat(TOE)
    status, headers, text = server.send("GET", "/metrics")
    assert status == 200
    assert headers["content-type"].startswith("text/plain; version=0.0.4")

    def counted(told: str) -> int:
        return int(next(line for line in told.splitlines() if line.startswith("setwise_completions_total")).split()[1])

    assert counted(text.decode()) == counted(before) + 1
    assert b'setwise_requests_total{status="200"}' in text


def test_metrics_tell_when_the_questions_have_changed(tmp_path: Path):
    """The profile's sets claim 0.9 in all; these claim 0.97 each time."""
    with running(replace(scripted(tmp_path), profile=made_up_profile()), alpha=0.4) as server:
        assert b"setwise_drifted" not in server.send("GET", "/metrics")[2]
        for _ in range(30):
            assert server.chat(TOE)[1]["setwise"]["decision"]["alpha"] == 0.4
        told = server.send("GET", "/metrics")[2].decode()
        assert "\nsetwise_drifted 1\n" in told
        assert "\nsetwise_decisions_total 30\n" in told


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/nothing", 404), ("GET", "/v1/chat/completions", 405)])
def test_a_wrong_path_or_method_is_an_error_in_the_usual_shape(server: Running, method: str, path: str, status: int):
    got, _, said = server.send(method, path)
    assert got == status
    assert json.loads(said)["error"]["type"] == "invalid_request_error"


def test_the_page_may_reach_this_server_and_nothing_else(server: Running):
    status, headers, text = server.send("GET", "/")
    assert status == 200
    assert b"<!doctype html>" in text.lower()
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "connect-src 'self'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"


def test_the_page_is_told_about_the_model(server: Running):
    told = json.loads(server.send("GET", "/v1/setwise/about")[2])
    assert (told["model"], told["k"], told["profile"], told["examples"]) == ("clinic", 3, None, [])
