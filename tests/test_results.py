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
README = HERE.parent / "README.md"


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


def test_the_prose_about_ddxplus_says_what_the_records_say(folders: dict[str, Path]):
    runs = folders["ddxplus-seed0"]

    def of(run: str, metric: str) -> dict[str, float]:
        return json.loads((runs / "eval" / run / "metrics.json").read_text(encoding="utf-8"))["metrics"][metric]

    def value(run: str, metric: str) -> float:
        return of(run, metric)["value"]

    def with_interval(run: str) -> str:
        right = of(run, "n_correct")
        return f"{right['value']:.2f} [{right['low']:.2f}, {right['high']:.2f}]"

    def ratio(metric: str) -> str:
        return f"{value('rlvr-multi', metric) / value('rlvr-single', metric):.2f} times as many"

    log = list(map(json.loads, (runs / "train" / "rlcr-single" / "log.jsonl").read_text(encoding="utf-8").splitlines()))
    zero_from = max(each["step"] for each in log if each["confidence/mean"] > 0) + 1
    alarms = {
        alarm["alarm"]: alarm["step"]
        for run in ("rlcr-single", "rlcr-multi")
        for alarm in map(json.loads, (runs / "train" / run / "alarms.jsonl").read_text(encoding="utf-8").splitlines())
    }
    ece = {run: f"{value(run, 'set/ece'):.3f}" for run in ("rlcr-multi", "rlvr-multi+prompt", "rlvr-multi+continue")}
    readme, document = (" ".join(path.read_text(encoding="utf-8").split()) for path in (README, DOCUMENT))
    assert f"{with_interval('rlvr-multi')} of three answers written together" in readme
    assert f"single-answer model have {with_interval('rlvr-single')}" in readme
    for said in (
        f"{ratio('coverage')} right and different",
        f"coverage {value('rlvr-multi', 'coverage'):.3f} against {value('rlvr-single', 'coverage'):.3f}",
        f"{value('rlvr-multi', 'uniqueness'):.2f} of 3 different",
        f"{ratio('tokens')}, where the paper has",
        f"set ECE is {ece['rlcr-multi']}, RLVR-multi's {ece['rlvr-multi+prompt']} asked by the prompt",
        f"and {ece['rlvr-multi+continue']} forced",
        f"claim {value('rlcr-multi', 'set/confidence'):.2f} to have any right, and "
        f"{value('rlcr-multi', 'set/accuracy'):.2f} have",
        f"AUROC {value('rlcr-multi', 'set/auroc'):.2f}, RLVR-multi's {value('rlvr-multi+prompt', 'set/auroc'):.2f}",
        f"from step {zero_from} every one was 0",
        f"`groups_without_variance` at step {alarms['groups_without_variance']}",
        f"`confidences_pinned_to_one` rang at step {alarms['confidences_pinned_to_one']}",
    ):
        assert said in document


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
    with pytest.raises(InputError, match="every block ends with"):
        written_anew(text, folders)


def test_a_figure_of_no_archive_is_named(folders: dict[str, Path]):
    with pytest.raises(InputError, match=r'no archive has these figures, got \["nothing"\]'):
        figures("![x](figures/nothing/x.svg)", folders)


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
