"""A completion on disk has one shape: `eval`, `score` and `scripted:` read what each of them wrote."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from setwise.cli import main
from setwise.objectives import Objective
from setwise.records.files import read_records
from setwise.tasks import load_task
from tests.completions import completion
from tests.evaluation.made_up import multi_text, write_script

EXAMPLES = Path(__file__).parents[2] / "examples" / "completions.jsonl"
ASKED = ("--task", "clinic", "--limit", 6, "--method", "rlcr-multi:2", "--resamples", 0)


def setwise(*words: object) -> int:
    return main([str(word) for word in words])


def numbers(folder: Path) -> dict[str, Any]:
    metrics = json.loads((folder / "metrics.json").read_text())
    return {name: metrics[name] for name in ("metrics", "counts", "analyses", "construction", "regime")}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two completions for each of six problems: one right, one malformed for the odd problems."""
    replies = {}
    for i, problem in enumerate(load_task("clinic", split="test", limit=6)):
        assert problem.golds is not None
        right = multi_text([problem.golds[0].text, "y", "z"], [0.6, 0.2, 0.1])
        replies[problem.id] = [right, "I do not know" if i % 2 else multi_text(["x", "y", "z"], [0.5, 0.2, 0.1])]
    script = write_script(tmp_path / "replies.jsonl", replies)
    assert setwise("eval", *ASKED, "--model", f"scripted:{script}", "--out", tmp_path / "run") == 0
    return tmp_path / "run"


@pytest.fixture
def scored(run: Path) -> Path:
    """The samples of the run, through `setwise score`."""
    out = run.parent / "scored.jsonl"
    words = ("--objective", "rlcr-multi", "--regime", "exclusive", "--out", out)
    assert setwise("score", run / "samples.jsonl", *words) == 0
    return out


def test_score_reads_the_samples_of_a_run_and_keeps_every_line_of_them(run: Path, scored: Path):
    samples, lines = (list(read_records(path)) for path in (run / "samples.jsonl", scored))
    assert [{**line, "score": None} for _, line in lines] == [{**sample, "score": None} for _, sample in samples]
    attempts = [record for _, record in read_records(run / "scores.jsonl")]
    assert [line["score"]["labels"] for _, line in lines] == [attempt["correct"] for attempt in attempts]


def test_a_scored_file_is_a_script(run: Path, scored: Path, tmp_path: Path):
    for script in (run / "samples.jsonl", scored):
        out = tmp_path / f"again-{script.stem}"
        assert setwise("eval", *ASKED, "--model", f"scripted:{script}", "--out", out) == 0
        assert numbers(out) == numbers(run)


@pytest.mark.parametrize("name", ["samples.jsonl", "scored.jsonl"])
def test_a_stored_file_in_a_folder_without_a_config_is_rescored(name: str, run: Path, scored: Path, tmp_path: Path):
    stored = {"samples.jsonl": run / "samples.jsonl", "scored.jsonl": scored}[name]
    folder = tmp_path / "theirs"
    folder.mkdir()
    shutil.copy(stored, folder / "samples.jsonl")
    rescore = ("eval", "--out", folder, "--rescore", "--method", "rlcr-multi", "--resamples", 0)
    assert setwise(*rescore, "--samples", 2, "--regime", "exclusive", "--task", "clinic") == 0
    assert numbers(folder) == numbers(run)
    assert json.loads((folder / "metrics.json").read_text())["method"] == "rlcr-multi"
    assert setwise("eval", "--out", folder, "--rescore", "--resamples", 0) == 0, "by now the folder says how"
    assert numbers(folder) == numbers(run)


def test_completions_of_another_program_need_neither_numbers_nor_tokens(tmp_path: Path):
    shutil.copy(EXAMPLES, tmp_path / "samples.jsonl")
    assert setwise("eval", "--out", tmp_path, "--rescore", "--method", "rlcr-multi", "--resamples", 0) == 0
    lines = len(EXAMPLES.read_text().splitlines())
    assert numbers(tmp_path)["counts"]["completions"] == lines
    assert "tokens" not in numbers(tmp_path)["metrics"]


