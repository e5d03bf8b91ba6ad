"""The HTTP model against a server that does everything wrong: nothing lost, nothing counted twice."""

import time
from dataclasses import replace

import pytest

from setwise.errors import InputError, ModelError
from setwise.evaluation.generation import Inquiry, generate
from setwise.evaluation.methods import named_method
from setwise.evaluation.score_run import score_run
from setwise.models import Completion, Request, Sampling, ask_function, open_model
from setwise.models.http_exchange import Bounds
from setwise.models.openai import OpenAIModel, openai_model
from setwise.models.patience import Patience
from setwise.objectives import Objective
from setwise.prompting import messages
from setwise.questions import Question
from setwise.records.run import RunFolder
from setwise.records.sample_file import SampleFile
from tests.evaluation.made_up import MadeUpTask
from tests.models.faulty_server import FAULTS, faulty_server, reply_text

QUICK = Patience(tries=6, first_wait_seconds=0.01, longest_wait_seconds=0.05, rate_limit_seconds=5.0)
PATIENT = Bounds(timeout_seconds=30, response_bytes=1_000_000)
ASK = [{"role": "user", "content": "Question 7?"}]


def model_at(url: str, patience: Patience = QUICK, bounds: Bounds = PATIENT, concurrency: int = 8) -> OpenAIModel:
    return OpenAIModel("tiny", url, "secret", concurrency, bounds, patience)


def requests(n: int) -> list[Request]:
    questions = [Question(f"Question {i}?", f"p{i}") for i in range(n)]
    return [Request([{"role": "user", "content": each.text}], question=each) for each in questions]


def asked(request: Request) -> Question:
    assert request.question is not None
    return request.question


def test_an_answer_has_its_text_its_finish_reason_and_the_servers_token_counts():
    with faulty_server() as server:
        [(_, answer)] = model_at(server.url).complete([Request(ASK, Sampling(0.2, 0.9, 50), seed=5)])
    assert answer == Completion(reply_text("Question 7?"), "stop", 42, 7)
    sent = server.bodies[0]
    assert (sent["temperature"], sent["top_p"], sent["max_tokens"], sent["seed"]) == (0.2, 0.9, 50, 5)
    assert server.headers[0]["Authorization"] == "Bearer secret"


def test_a_question_needs_no_id_to_be_asked():
    question = Question("Question 7?")
    chat = messages(question, Objective("rlcr-multi"))
    with faulty_server() as server:
        [(request, answer)] = model_at(server.url).complete([Request(chat, question=question)])
    assert request.question is question
    assert answer == Completion(reply_text("Question 7?"), "stop", 42, 7)
    assert server.bodies[0]["messages"] == chat


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_survived_and_every_request_answered_once(fault):
    bounds = replace(PATIENT, timeout_seconds=2) if fault == "trickle" else PATIENT
    with faulty_server([fault]) as server:
        replies = list(model_at(server.url, bounds=bounds).complete(requests(6)))
    assert sorted(asked(request).id for request, _ in replies) == [f"p{i}" for i in range(6)]
    for request, answer in replies:
        assert isinstance(answer, Completion), answer
        assert answer.text == reply_text(asked(request).text)
    assert set(server.tries.values()) == {2}


def test_one_fault_after_another_is_survived_by_a_whole_run(tmp_path):
    folder = RunFolder(tmp_path)
    inquiry = Inquiry(MadeUpTask(5), named_method("rlcr-multi").sized(samples=4))
    folder.claim(inquiry.config("tiny", 5))
    with faulty_server(["500", "cut", "not UTF-8", "429", "empty body"]) as server:
        done = generate(inquiry, model_at(server.url), SampleFile.opened(folder.samples))
        assert set(server.answered.values()) == {1}
    assert (done.added, done.failed) == (20, 0)
    metrics = score_run(folder, inquiry.task.matcher, resamples=0)
    assert metrics.counts["completions"] == 20
    assert metrics.counts["duplicate_samples"] == 0
    assert metrics["recall"].value == 1
    assert metrics["tokens"].value == 42


def test_a_server_that_only_fails_is_an_error_per_request_and_names_the_last_fault():
    with faulty_server(["500"] * 100) as server:
        [(_, answer)] = model_at(server.url).complete(requests(1))
    assert isinstance(answer, ModelError)
    assert str(answer) == f"no answer from {server.url} in 6 tries; last error: HTTP 500: on purpose"
    assert set(server.tries.values()) == {6}


