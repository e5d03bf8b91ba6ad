"""The published results follow from their records."""

import json
import lzma
import tarfile
from pathlib import Path
from typing import Any

import pytest

from results import records
from results.rebuild import DOCUMENT, HERE, figures, name_of, rebuild, written_anew
from setwise.errors import InputError
from setwise.evaluation.analyses import Analyses, by_problem
from setwise.evaluation.measuring import metrics_of
from setwise.evaluation.run import RunFolder
from setwise.evaluation.tally import Tally

ARCHIVES = sorted(HERE.glob("*.tar.xz"))


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return rebuild(ARCHIVES, tmp_path_factory.mktemp("published"))


def test_the_document_and_its_figures_are_what_the_records_give(folders: dict[str, Path]):
    text = DOCUMENT.read_text(encoding="utf-8")
    assert written_anew(text, folders) == text
    drawn = figures(text, folders)
    assert drawn
    for place, figure in drawn.items():
        assert (DOCUMENT.parent / "figures" / place).read_text(encoding="utf-8") == figure


@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda path: path.name)
def test_every_number_of_a_run_follows_from_its_judged_sets(archive: Path, folders: dict[str, Path]):
    for run in sorted((folders[name_of(archive)] / "eval").iterdir()):
        folder, tally, analyses = RunFolder(run), Tally(), Analyses()
        told = folder.read_metrics()
        for _, attempts in by_problem(folder.attempts()):
            analyses.add(attempts)
            for attempt in attempts:
                tally.add(attempt)
        found = metrics_of(tally, resamples=told["resamples"]).to_record()
        assert _rounded(found["metrics"]) == _rounded(told["metrics"]), run.name
        assert _rounded(analyses.to_record()) == _rounded(told["analyses"]), run.name


def test_the_records_are_small_and_hold_no_rows_of_a_dataset():
    assert sum(archive.stat().st_size for archive in ARCHIVES) < 20e6
    for archive in ARCHIVES:
        with tarfile.open(archive) as packed:
            for entry in packed:
                stream: Any = packed.extractfile(entry)
                if entry.name.endswith("samples.jsonl"):
                    problems = {json.dumps(json.loads(line)["problem"] | {"id": ""}) for line in stream}
                    assert problems == {json.dumps({"id": "", "question": "", "golds": [records.ELSEWHERE]})}


def test_what_was_unpacked_packs_to_the_same(folders: dict[str, Path], tmp_path: Path):
    for archive in ARCHIVES:
        again = tmp_path / archive.name
        records.pack(folders[name_of(archive)], again, preset=0)
        assert lzma.decompress(again.read_bytes()) == lzma.decompress(archive.read_bytes())


def test_a_block_that_no_archive_has_is_named(folders: dict[str, Path]):
    text = "<!-- ddxplus-seed0: Correctness, K = 17 -->\n<!-- end -->\n"
    with pytest.raises(InputError, match="ddxplus-seed0: Correctness, K = 17"):
        written_anew(text, folders)


def test_a_block_without_its_end_swallows_nothing(folders: dict[str, Path]):
    text = "<!-- ddxplus-seed0: multi against single -->\nprose\n<!-- ddxplus-seed0: Training -->\n<!-- end -->\n"
    with pytest.raises(InputError):
        written_anew(text, folders)


def test_the_command_line_says_how_it_is_used(capsys: pytest.CaptureFixture[str]):
    assert records.main(["pack"]) == 2
    assert "unpack" in capsys.readouterr().err


def _rounded(value: Any) -> Any:
    """Sums in another order differ in the last digits on another machine."""
    if isinstance(value, float):
        return pytest.approx(value, rel=1e-9, abs=1e-12)
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value
