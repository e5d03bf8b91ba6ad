"""docs/start/your-data.md, done from top to bottom: one set covers more than three samples, and a report shows it."""

from pathlib import Path

import pytest

from setwise import load_task, read_recipe
from setwise.contract import tagged
from setwise.objectives import Objective
from setwise.records.run import RunFolder
from setwise.training import small_model
from tests.docs.pages import ROOT, read_blocks, run_page

PAGE = ROOT / "docs" / "start" / "your-data.md"
EXAMPLE = ROOT / "examples" / "your-data"
METHODS = ("rlvr-single", "rlcr-multi")

for package in ("torch", "trl"):
    pytest.importorskip(package)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reader's folder after the last line of the page."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "examples").symlink_to(EXAMPLE.parent)
    run_page(PAGE, folder)
    return folder


def value(done: Path, method: str, metric: str) -> float:
    return RunFolder(done / "runs" / "birds" / "eval" / method).read_metrics().metrics[metric].value


@pytest.mark.slow
def test_one_set_covers_more_than_three_samples_of_the_single_model(done: Path):
    assert value(done, "rlcr-multi", "coverage") > value(done, "rlvr-single", "coverage")


@pytest.mark.slow
def test_the_single_model_repeats_itself_and_the_set_does_not(done: Path):
    assert value(done, "rlvr-single", "uniqueness") < value(done, "rlcr-multi", "uniqueness")


@pytest.mark.slow
def test_both_models_have_learnt_to_answer_and_to_keep_the_format(done: Path):
    for method in METHODS:
        assert value(done, method, "pass_at_1") > 0.6, method
        assert value(done, method, "strictly_valid") > 0.8, method


@pytest.mark.slow
def test_the_report_exists_and_names_both_methods(done: Path):
    report = (done / "runs" / "birds" / "report" / "report.md").read_text(encoding="utf-8")
    assert all(name in report for name in ("RLVR single", "RLCR multi"))
    assert (done / "runs" / "birds" / "report" / "report.html").is_file()


def test_the_recipe_on_the_page_is_the_one_that_is_trained():
    shown = [block.text for block in read_blocks(PAGE) if block.language == "yaml" and not block.file]
    assert (EXAMPLE / "rlcr-multi.yaml").read_text(encoding="utf-8") in shown


def test_the_recipes_differ_in_the_objective_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    plain = {path.stem: read_recipe(path).to_plain() for path in EXAMPLE.glob("*.yaml")}
    assert {name: recipe["objective"]["name"] for name, recipe in plain.items()} == {name: name for name in plain}
    for section in ("task", "model", "warm_start", "generation"):
        assert all(recipe[section] == plain["rlcr-multi"][section] for recipe in plain.values()), section


def test_a_small_model_knows_every_word_that_it_has_to_write(tmp_path: Path):
    from transformers import AutoTokenizer

    (tmp_path / "rain.csv").write_text('question,golds\nwet grass yes ?,"[""yes"", ""heavy rain""]"\ndry ?,no\n')
    task = load_task("jsonl", path=str(tmp_path / "rain.csv"), regime="inclusive")
    tokenizer = AutoTokenizer.from_pretrained(small_model(task, tmp_path / "model", k=2))
    written = tagged(Objective("rlcr-multi", k=2), ["yes", "heavy rain"], ["0.9", "0.1"])
    text = " ".join(tag.around(f" {content} ") for tag, content in written)
    assert tokenizer.decode(tokenizer(text)["input_ids"]) == text
