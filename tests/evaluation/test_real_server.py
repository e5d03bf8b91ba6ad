"""End to end: `transformers serve` on loopback, a tiny model with random weights, a whole run."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from setwise.evaluation.generation import Inquiry, generate
from setwise.evaluation.methods import named_method
from setwise.evaluation.score_run import score_run
from setwise.models import Sampling, open_model
from setwise.records.run import RunFolder
from setwise.records.sample_file import SampleFile
from tests.evaluation.made_up import MadeUpTask, asked
from tests.models.tiny_model import save_tiny_model

for package in ("torch", "transformers", "fastapi", "uvicorn"):
    pytest.importorskip(package)

START_SECONDS = 90


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The address and the model's name. The server is a process of its own, ended at the end."""
    model = save_tiny_model(tmp_path_factory.mktemp("served"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = Path(sys.executable).with_name("transformers")
    log = (tmp_path_factory.mktemp("log") / "server.log").open("wb")
    process = subprocess.Popen(
        [str(command), "serve", str(model), "--port", str(port), "--device", "cpu"],
        stdout=log,
        stderr=subprocess.STDOUT,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
    )
    try:
        _wait_until_healthy(f"http://127.0.0.1:{port}/health", process, Path(log.name))
        yield f"http://127.0.0.1:{port}/v1", model
    finally:
        process.terminate()
        process.wait(timeout=20)
        log.close()


def _wait_until_healthy(url: str, process: subprocess.Popen, log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.3)
    raise AssertionError(f"the server did not start:\n{log.read_text(errors='replace')[-2000:]}")


@pytest.mark.filterwarnings("ignore")
def test_a_real_server_is_asked_scored_and_asked_no_more_than_once(served, tmp_path):
    url, path = served
    folder = RunFolder(tmp_path)
    inquiry = Inquiry(MadeUpTask(3), named_method("rlvr-single"), Sampling(temperature=1.0, max_tokens=8))
    model = open_model(f"openai:{path}@{url}", at_once=2)
    done = asked(folder, inquiry, model)
    assert (done.added, done.failed) == (9, 0), done
    assert generate(inquiry, model, SampleFile.opened(folder.samples)).added == 0
    samples = [sample for group in SampleFile.opened(folder.samples).by_question() for sample in group]
    assert all(sample.tokens is not None and 1 <= sample.tokens <= 8 for sample in samples)
    assert {sample.finish_reason for sample in samples} <= {"stop", "length"}
    metrics = score_run(folder, inquiry.task.matcher, resamples=50)
    assert metrics["coverage"].value == 0
    assert metrics.counts["completions"] == 9
    assert metrics["tokens"].value == pytest.approx(sum(sample.tokens or 0 for sample in samples) / 3)
