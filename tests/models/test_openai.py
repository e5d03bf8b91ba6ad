"""The HTTP model against a server that does everything wrong: nothing lost, nothing counted twice."""

import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import pytest

from setwise.errors import InputError, ModelError
from setwise.evaluation.generate import Plan, generate
from setwise.evaluation.methods import named_method
from setwise.evaluation.run import RunFolder, score_run
from setwise.evaluation.samples import SampleFile
from setwise.models import Completion, Request, Sampling, ask_function, open_model
from setwise.models.http_exchange import Bounds
from setwise.models.openai import OpenAIModel, openai_model
from setwise.models.patience import Patience
from tests.evaluation.made_up import MadeUpTask
from tests.models.faulty_server import FAULTS, faulty_server, reply_text

QUICK = Patience(tries=6, first_wait_seconds=0.01, longest_wait_seconds=0.05, rate_limit_seconds=5.0)
TIGHT = Bounds(timeout_seconds=0.5, response_bytes=1_000_000)
ASK = [{"role": "user", "content": "Question 7?"}]


def model_at(url: str, patience: Patience = QUICK, bounds: Bounds = TIGHT, concurrency: int = 8) -> OpenAIModel:
    return OpenAIModel("tiny", url, "secret", concurrency, bounds, patience)


def requests(n: int) -> list[Request]:
    return [Request(f"p{i}", 0, [{"role": "user", "content": f"Question {i}?"}]) for i in range(n)]


def test_an_answer_has_its_text_its_finish_reason_and_the_servers_token_counts():
    with faulty_server() as server:
        [(_, answer)] = model_at(server.url).complete([Request("p", 0, ASK, Sampling(0.2, 0.9, 50), seed=5)])
    assert answer == Completion(reply_text("Question 7?"), "stop", 42, 7)
    sent = server.bodies[0]
    assert (sent["temperature"], sent["top_p"], sent["max_tokens"], sent["seed"]) == (0.2, 0.9, 50, 5)
    assert server.headers[0]["Authorization"] == "Bearer secret"


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_survived_and_every_request_answered_once(fault):
    with faulty_server([fault]) as server:
        replies = list(model_at(server.url).complete(requests(6)))
    assert sorted(request.problem for request, _ in replies) == [f"p{i}" for i in range(6)]
    for request, answer in replies:
        assert isinstance(answer, Completion), answer
        assert answer.text == reply_text(f"Question {request.problem[1:]}?")
    assert set(server.tries.values()) == {2}


def test_one_fault_after_another_is_survived_by_a_whole_run(tmp_path):
    folder = RunFolder(tmp_path)
    plan = Plan(MadeUpTask(5), named_method("rlcr-multi").sized(samples=4))
    with faulty_server(["500", "cut", "not UTF-8", "429", "empty body"]) as server:
        done = generate(plan, model_at(server.url), SampleFile.opened(folder.samples))
        assert set(server.answered.values()) == {1}
    assert (done.added, done.failed) == (20, 0)
    metrics = score_run(folder, plan.task.matcher, resamples=0)
    assert metrics.counts["completions"] == 20
    assert metrics.counts["duplicate_samples"] == 0
    assert metrics["recall"].value == 1
    assert metrics["tokens"].value == 42


def test_a_server_that_only_fails_is_an_error_per_request_and_names_the_last_fault():
    with faulty_server(["500"] * 100) as server:
        [(_, answer)] = model_at(server.url).complete(requests(1))
    assert isinstance(answer, ModelError)
    assert str(answer) == f"no answer from {server.url} in 6 tries, at last: HTTP 500: on purpose"
    assert set(server.tries.values()) == {6}


def test_retry_after_is_heeded_by_all_workers():
    with faulty_server(["429 for a second"], delay_seconds=0.1) as server:
        server.fault_for = "Question 0?"
        started = time.monotonic()
        replies = [request.problem for request, _ in model_at(server.url, concurrency=2).complete(requests(6))]
        assert time.monotonic() - started >= 1
        assert sum(server.tries.values()) == 7
    assert replies[0] == "p1"
    assert len(replies) == 6


