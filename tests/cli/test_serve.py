"""`setwise serve`, as the process that users start and stop."""

import json
import signal
import socket
import threading
import time
from collections import Counter
from http.client import HTTPException
from pathlib import Path

import pytest

from setwise.cli import main
from tests.serving.made_up import TOE, write_script
from tests.serving.made_up_profile import made_up_profile
from tests.serving.running import Running, serving_process
from tests.serving.upstream import upstream

SOON_SECONDS = 30.0


@pytest.fixture
def script(tmp_path: Path) -> str:
    return write_script(tmp_path / "script.jsonl")


def test_a_profile_a_key_and_examples_are_served(script: str, tmp_path: Path):
    made_up_profile().write(tmp_path / "profile.json")
    examples = [{"title": "A toe", "question": TOE, "posterior": [{"answer": "Gout", "probability": 1.0}]}]
    (tmp_path / "examples.json").write_text(json.dumps({"examples": examples}))
    options = ["--profile", str(tmp_path / "profile.json"), "--examples", str(tmp_path / "examples.json")]
    with serving_process(script, *options, "--name", "toes", "--alpha", "0.4", key="sesame") as server:
        headers = {"Authorization": "Bearer sesame"}
        assert server.chat(TOE)[0] == 401
        status, said = server.chat(TOE, headers=headers)
        assert (status, said["model"], said["setwise"]["decision"]["alpha"]) == (200, "toes", 0.4)
        told = json.loads(server.send("GET", "/v1/setwise/about", headers=headers)[2])
        assert (told["examples"], told["alpha"]) == (examples, 0.4)
        assert told["profile"]["best_alpha"] == pytest.approx(made_up_profile().best_alpha)
        assert server.process
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(SOON_SECONDS) == 0


def test_told_to_stop_it_answers_what_it_took_and_refuses_the_rest():
    """Sixteen clients, each waiting for a slow upstream when the signal comes."""
    with upstream() as behind, serving_process(behind.spec) as server:
        behind.mode = "slow"
        statuses: list[int] = []
        threads = [threading.Thread(target=lambda: statuses.append(server.chat(TOE)[0])) for _ in range(16)]
        for thread in threads:
            thread.start()
        until = time.monotonic() + SOON_SECONDS
        while len(behind.bodies) < 16:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert server.process
        server.process.send_signal(signal.SIGTERM)
        while server.send("GET", "/health")[0] != 503:
            assert time.monotonic() < until
        status, said = server.chat(TOE)
        assert (status, said["error"]["code"]) == (503, "stopping")
        behind.go_on.set()
        for thread in threads:
            thread.join()
        assert statuses == [200] * 16
        assert server.process.wait(SOON_SECONDS) == 0


def test_under_load_a_signal_loses_nothing_that_was_taken():
    """Every request that reached the upstream is answered; every other is refused, by status or by a closed door."""
    with upstream() as behind, serving_process(behind.spec) as server:
        told: Counter[str] = Counter()
        threads = [threading.Thread(target=asking_until_refused, args=(server, told)) for _ in range(8)]
        for thread in threads:
            thread.start()
        until = time.monotonic() + SOON_SECONDS
        while len(behind.bodies) < 50:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert server.process
        server.process.send_signal(signal.SIGTERM)
        for thread in threads:
            thread.join()
        assert server.process.wait(SOON_SECONDS) == 0
        assert told["200"] == len(behind.bodies)
        assert told.keys() <= {"200", "503", "refused"}


def asking_until_refused(server: Running, told: Counter[str]) -> None:
    while not (told["503"] or told["refused"]):
        try:
            told[str(server.chat(TOE)[0])] += 1
        except (OSError, HTTPException):
            told["refused"] += 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--host", "0.0.0.0"], "a server that others can reach needs a key; set SETWISE_API_KEY"),
        (["--alpha", "1.5"], "alpha must be above 0 and below 1"),
        (["--queue", "0"], "queue must be a number above 0"),
        (["--profile", "nothing.json"], "the file cannot be read"),
        (["--port", "99999"], "a port is a number from 0 to 65,535"),
    ],
)
def test_what_cannot_be_served_is_one_line(
    script: str, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("SETWISE_API_KEY", raising=False)
    assert main(["serve", script, *arguments]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


def test_a_port_in_use_is_one_line(script: str, capsys: pytest.CaptureFixture[str]):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["serve", script, "--port", str(taken.getsockname()[1])]) == 2
    assert "Address already in use" in capsys.readouterr().err