def test_ids_alone_are_scored_with_their_problems_and_are_a_script_after_that(tmp_path: Path, run: Path):
    problems = tmp_path / "problems.jsonl"
    assert setwise("data", "export", "clinic", "--split", "test", "--limit", 6, "--out", problems) == 0
    ids = [record["id"] for _, record in read_records(problems)]
    text = completion(Objective("rlcr-multi"), ["x", "y", "z"], [0.1, 0.1, 0.1])
    (tmp_path / "said.jsonl").write_text("".join(json.dumps({"problem": i, "text": text}) + "\n" for i in ids * 2))
    words = ("--objective", "rlcr-multi", "--regime", "exclusive", "--out", tmp_path / "scored.jsonl")
    assert setwise("score", tmp_path / "said.jsonl", "--problems", problems, *words) == 0
    script = f"scripted:{tmp_path / 'scored.jsonl'}"
    assert setwise("eval", *ASKED, "--model", script, "--out", tmp_path / "again") == 0
    assert numbers(tmp_path / "again")["metrics"]["pass_at_k"]["value"] == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "no config.json says how these completions were asked for; say so with --method"),
        (("--method", "rlcr-multi", "--temperature", 0), 'takes what was asked from the folder, got ["--temperature"]'),
        (("--method", "rlcr-multi", "--model", "hf:x"), 'takes what was asked from the folder, got ["--model"]'),
        (("--method", "rlcr-mutli"), "did you mean rlcr-multi?"),
        (("--method", "rlcr-multi", "--samples", 9), "no problem has its 9 completions"),
    ],
)
def test_what_completions_without_a_config_are_read_as_must_be_said(
    words: tuple[object, ...], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    shutil.copy(EXAMPLES, tmp_path / "samples.jsonl")
    assert setwise("eval", "--out", tmp_path, "--rescore", *words) == 2
    assert complaint in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["samples.jsonl"]


def test_a_folder_with_a_config_is_read_by_it(run: Path, capsys: pytest.CaptureFixture[str]):
    for words, refused in (
        (("--regime", "inclusive"), '["--regime"]'),
        (("--k", 5, "--temperature", 0), '["--k", "--temperature"]'),
        (("--method", "rlcr-multi:5"), '["--method rlcr-multi:5"]'),
    ):
        assert setwise("eval", "--out", run, "--rescore", *words) == 2
        assert f"takes what was asked from the folder, got {refused}" in capsys.readouterr().err


def test_a_folder_without_completions_is_named_before_any_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    words = ("--rescore", "--method", "rlcr-multi", "--k", 3, "--regime", "exclusive")
    (tmp_path / "theirs").mkdir()
    assert setwise("eval", "--out", tmp_path / "theirs", *words) == 2
    assert capsys.readouterr().err == f"setwise: {tmp_path}/theirs: no samples.jsonl lies here to be scored\n"
    assert setwise("eval", "--out", tmp_path / "thiers", *words) == 2
    said = f"setwise: {tmp_path}/thiers: there is no such folder; did you mean {tmp_path}/theirs?\n"
    assert capsys.readouterr().err == said


def test_completions_of_another_program_are_compared_with_a_run(run: Path, tmp_path: Path):
    folder = tmp_path / "theirs"
    folder.mkdir()
    shutil.copy(run / "samples.jsonl", folder)
    words = ("--method", "rlcr-multi", "--samples", 2, "--regime", "exclusive", "--task", "clinic", "--resamples", 0)
    assert setwise("eval", "--out", folder, "--rescore", *words) == 0
    assert setwise("compare", run, folder, "--resamples", 10) == 0
    assert setwise("report", run, folder, "--out", tmp_path / "report", "--no-pdf", "--resamples", 10) == 0