def test_being_told_to_wait_is_no_failed_try_but_ends():
    with faulty_server(["429"] * 20) as server:
        [(_, answer)] = model_at(server.url).complete(requests(1))
        assert isinstance(answer, Completion)
        assert set(server.tries.values()) == {21}
    impatient = Patience(first_wait_seconds=0.01, rate_limit_seconds=0.1)
    with faulty_server(["429"] * 10_000) as server:
        [(_, answer)] = model_at(server.url, impatient).complete(requests(1))
    assert isinstance(answer, ModelError)
    assert "still turned away" in str(answer)


@pytest.mark.parametrize("status", ["401", "404"])
def test_what_every_request_would_meet_ends_the_run_at_once(status):
    with faulty_server([status] * 100) as server, pytest.raises(ModelError, match=f"HTTP {status}: on purpose"):
        list(model_at(server.url, concurrency=1).complete(requests(50)))
    assert sum(server.tries.values()) == 1


def test_a_refused_request_is_not_repeated_and_harms_no_other():
    with faulty_server(["422"] * 10) as server:
        server.fault_for = "Question 1?"
        answers = {request.problem: answer for request, answer in model_at(server.url).complete(requests(3))}
    assert str(answers["p1"]) == "HTTP 422: on purpose"
    assert isinstance(answers["p0"], Completion)
    assert isinstance(answers["p2"], Completion)
    assert set(server.tries.values()) == {1}


def test_the_other_name_of_the_token_limit_is_learnt_from_the_refusal():
    with faulty_server() as server:
        server.refused_field = "max_tokens"
        replies = list(model_at(server.url, concurrency=1).complete(requests(3)))
    assert all(isinstance(answer, Completion) for _, answer in replies)
    assert len(server.bodies) == 4
    assert server.bodies[-1]["max_completion_tokens"] == 1536


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": ""}, ""),
        ({"content": None}, ""),
        ({"content": "<answer>a</answer>", "reasoning_content": "hm"}, "<think>hm</think><answer>a</answer>"),
        ({"content": "<think>x</think>a", "reasoning": "hm"}, "<think>x</think>a"),
        ({"content": "lone \ud800 surrogate"}, "lone \ud800 surrogate"),
    ],
    ids=["empty", "null", "reasoning apart", "reasoning twice", "surrogate"],
)
def test_what_a_message_can_hold(message, text):
    with faulty_server() as server:
        server.body = message
        [(_, answer)] = model_at(server.url).complete(requests(1))
    assert isinstance(answer, Completion)
    assert answer.text == text


def test_a_forced_beginning_is_sent_as_the_assistants_own():
    with faulty_server() as server:
        list(model_at(server.url).complete([Request("p", 0, ASK, prefix="<think>")]))
    assert server.bodies[0]["messages"][-1] == {"role": "assistant", "content": "<think>"}
    assert server.bodies[0]["continue_final_message"] is True


def test_never_more_requests_in_flight_than_allowed_and_none_taken_early():
    taken = 0

    def source():
        nonlocal taken
        for request in requests(12):
            taken += 1
            yield request

    with faulty_server(delay_seconds=0.05) as server:
        replies = model_at(server.url, concurrency=3).complete(source())
        next(iter(replies))
        assert taken <= 4
        assert sum(server.tries.values()) <= 4
        assert len(list(replies)) == 11


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def server_process(port: int, delay_seconds: float = 0.02):
    """A server to be killed: a process of its own."""
    script = Path(__file__).with_name("faulty_server.py")
    process = subprocess.Popen([sys.executable, str(script), str(port), str(delay_seconds)])
    try:
        _wait_for(port)
        yield process
    finally:
        process.kill()
        process.wait()


def _wait_for(port: int) -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server did not start")