def test_retry_after_is_heeded_by_all_workers():
    with faulty_server(["429 for a second"], delay_seconds=0.1) as server:
        server.fault_for = "Question 0?"
        started = time.monotonic()
        replies = [asked(request).id for request, _ in model_at(server.url, concurrency=2).complete(requests(6))]
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
    assert "still refused" in str(answer)


@pytest.mark.parametrize("status", ["401", "404"])
def test_what_every_request_would_meet_ends_the_run_at_once(status):
    with faulty_server([status] * 100) as server, pytest.raises(ModelError, match=f"HTTP {status}: on purpose"):
        list(model_at(server.url, concurrency=1).complete(requests(50)))
    assert sum(server.tries.values()) == 1


def test_a_refused_request_is_not_repeated_and_harms_no_other():
    with faulty_server(["422"] * 10) as server:
        server.fault_for = "Question 1?"
        answers = {asked(request).id: answer for request, answer in model_at(server.url).complete(requests(3))}
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


def test_every_request_that_was_in_flight_at_the_refusal_is_sent_again():
    with faulty_server(delay_seconds=0.2) as server:
        server.refused_field = "max_tokens"
        replies = list(model_at(server.url, concurrency=4).complete(requests(4)))
    assert all(isinstance(answer, Completion) for _, answer in replies), replies
    assert sum("max_tokens" in body for body in server.bodies) > 1


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": ""}, ""),
        ({"content": None}, ""),
        ({"content": "<answer>a</answer>", "reasoning_content": "hm"}, "<think>hm</think>\n<answer>a</answer>"),
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
        list(model_at(server.url).complete([Request(ASK, prefix="<think>")]))
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
        ("openai:m@http://me:pass@h:99999/v1", "must not hold a password"),
        ("openai:m@http://h:99999/v1", r"\(Port out of range 0-65535\), got \"http://h:99999/v1\""),
        ("openai:m@http://h:0/v1", "port 0 cannot be connected to"),
        ("openai:m@http://h:abc/v1", "a base URL is .*Port could not be cast to integer value as 'abc'"),
        ("openai:m@http://[::1/v1", r"a base URL is .*\(Invalid IPv6 URL\)"),
        ("openai:m@http://[here]:1/v1", "a base URL is"),
        ("openai:m@http://..:1/v1", "a base URL is"),
        ("openai:m@http://a b/v1", "it holds a blank or a control character"),
        ("openai:m@http://h/v1\n", "it holds a blank or a control character"),
        ("openai:m@http://h/vé", "what is not ASCII must be percent-encoded"),
        ("openai:m@http://h/v1?key=1", "it ends in a query or a fragment"),
    ],
)
def test_a_model_that_cannot_be_meant_is_refused(spec, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        open_model(spec)
    assert "\n" not in str(caught.value)
    assert "pass@" not in str(caught.value)


def test_addresses_of_every_usual_form_are_taken():
    for url in ("http://localhost", "https://h.example:443/a/b/v1", "http://[::1]:8000/v1", "http://bücher.example/v1"):
        assert open_model(f"openai:m@{url}").name == f"openai:m@{url}"


def test_a_bad_address_in_the_environment_is_named_by_its_variable(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://h:99999")
    with pytest.raises(InputError, match=r"^OPENAI_BASE_URL: a base URL is .* got \"http://h:99999\""):
        openai_model("m")


def test_a_timeout_is_for_servers_and_a_number_of_seconds():
    model = openai_model("m@http://h/v1", timeout_seconds=7)
    assert model.bounds.timeout_seconds == model.silence.timeout_seconds == 7
    for seconds in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InputError, match="a timeout is a number of seconds above 0"):
            open_model("openai:m@http://h/v1", timeout_seconds=seconds)
    with pytest.raises(InputError, match="hf:some/model: a timeout is for openai: models, got 7"):
        open_model("hf:some/model", timeout_seconds=7)


def test_the_options_of_the_chat_template_are_sent_to_the_server():
    with faulty_server() as server:
        model = OpenAIModel("tiny", server.url)
        list(model.complete([Request(ASK), Request(ASK, template_options={"enable_thinking": True})]))
        sent = [body.get("chat_template_kwargs") for body in server.bodies]
    assert sorted(map(str, sent)) == ["None", "{'enable_thinking': True}"]
