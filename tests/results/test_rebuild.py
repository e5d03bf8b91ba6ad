"""The published results follow from their records."""

import json
import lzma
import tarfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from results import records
from results.rebuild import DOCS, DOCUMENTS, HERE, figures, name_of, written_anew
from results.rescore import rescore
from setwise.cli import main as setwise
from setwise.errors import InputError
from setwise.evaluation.analyses import Analyses, by_problem
from setwise.evaluation.measure import metrics_of
from setwise.evaluation.tally import Tally
from setwise.records.measured import Metrics
from setwise.records.run import RunFolder
from tests.tasks.made_up import patient, write_ddxplus

pytestmark = pytest.mark.slow

ARCHIVES = sorted(HERE.glob("*.tar.xz"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_and_its_figures_are_what_the_records_give(document: Path, folders: dict[str, Path]):
    text = document.read_text(encoding="utf-8")
    assert written_anew(document, folders) == text
    for place, figure in figures(text, folders).items():
        assert place.read_text(encoding="utf-8") == figure


def test_every_figure_is_shown(folders: dict[str, Path]):
    shown = {place for document in DOCUMENTS for place in figures(document.read_text(encoding="utf-8"), folders)}
    assert shown
    drawn_by_scripts = {path for name in ("readme", "concepts") for path in (DOCS / "figures" / name).iterdir()}
    assert shown == set((DOCS / "figures").glob("*/*.svg")) - drawn_by_scripts


NEWER = {"pooled/auroc_within_places"}
"""Metrics that records made before them lack."""


@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda path: path.name)
def test_every_number_of_a_run_follows_from_its_judged_sets(archive: Path, folders: dict[str, Path]):
    for run in sorted(folders[name_of(archive)].glob("eval/*")):
        folder, tally, analyses = RunFolder(run), Tally(), Analyses()
        told = folder.read_metrics()
        for _, attempts in by_problem(folder.attempts()):
            analyses.add(attempts)
            for attempt in attempts:
                tally.add(attempt)
        found = metrics_of(tally, resamples=told.resamples)
        stored, computed = _numbers(told.metrics), _numbers(found)
        assert computed.keys() - stored.keys() <= NEWER, run.name
        assert _rounded({name: computed[name] for name in computed if name in stored}) == _rounded(stored), run.name
        assert _rounded(analyses.to_record()) == _rounded(told.analyses), run.name


def test_the_records_are_small_and_hold_no_rows_of_a_dataset():
    assert sum(archive.stat().st_size for archive in ARCHIVES) < 24e6
    for archive in ARCHIVES:
        with tarfile.open(archive) as packed:
            for entry in packed:
                stream: Any = packed.extractfile(entry)
                if entry.name.endswith("samples.jsonl"):
                    assert all(json.loads(line)["problem"].keys() == {"id"} for line in stream), entry.name


def test_what_was_unpacked_packs_to_the_same(folders: dict[str, Path], tmp_path: Path):
    for archive in ARCHIVES:
        again = tmp_path / archive.name
        records.pack(folders[name_of(archive)], again, preset=0)
        assert lzma.decompress(again.read_bytes()) == lzma.decompress(archive.read_bytes())


def test_an_archive_holds_of_a_problem_its_id_alone(tmp_path: Path):
    run = tmp_path / "runs" / "eval" / "rlvr-multi"
    run.mkdir(parents=True)
    asked = [{"id": "a", "question": "Why?", "golds": ["Flu"]}, {"id": "b", "question": "", "golds": ["Flu"]}]
    samples = [json.dumps({"schema": 2, "problem": problem, "text": "hm"}) + "\n" for problem in asked]
    (run / "samples.jsonl").write_text("".join(samples), encoding="utf-8")
    records.pack(tmp_path / "runs", tmp_path / "archive.tar.xz")
    records.unpack(tmp_path / "archive.tar.xz", tmp_path / "again")
    again = (tmp_path / "again" / "eval" / "rlvr-multi" / "samples.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line)["problem"] for line in again.splitlines()] == [{"id": "a"}, {"id": "b"}]


def test_published_completions_can_be_judged_again_each_run_with_its_own_task(tmp_path: Path):
    text = "<think>hm</think><answer1>Croup</answer1><answer2>glass elbow.</answer2><answer3>Gout</answer3>"
    data, judged = tmp_path / "data", dict[Path, bytes]()
    likely = ("--option", "min_probability=0.5")
    runs = {"test": ("test", ()), "validate": ("validate", ()), "likely": ("test", likely)}
    for name, (split, options) in runs.items():
        patients = [patient(AGE=str(age)) for age in range(20, 24)]
        write_ddxplus(data, patients, f"{split}.csv")
        replies = [{"problem": f"ddxplus-{split}-{row}", "text": text} for row in range(1, 5)]
        script = tmp_path / "script.jsonl"
        script.write_text("".join(json.dumps(reply) + "\n" for reply in replies), encoding="utf-8")
        asked = ("--task", "ddxplus", "--path", str(data), "--split", split, "--method", "rlvr-multi", *options)
        run = tmp_path / "runs" / "eval" / name
        assert setwise(["eval", *asked, "--model", f"scripted:{script}", "--out", str(run)]) == 0
        judged |= {Path("eval") / name / file: (run / file).read_bytes() for file in ("scores.jsonl", "metrics.json")}
        (run / "scores.jsonl").write_text("", encoding="utf-8")
    archive = tmp_path / "archive.tar.xz"
    records.pack(tmp_path / "runs", archive)
    rescore(archive, data)
    records.unpack(archive, tmp_path / "again")
    assert {name: (tmp_path / "again" / name).read_bytes() for name in judged} == judged
    right = {
        name.parent.name: json.loads(judged[name])["metrics"]["n_correct"]["value"]
        for name in judged
        if name.suffix == ".json"
    }
    assert right == {"test": 2, "validate": 2, "likely": 1}


def test_an_archive_without_evaluations_cannot_be_judged_again(tmp_path: Path):
    (tmp_path / "runs" / "train" / "rlcr-single").mkdir(parents=True)
    (tmp_path / "runs" / "train" / "rlcr-single" / "log.jsonl").write_text("{}", encoding="utf-8")
    records.pack(tmp_path / "runs", tmp_path / "archive.tar.xz")
    with pytest.raises(InputError, match=r"this archive holds none$"):
        rescore(tmp_path / "archive.tar.xz", tmp_path)


def written(folder: Path, text: str) -> Path:
    document = folder / "document.md"
    document.write_text(text, encoding="utf-8")
    return document


@pytest.mark.parametrize("block", ["ddxplus-seed0: Correctness, K = 17", "nothing: Correctness, K = 3"])
def test_a_block_that_no_archive_has_is_named(block: str, folders: dict[str, Path], tmp_path: Path):
    document = written(tmp_path, f"<!-- {block} -->\n<!-- end -->\n")
    with pytest.raises(InputError, match=block):
        written_anew(document, folders)


def test_a_block_without_its_end_swallows_nothing(folders: dict[str, Path], tmp_path: Path):
    text = "<!-- ddxplus-seed0: multi against single -->\nprose\n<!-- ddxplus-seed0: Training -->\n<!-- end -->\n"
    with pytest.raises(InputError, match="every block ends with"):
        written_anew(written(tmp_path, text), folders)


def test_a_figure_of_no_archive_is_named(folders: dict[str, Path]):
    with pytest.raises(InputError, match=r'no archive has these figures, got \["nothing"\]'):
        figures("![x](../figures/nothing/x.svg)", folders)


def test_the_command_line_says_how_it_is_used(capsys: pytest.CaptureFixture[str]):
    assert records.main(["pack"]) == 2
    assert "unpack" in capsys.readouterr().err


def _numbers(metrics: Metrics) -> dict[str, dict[str, float | None]]:
    return {name: asdict(estimate) for name, estimate in metrics.estimates.items()}


def _rounded(value: Any) -> Any:
    """Sums in another order differ in the last digits on another machine, and smooth ECE is found by halving."""
    if isinstance(value, float):
        return pytest.approx(value, rel=1e-8, abs=1e-12)
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value