def test_a_server_that_is_not_there_ends_the_run_early_and_is_named_once(caplog):
    url = f"http://127.0.0.1:{free_port()}/v1"
    patience = Patience(tries=1000, first_wait_seconds=0.01, longest_wait_seconds=0.02, connect_seconds=0.3)
    model = model_at(url, patience)
    with pytest.raises(ModelError, match=rf"{url}: no connection in 0\.3 s: .*refused"):
        list(model.complete(requests(20)))
    assert [url in message for message in caplog.messages] == [True]
    with pytest.raises(ModelError, match="no connection"):
        ask_function(model)(ASK)


def test_a_server_killed_half_way_and_restarted_costs_nothing(tmp_path):
    port, file = free_port(), SampleFile.opened(tmp_path / "samples.jsonl")
    plan = Plan(MadeUpTask(20), named_method("rlcr-multi").sized(samples=3))
    patient = Patience(tries=100, first_wait_seconds=0.05, longest_wait_seconds=0.2)
    model = model_at(f"http://127.0.0.1:{port}/v1", patient, Bounds(5.0))
    half, gone = threading.Event(), threading.Event()

    def restart() -> None:
        with server_process(port) as first:
            half.wait(20)
            first.kill()
            first.wait()
        with server_process(port):
            gone.wait(30)

    keeper = threading.Thread(target=restart)
    keeper.start()
    _wait_for(port)
    done = generate(plan, model, file, lambda added, failed: half.set() if added >= 20 else None)
    gone.set()
    keeper.join()
    assert (done.added, done.failed) == (60, 0)
    assert_each_once(tmp_path / "samples.jsonl", 60)


def test_a_run_that_lost_its_server_goes_on_with_the_same_command(tmp_path):
    port, path = free_port(), tmp_path / "samples.jsonl"
    plan = Plan(MadeUpTask(20), named_method("rlcr-multi").sized(samples=3))
    hasty = Patience(tries=2, first_wait_seconds=0.01, longest_wait_seconds=0.02)
    model = model_at(f"http://127.0.0.1:{port}/v1", hasty, Bounds(5.0))
    with server_process(port) as process, pytest.raises(ModelError, match="20 requests in a row"):
        generate(plan, model, SampleFile.opened(path), lambda added, failed: process.kill() if added == 20 else None)
    known = SampleFile.opened(path)
    assert 20 <= len(known) < 60
    with server_process(port):
        done = generate(plan, model, SampleFile.opened(path))
    assert (done.added, done.failed) == (60 - len(known), 0)
    assert_each_once(path, 60)


def assert_each_once(path: Path, wanted: int) -> None:
    file = SampleFile.opened(path)
    assert file.duplicates == 0
    keys = Counter((each.problem.id, each.index) for group in file.by_problem() for each in group)
    assert len(keys) == wanted
    assert set(keys.values()) == {1}


def test_a_judge_is_a_model_that_is_asked():
    with faulty_server() as server:
        ask = ask_function(model_at(server.url))
        assert ask(ASK) == reply_text("Question 7?")
    assert server.bodies[0]["temperature"] == 0


def test_the_address_comes_from_the_model_or_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://somewhere:1/v1/")
    monkeypatch.setenv("OPENAI_API_KEY", " key\n")
    assert openai_model("m").base_url == "http://somewhere:1/v1"
    assert openai_model("m").key == "key"
    assert openai_model("org/m@https://else/v1").name == "openai:org/m@https://else/v1"
    assert openai_model("m@4bit@https://else/v1").model == "m@4bit"
    assert "key" not in repr(openai_model("m"))
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert openai_model("m").base_url == "https://api.openai.com/v1"


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("gpt", "a model is one of openai:..., hf:..., vllm:..., scripted:..., got"),
        ("openai:", "a model is one of"),
        ("openai:@http://h/v1", "a model name must follow openai:"),
        ("openai:m@http:///v1", "a base URL is"),
        ("openai:m@localhost:8000/v1", "must begin with http:// or https://, got"),
        ("openai:m@httpserver/v1", "must begin with http:// or https://, got"),
        ("openai:m@http://me:pass@h/v1", "must not hold a password"),
    ],
)
def test_a_model_that_cannot_be_meant_is_refused(spec, complaint):
    with pytest.raises(InputError, match=complaint):
        open_model(spec)
