"""A report that follows its runs: made anew when they write, patient while they work, readable here alone."""

import http.client
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from setwise.errors import InputError
from setwise.evaluation.methods import METHODS
from setwise.records.files import dump_record
from setwise.records.training_log import TrainingLog
from setwise.reports import Written
from setwise.workflows import report_watch
from setwise.workflows.audit import audit_runs
from setwise.workflows.report import make_report
from setwise.workflows.report_progress import progress_of, run_folders
from setwise.workflows.report_server import ReportServer
from setwise.workflows.report_watch import Watch
from tests.reports.browser import chromium
from tests.reports.made_up import MadeUpTask, make_run

RECIPE = "model: {path: some/model}\nobjective: {name: rlvr-multi, k: 3}\noptimisation: {steps: 40}\n"


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_watch, "PATIENCE", 0.0)
    monkeypatch.setattr(report_watch, "SECONDS_BETWEEN_LOOKS", 0.1)


@pytest.fixture
def training(tmp_path: Path) -> Path:
    """A training that is going on."""
    folder = tmp_path / "runs" / "train"
    for step in range(1, 11):
        TrainingLog(folder).add_step(step, {"coverage": 0.03 * step, "reward": 1.0})
    (folder / "config.yaml").write_text(RECIPE, encoding="utf-8")
    return folder


def watching(tmp_path: Path, *paths: Path) -> Watch:
    def make(folders: Sequence[Path]) -> Written:
        return make_report(folders, tmp_path / "out", formats=("svg",), resamples=20)

    return Watch(paths or (tmp_path / "runs",), make)


def test_the_report_is_made_anew_when_a_run_has_written_and_only_then(training: Path, tmp_path: Path):
    watch = watching(tmp_path)
    assert [watch.look().version for _ in range(3)] == [1, 1, 1]
    first = (tmp_path / "out" / "report.html").read_bytes()
    TrainingLog(training).add_step(11, {"coverage": 0.9})
    assert watch.look().version == 2
    assert (tmp_path / "out" / "report.html").read_bytes() != first
    [run] = watch.seen.runs
    assert (run.name, run.told, run.share) == ("train", "step 11 of 40", 11 / 40)


def test_the_report_is_made_anew_when_a_run_is_audited(tmp_path: Path):
    run = make_run(tmp_path / "runs" / "eval", MadeUpTask(4), METHODS["rlcr-multi"])
    watch = watching(tmp_path)
    assert watch.look().version == 1
    audit_runs([run])
    assert [watch.look().version for _ in range(2)] == [2, 2]
    assert 'id="audit"' in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_an_evaluation_that_is_going_on_is_told_and_not_an_error(training: Path, tmp_path: Path):
    done = make_run(tmp_path / "runs" / "eval", MadeUpTask(4), METHODS["rlcr-multi"])
    (done / "metrics.json").unlink()
    lines = (done / "samples.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (done / "samples.jsonl").write_text("".join(lines[:3]), encoding="utf-8")
    watch = watching(tmp_path)
    assert {run.name: run.told for run in watch.look().runs} == {"eval": "3 of 4 completions", "train": "step 10 of 40"}
    assert (watch.seen.version, watch.seen.complaint) == (1, "")
    (done / "samples.jsonl").write_text("".join(lines), encoding="utf-8")
    assert progress_of(done, "eval").told == "being judged"


def test_a_run_that_has_not_begun_is_waited_for(tmp_path: Path):
    watch = watching(tmp_path, tmp_path / "later")
    seen = watch.look()
    assert (seen.version, [run.told for run in seen.runs]) == (0, ["not begun"])
    (tmp_path / "later").mkdir()
    (tmp_path / "later" / "config.yaml").write_text(RECIPE, encoding="utf-8")
    assert [run.told for run in watch.look().runs] == ["begun, nothing logged yet"]


def test_a_report_that_cannot_be_made_leaves_the_last_one_and_says_why(training: Path, tmp_path: Path):
    watch = watching(tmp_path)
    watch.look()
    page = (tmp_path / "out" / "report.html").read_bytes()
    with (training / "log.jsonl").open("a", encoding="utf-8") as log:
        log.write(dump_record({"step": 11, "reward": 1.0}) + '{"schema": 99, "step": 12}\n')
    stop = Event()
    follower = Thread(target=watch.follow, args=(stop,))
    follower.start()
    while not watch.seen.complaint:
        stop.wait(0.02)
    stop.set()
    follower.join()
    assert "schema must be 2" in watch.seen.complaint
    assert (tmp_path / "out" / "report.html").read_bytes() == page


def test_runs_are_found_below_a_folder_and_not_below_a_run(training: Path, tmp_path: Path):
    (training / "checkpoints" / "checkpoint-1").mkdir(parents=True)
    (training / "checkpoints" / "checkpoint-1" / "log.jsonl").touch()
    nested = tmp_path / "runs" / "seed-1" / "train"
    TrainingLog(nested).add_step(1, {})
    assert run_folders([tmp_path / "runs"]) == [nested, training]
    assert run_folders([tmp_path / "empty"]) == [tmp_path / "empty"]


@contextmanager
def served(watch: Watch, folder: Path) -> Iterator[ReportServer]:
    server, stop = ReportServer(watch, folder, 0), Event()
    threads = [Thread(target=server.serve_forever), Thread(target=watch.follow, args=(stop,))]
    for thread in threads:
        thread.start()
    try:
        yield server
    finally:
        stop.set()
        server.shutdown()
        for thread in threads:
            thread.join()
        server.server_close()


def asked(server: ReportServer, path: str, host: str | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    connection.request("GET", path, headers={"Host": host} if host else {})
    reply = connection.getresponse()
    found = reply.status, reply.read()
    connection.close()
    return found


def test_the_server_gives_the_report_and_nothing_else_and_only_to_this_machine(training: Path, tmp_path: Path):
    watch = watching(tmp_path)
    watch.look()
    with served(watch, tmp_path / "out") as server:
        assert asked(server, "/report.html") == (200, (tmp_path / "out" / "report.html").read_bytes())
        assert json.loads(asked(server, "/seen")[1])["runs"][0]["told"] == "step 10 of 40"
        for path in ("/report.md", "/../runs/train/log.jsonl", "/report.reasoning/../report.md", "//etc/passwd"):
            assert asked(server, path)[0] == 404
        assert asked(server, "/report.html", host="elsewhere.example")[0] == 403
        with pytest.raises(InputError, match=r"--port: the port cannot be used .*; 0 takes a free one"):
            ReportServer(watch, tmp_path, server.server_address[1])


def test_the_page_reloads_when_the_run_goes_on_and_keeps_its_place(training: Path, tmp_path: Path):
    with chromium() as browser, served(watching(tmp_path), tmp_path / "out") as server:
        page = browser.new_page(viewport={"width": 1000, "height": 500})
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(server.address)
        page.wait_for_selector("iframe:not([hidden])")
        page.frame_locator("iframe").locator("#training svg").first.wait_for()
        page.evaluate("document.querySelector('iframe').contentWindow.scrollTo(0, 300)")
        for step in range(11, 21):
            TrainingLog(training).add_step(step, {"coverage": 0.5, "reward": 1.0})
        page.wait_for_function("!document.querySelector('iframe').src.endsWith('?1')", timeout=15_000)
        page.wait_for_function("document.querySelector('iframe').contentWindow.scrollY === 300", timeout=15_000)
        page.wait_for_function("document.querySelector('#runs').innerText.includes('step 20 of 40')", timeout=15_000)
        assert complaints == []
