"""The HTTP model and a server that is not there, or goes away: nothing lost, nothing counted twice."""

import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import pytest

from setwise.errors import ModelError
from setwise.evaluation.generation import Inquiry, generate
from setwise.evaluation.methods import named_method
from setwise.models import Request, ask_function
from setwise.models.http_exchange import Bounds
from setwise.models.openai import OpenAIModel
from setwise.models.patience import Patience
from setwise.records.sample_file import SampleFile
from tests.evaluation.made_up import MadeUpTask
from tests.models.faulty_server import faulty_server

ASK = [{"role": "user", "content": "Question 7?"}]


def model_at(port: int, patience: Patience) -> OpenAIModel:
    return OpenAIModel("tiny", f"http://127.0.0.1:{port}/v1", "secret", 8, Bounds(5.0), patience)


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
    patience = Patience(tries=1000, first_wait_seconds=0.01, longest_wait_seconds=0.02, connect_seconds=0.3)
    model = model_at(free_port(), patience)
    url = model.base_url
    with pytest.raises(ModelError, match=rf"{url}: no connection in 0\.3 s: .*refused"):
        list(model.complete([Request(ASK)] * 20))
    assert [url in message for message in caplog.messages] == [True]
    with pytest.raises(ModelError, match="no connection"):
        ask_function(model)(ASK)


def test_a_server_that_accepts_and_never_answers_is_mentioned_while_it_is_waited_for(caplog):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        model = OpenAIModel("tiny", f"http://127.0.0.1:{port}/v1", "", 2, Bounds(3.0), Patience(tries=1))
        assert model.silence.mention_seconds == 20
        model.silence.mention_seconds = 0.1
        answers = [answer for _, answer in model.complete([Request(ASK)] * 2)]
    assert all(isinstance(answer, ModelError) for answer in answers)
    first = caplog.messages[0]
    assert first.startswith(f"no answer from http://127.0.0.1:{port}/v1 for 0 s, ")
    assert first.endswith("given up after 3 s (--timeout) and asked again")


def test_a_server_that_answers_is_not_called_silent(caplog):
    with faulty_server(["429", "500"]) as server:
        patience = Patience(first_wait_seconds=0.01, longest_wait_seconds=0.02)
        model = OpenAIModel("tiny", server.url, "", 2, Bounds(), patience)
        model.silence.mention_seconds = 5
        assert all(not isinstance(answer, ModelError) for _, answer in model.complete([Request(ASK)] * 4))
    assert model.silence.since is None
    assert caplog.messages == []


def test_a_server_killed_half_way_and_restarted_costs_nothing(tmp_path):
    port, file = free_port(), SampleFile.opened(tmp_path / "samples.jsonl")
    inquiry = Inquiry(MadeUpTask(20), named_method("rlcr-multi").sized(samples=3))
    patient = Patience(tries=100, first_wait_seconds=0.05, longest_wait_seconds=0.2)
    model = model_at(port, patient)
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
    done = generate(inquiry, model, file, lambda added, failed: half.set() if added >= 20 else None)
    gone.set()
    keeper.join()
    assert (done.added, done.failed) == (60, 0)
    assert_each_once(tmp_path / "samples.jsonl", 60)


def test_a_run_that_lost_its_server_goes_on_with_the_same_command(tmp_path):
    port, path = free_port(), tmp_path / "samples.jsonl"
    inquiry = Inquiry(MadeUpTask(20), named_method("rlcr-multi").sized(samples=3))
    hasty = Patience(tries=2, first_wait_seconds=0.01, longest_wait_seconds=0.02)
    model = model_at(port, hasty)
    with server_process(port) as process, pytest.raises(ModelError, match="20 requests in a row"):
        generate(inquiry, model, SampleFile.opened(path), lambda added, failed: process.kill() if added == 20 else None)
    known = SampleFile.opened(path)
    assert 20 <= len(known) < 60
    with server_process(port):
        done = generate(inquiry, model, SampleFile.opened(path))
    assert (done.added, done.failed) == (60 - len(known), 0)
    assert_each_once(path, 60)


def assert_each_once(path: Path, wanted: int) -> None:
    file = SampleFile.opened(path)
    assert file.duplicates == 0
    keys = Counter((each.id, each.index) for group in file.by_question() for each in group)
    assert len(keys) == wanted
    assert set(keys.values()) == {1}
