"""`AnswerSetClient` against real servers."""

from dataclasses import replace
from pathlib import Path

import pytest

from setwise.errors import ModelError
from setwise.serving import AnswerSetClient, load
from tests.serving.made_up import COUGH, TOE, scripted
from tests.serving.made_up_profile import made_up_profile
from tests.serving.running import running
from tests.serving.upstream import upstream


def test_a_server_is_asked_in_five_lines_and_says_what_the_model_says(tmp_path: Path):
    model = replace(scripted(tmp_path), profile=made_up_profile())
    with running(model, alpha=0.3) as server:
        client = AnswerSetClient(server.url)
        assert client.ask(COUGH, alpha=0.4) == model.ask(COUGH, alpha=0.4)
        assert client.ask(TOE) == model.ask(TOE, alpha=0.3), "the server's own alpha decides where none is given"
        assert "samples = 2" in (client.ask(COUGH, samples=2).note or "")


def test_the_server_decides_how_many_completions_are_merged_unless_told(tmp_path: Path):
    """Another number than the profile's would get neither calibrated confidences nor a decision."""
    model = replace(scripted(tmp_path), profile=replace(made_up_profile(), samples=2))
    with running(model, alpha=0.4) as server:
        client = AnswerSetClient(server.url)
        answered = client.ask(COUGH)
        assert (answered.samples, answered.note) == (2, None)
        assert answered.decision is not None
        assert client.ask(COUGH, samples=1).samples == 1


def test_the_key_is_taken_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with running(scripted(tmp_path), key="sesame") as server:
        with pytest.raises(ModelError, match="the key is missing or wrong"):
            AnswerSetClient(server.url, key="open").ask(TOE)
        monkeypatch.setenv("SETWISE_API_KEY", "sesame")
        assert AnswerSetClient(f"{server.url}/v1").ask(TOE).answers[0].text == "Gout"


def test_it_asks_again_when_the_server_is_busy():
    with upstream() as behind, running(load(behind.spec), name="toes") as server:
        behind.modes = ["503", "502"]
        assert AnswerSetClient(server.url).ask("A toe?").answers[0].text == "Gout"
        assert len(behind.bodies) == 3


def test_it_does_not_ask_again_what_is_wrong_with_the_question():
    with upstream() as behind, running(load(behind.spec), name="toes") as server:
        behind.mode = "400"
        with pytest.raises(ModelError, match="on purpose"):
            AnswerSetClient(server.url).ask("A toe?")
        assert len(behind.bodies) == 1


def test_a_server_that_is_no_setwise_is_told_apart():
    with upstream() as behind, pytest.raises(ModelError, match="not one of setwise serve"):
        AnswerSetClient(behind.spec.partition("@")[2]).ask("A toe?")
