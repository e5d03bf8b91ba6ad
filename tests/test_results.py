"""The published results follow from their records."""

import json
import lzma
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from results import records
from results.claims import DATASETS
from results.rebuild import DOCS, DOCUMENTS, HERE, figures, name_of, rebuild, written_anew
from results.rescore import rescore
from setwise.cli import main as setwise
from setwise.errors import InputError
from setwise.evaluation.analyses import Analyses, by_problem
from setwise.evaluation.measuring import metrics_of
from setwise.evaluation.run import RunFolder
from setwise.evaluation.tally import Tally
from tests.tasks.made_up import patient, write_ddxplus

ARCHIVES = sorted(HERE.glob("*.tar.xz"))
README = HERE.parent / "README.md"
PROMPTED = "rlvr-single-prompted-multi"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return rebuild(ARCHIVES, tmp_path_factory.mktemp("published"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_and_its_figures_are_what_the_records_give(document: Path, folders: dict[str, Path]):
    text = document.read_text(encoding="utf-8")
    assert written_anew(document, folders) == text
    for place, figure in figures(text, folders).items():
        assert place.read_text(encoding="utf-8") == figure


def test_every_figure_is_shown(folders: dict[str, Path]):
    shown = {place for document in DOCUMENTS for place in figures(document.read_text(encoding="utf-8"), folders)}
    assert shown
    assert shown == set((DOCS / "figures").glob("*/*.svg"))


@dataclass(frozen=True)
class Told:
    """What the records of one dataset say."""

    folder: Path

    def numbers(self, run: str) -> dict[str, Any]:
        return json.loads((self.folder / "eval" / run / "metrics.json").read_text(encoding="utf-8"))

    def of(self, run: str, metric: str) -> dict[str, float]:
        return self.numbers(run)["metrics"][metric]

    def value(self, run: str, metric: str) -> float:
        return self.of(run, metric)["value"]

    def right(self, run: str) -> str:
        right = self.of(run, "n_correct")
        return f"{right['value']:.2f} [{right['low']:.2f}, {right['high']:.2f}]"

    def times(self, metric: str) -> str:
        return f"{self.value('rlvr-multi', metric) / self.value('rlvr-single', metric):.2f}"

    def set_ece(self) -> str:
        multi, asked, forced = (
            f"{self.value(run, 'set/ece'):.3f}" for run in ("rlcr-multi", "rlvr-multi+prompt", "rlvr-multi+continue")
        )
        return f"set ECE is {multi}, RLVR-multi's {asked} asked by the prompt and {forced} forced"

    def claiming(self, run: str, *confidences: float) -> str:
        """Of the sets with these confidences, how many have any right."""
        sets = [each for each in RunFolder(self.folder / "eval" / run).attempts() if each.confidences == confidences]
        return percent(sum(any(each.correct) for each in sets) / len(sets))

    def summing_to_one(self, run: str) -> str:
        attempts = RunFolder(self.folder / "eval" / run).attempts()
        stated = [[q for q in each.confidences if q is not None] for each in attempts]
        sums = [sum(each) for each in stated if len(each) == 3]
        return percent(sum(abs(each - 1) < 1e-6 for each in sums) / len(sums))

    def log(self, run: str) -> list[dict[str, float]]:
        lines = (self.folder / "train" / run / "log.jsonl").read_text(encoding="utf-8").splitlines()
        return list(map(json.loads, lines))

    def right_at_first(self, run: str) -> tuple[str, str]:
        """In the first ten steps: of all answers, and of those that could be read."""
        right, valid = (sum(step[name] for step in self.log(run)[:10]) for name in ("set/pass_at_1", "parse/valid"))
        return percent(right / 10, 1), percent(right / valid, 1)

    def alarms(self) -> dict[tuple[str, str], int]:
        """By training and alarm, the step of it."""
        return {
            (file.parent.name, alarm["alarm"]): alarm["step"]
            for file in self.folder.glob("train/*/alarms.jsonl")
            for alarm in map(json.loads, file.read_text(encoding="utf-8").splitlines())
        }


def percent(share: float, digits: int = 0) -> str:
    return f"{share:.{digits}%}".replace("%", " %")


def prose(path: Path) -> str:
    return " ".join(path.read_text(encoding="utf-8").split())


def test_the_readme_says_what_the_records_say(folders: dict[str, Path]):
    readme = prose(README)
    for archive in DATASETS:
        told = Told(folders[archive])
        assert f"{told.right('rlvr-multi')} against {told.right('rlvr-single')} on" in readme


def test_the_overview_says_what_the_records_say(folders: dict[str, Path]):
    all_told = [Told(folders[archive]) for archive in DATASETS]
    repeats = [
        " against ".join(f"{told.value(run, 'n_correct_with_repeats'):.2f}" for run in ("rlvr-multi", "rlvr-single"))
        for told in all_told
    ]
    first, second, third = (told.times("pass_at_1") for told in all_told)
    medicine, facts, code = (
        " against ".join(f"{told.value(run, 'set/auroc'):.2f}" for run in ("rlcr-multi", "rlvr-multi+prompt"))
        for told in all_told
    )
    overview = prose(DOCS / "results.md")
    assert f"({', '.join(repeats)})" in overview
    assert f"RLVR-multi has {first}, {second} and {third} times as many" in overview
    assert f"on HotPotQA-Modified (AUROC {facts}) and less well on the others ({medicine}, {code})" in overview
    clipped = all_told[1].value("rlvr-multi+prompt", "set/ece_clipped")
    assert f"on HotPotQA-Modified its sums above 1 count in full (cut at 1: {clipped:.3f})" in overview
    for told in (all_told[0], all_told[2]):
        for run in ("rlcr-multi", "rlvr-multi+prompt"):
            assert told.value(run, "pooled/brier") > told.value(run, "pooled/brier_base_rate")
    for run, verb in ((PROMPTED, "has a coverage of"), ("rlvr-multi", "trained for sets,")):
        medicine, facts, code = (told.value(run, "coverage") for told in all_told)
        assert f"{verb} {medicine:.2f}, {facts:.3f} and {code:.2f}" in overview


def test_the_prose_about_ddxplus_says_what_the_records_say(folders: dict[str, Path]):
    told = Told(folders["ddxplus-seed0"])
    zero_from = int(max(each["step"] for each in told.log("rlcr-single") if each["confidence/mean"] > 0)) + 1
    alarms = told.alarms()
    page, overview = prose(DOCS / "results" / "ddxplus.md"), prose(DOCS / "results.md")
    for said in (
        f"{told.times('coverage')} times as many right and different",
        f"coverage {told.value('rlvr-multi', 'coverage'):.3f} against {told.value('rlvr-single', 'coverage'):.3f}",
        f"{told.value('rlvr-multi', 'uniqueness'):.2f} of 3 different",
        f"{told.times('tokens')} times as many, where the paper has",
        told.set_ece(),
        f"claim {told.value('rlcr-multi', 'set/confidence'):.2f} to have any right, and "
        f"{told.value('rlcr-multi', 'set/accuracy'):.2f} have",
        f"AUROC {told.value('rlcr-multi', 'set/auroc'):.2f}, "
        f"RLVR-multi's {told.value('rlvr-multi+prompt', 'set/auroc'):.2f}",
        f"`confidences_pinned_to_one` rang at step {alarms['rlcr-multi', 'confidences_pinned_to_one']}",
        f"10 sets of three, which take {told.times('tokens')} times the tokens",
    ):
        assert said in page
    for said in (
        "In the first ten steps {} of the answers were right ({} of those".format(*told.right_at_first("rlcr-single")),
        f"from step {zero_from} every one was 0",
        f"`confidence_collapse` at step {alarms['rlcr-single', 'confidence_collapse']}, "
        f"`groups_without_variance` at step {alarms['rlcr-single', 'groups_without_variance']}",
    ):
        assert said in overview


def test_the_prose_about_hotpotqa_says_what_the_records_say(folders: dict[str, Path]):
    told = Told(folders["hotpotqa-seed0"])
    alarms = told.alarms()
    log = told.log("rlcr-multi")
    sums, ones = ([step[name] for step in log] for name in ("confidence/sum", "confidence/sum_is_one"))
    lowest, peak = sums.index(min(sums)), sums.index(max(sums[sums.index(min(sums)) :]))
    ddxplus = Told(folders["ddxplus-seed0"]).log("rlcr-multi")
    pinned = [int(step["step"]) for step in ddxplus if step["confidence/sum_is_one"] > 0.8]
    page, overview = prose(DOCS / "results" / "hotpotqa.md"), prose(DOCS / "results.md")
    for said in (
        f"sets hold the right answer {told.times('pass_at_k')} times as often as three samples of RLVR-single "
        f"({told.value('rlvr-multi', 'pass_at_k'):.3f} against {told.value('rlvr-single', 'pass_at_k'):.3f},",
        f"for {told.times('tokens')} times the tokens",
        told.set_ece(),
        f"cut at 1 it is {told.value('rlvr-multi+prompt', 'set/ece_clipped'):.3f}",
        f"RLVR-multi claims {told.value('rlvr-multi+prompt', 'set/confidence'):.2f} right answers a set",
        f"RLCR-multi claims {told.value('rlcr-multi', 'set/confidence'):.2f}.",
        f"an AUROC of {told.value('rlcr-multi', 'set/auroc'):.2f}",
        f"among first answers {told.value('rlcr-multi', 'top1/auroc'):.2f}",
        f"{told.claiming('rlcr-multi', 0.1, 0.1, 0.1)} of those hold the right answer",
        f"0.10, 0.03, 0.02, {told.claiming('rlcr-multi', 0.1, 0.03, 0.02)} do",
        f"the mean sum was {max(sums):.2f} at step {1 + sums.index(max(sums))} and fell",
        f"at step {1 + ones.index(max(ones))}, {percent(max(ones))} of the sums were 1",
        f"from step {1 + len(ones) - next(i for i, share in enumerate(reversed(ones)) if share)} none",
        f"The mean reached {sums[lowest]:.2f} (step {1 + lowest}), rose to {sums[peak]:.2f} (step {1 + peak}) and "
        f"ended at {sums[-1]:.2f}",
        f"{-told.value('rlcr-multi', 'set/count_gap'):.2f} below what is right",
        f"{percent(told.value('rlcr-zero-shot', 'set/sum_above_one'))} of its sums are above, "
        f"{told.summing_to_one('rlcr-zero-shot')} are 1",
        f"has {told.summing_to_one('rlvr-multi+prompt')} of its sums at 1",
        f"from step {pinned[0]} to {pinned[-1]}",
        f"10 sets of three, which take {told.times('tokens')} times the tokens",
    ):
        assert said in page
    assert {run for run, _ in alarms} == {"rlcr-single"}
    for alarm in ("confidence_collapse", "groups_without_variance", "length_drift"):
        assert f"`{alarm}` at step {alarms['rlcr-single', alarm]}" in page
    assert "{} right in the first ten steps ({})".format(*told.right_at_first("rlcr-single")) in overview
    assert f"as the base model's ({told.value('rlcr-single', 'pass_at_1'):.2f}," in overview
    assert told.value("rlcr-single", "pass_at_1") == pytest.approx(told.value("rlcr-zero-shot", "pass_at_1"), abs=0.01)


def test_the_prose_about_mbpp_says_what_the_records_say(folders: dict[str, Path]):
    told = Told(folders["mbpp-seed0"])
    confidences = [step["confidence/mean"] for step in told.log("rlcr-single")]
    single, multi = (told.value(run, "n_correct") for run in ("rlvr-single", "rlvr-multi"))
    by_30 = [told.numbers(run)["analyses"]["budget"][-1]["distinct_correct"] for run in ("rlvr-multi", "rlvr-single")]
    renamed = [told.value(run, "distinct_correct/canonical") for run in ("rlvr-multi", "rlvr-single")]
    repeated = {run: told.value(run, "n_correct_with_repeats") for run in ("rlvr-single", "rlvr-multi", PROMPTED)}
    page, overview = prose(DOCS / "results" / "mbpp.md"), prose(DOCS / "results.md")
    for said in (
        f"writes {told.times('n_correct')} times as many right and different programs",
        f"({multi:.2f} against {single:.2f},",
        f"{told.value('rlvr-multi', 'uniqueness'):.2f} of 3 different, for {told.times('tokens')} times the tokens",
        told.set_ece(),
        f"hold {by_30[0]:.1f} right and different ones from RLVR-multi and {by_30[1]:.1f} from RLVR-single",
        f"{renamed[0]:.2f} against {renamed[1]:.2f} are right and different",
        f"three samples of RLVR-single hold {repeated['rlvr-single']:.2f} right programs and a set of "
        f"RLVR-multi {repeated['rlvr-multi']:.2f}",
        f"writes {repeated[PROMPTED]:.2f} right programs, "
        f"of which {told.value(PROMPTED, 'distinct_correct'):.2f} are different",
        f"(pooled AUROC {told.value('rlcr-multi', 'pooled/auroc'):.2f}; "
        f"RLVR-multi's {told.value('rlvr-multi+prompt', 'pooled/auroc'):.2f})",
        f"fell from {confidences[0]:.2f} to {confidences[-1]:.2f}",
        f"10 sets of three, which take {told.times('tokens')} times the tokens",
    ):
        assert said in page
    assert not told.alarms()
    assert "{} right in the first ten steps ({})".format(*told.right_at_first("rlcr-single")) in overview


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


def test_published_completions_can_be_judged_again(tmp_path: Path):
    data = write_ddxplus(tmp_path / "data", [patient(AGE=str(age)) for age in range(20, 24)], "test.csv").parent
    text = "<think>hm</think><answer1>Croup</answer1><answer2>glass elbow.</answer2><answer3>Gout</answer3>"
    replies = [{"problem": f"ddxplus-test-{row}", "text": text} for row in range(1, 5)]
    script = tmp_path / "script.jsonl"
    script.write_text("".join(json.dumps(reply) + "\n" for reply in replies), encoding="utf-8")
    asked = ("--task", "ddxplus", "--path", str(data), "--split", "test", "--method", "rlvr-multi")
    run = tmp_path / "runs" / "eval" / "rlvr-multi"
    assert setwise(["eval", *asked, "--model", f"scripted:{script}", "--out", str(run)]) == 0
    judged = {file.name: file.read_bytes() for file in (run / "scores.jsonl", run / "metrics.json")}
    (run / "scores.jsonl").write_text("", encoding="utf-8")
    archive = tmp_path / "archive.tar.xz"
    records.pack(tmp_path / "runs", archive)
    rescore(archive, data)
    records.unpack(archive, tmp_path / "again")
    assert {name: (tmp_path / "again" / "eval" / "rlvr-multi" / name).read_bytes() for name in judged} == judged
    assert json.loads(judged["metrics.json"])["metrics"]["n_correct"]["value"] == 2


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
