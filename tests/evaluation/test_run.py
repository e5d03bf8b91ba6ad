"""From the completions in a folder to metrics on disk."""

import json
from dataclasses import dataclass, replace

import pytest

from setwise.errors import InputError, JudgeError, MachineryError
from setwise.evaluation.generation import Inquiry
from setwise.evaluation.methods import named_method
from setwise.evaluation.score_run import score_run
from setwise.matching import JudgeMatcher, exact
from setwise.matching.fuzzy import FuzzyMatcher
from setwise.models import Sampling
from setwise.objectives import Objective, Regime
from setwise.records.files import read_json, write_json
from setwise.records.run import RunFolder
from tests.evaluation.made_up import MadeUpTask, asked, multi_text, script, single_text, whole_run

MULTI = [multi_text([f"gold {i}a", "nonsense", f"gold {i}b"], [0.9, 0.2, 0.6]) for i in range(4)]


@pytest.fixture
def folder(tmp_path):
    return RunFolder(tmp_path / "run")


def test_scoring_again_with_another_matcher_asks_no_model(folder):
    misspelt = [multi_text([f"golld {i}a", "nonsense", f"gold {i}b"], [0.9, 0.2, 0.6]) for i in range(4)]
    inquiry = Inquiry(MadeUpTask(), named_method("rlcr-multi"))
    strict = whole_run(folder, inquiry, script({f"p{i}": [misspelt[i]] for i in range(4)}))
    before = folder.samples.read_bytes()
    lenient = score_run(folder, FuzzyMatcher(85), resamples=100)
    assert strict["coverage"].value == pytest.approx(1 / 3)
    assert lenient["coverage"].value == pytest.approx(2 / 3)
    assert folder.samples.read_bytes() == before


def test_problems_that_lack_completions_are_left_out_and_counted(folder):
    inquiry = Inquiry(MadeUpTask(2), named_method("rlvr-single"))
    model = script({"p0": [single_text("gold 0a")] * 3, "p1": [single_text("gold 1a")] * 2})
    assert asked(folder, inquiry, model).failed == 1
    metrics = score_run(folder, exact, resamples=0)
    assert metrics.counts["problems"] == 1
    assert metrics.counts["incomplete_problems"] == 1


def test_problems_without_any_completion_are_counted_too(folder):
    inquiry = Inquiry(MadeUpTask(4), named_method("rlcr-multi"))
    assert asked(folder, inquiry, script({"p0": [MULTI[0]]})).failed == 3
    counts = score_run(folder, exact, resamples=0).counts
    assert (counts["problems"], counts["incomplete_problems"]) == (1, 3)


def test_a_folder_that_does_not_say_how_many_problems_it_has_goes_on(folder):
    inquiry = Inquiry(MadeUpTask(1), named_method("rlcr-multi"))
    whole_run(folder, inquiry, script({"p0": [MULTI[0]]}))
    config = read_json(folder.config)
    del config["task"]["problems"]
    write_json(folder.config, config)
    folder.claim(inquiry.config("scripted", 1))
    assert "incomplete_problems" not in score_run(folder, exact, resamples=0).counts


def test_a_matcher_that_breaks_is_no_wrong_answer(folder):
    @dataclass(frozen=True)
    class Broken:
        name: str = "broken"

        def match(self, answers, problem):
            if problem.id == "p0":
                raise JudgeError("nobody home")
            return exact.match(answers, problem)

    inquiry = Inquiry(MadeUpTask(2), named_method("rlcr-multi"))
    asked(folder, inquiry, script({"p0": [MULTI[0]], "p1": [MULTI[1]]}))
    metrics = score_run(folder, Broken(), resamples=0)
    assert metrics.counts["unjudged_attempts"] == 1
    assert metrics["coverage"].value == pytest.approx(2 / 3)


def test_a_matcher_that_judges_nothing_is_the_reason_given(folder):
    def ask(messages):
        return "Well, it depends."

    inquiry = Inquiry(MadeUpTask(2), named_method("rlcr-multi"))
    whole_run(folder, inquiry, script({"p0": [MULTI[0]], "p1": [MULTI[1]]}))
    before = folder.metrics.read_bytes()
    with pytest.raises(MachineryError, match="run: none of 2 sets could be judged, first: JudgeError: the judge must"):
        score_run(folder, JudgeMatcher(ask), resamples=0)
    assert folder.metrics.read_bytes() == before


def test_a_run_without_a_complete_problem_says_so(folder):
    asked(folder, Inquiry(MadeUpTask(1), named_method("rlvr-single")), script({"p0": ["x"]}))
    with pytest.raises(InputError, match="no problem has its 3 completions; run the same command again to ask"):
        score_run(folder, exact)


def test_other_settings_for_the_same_folder_are_refused_with_the_difference(folder):
    inquiry = Inquiry(MadeUpTask(), named_method("rlcr-multi"))
    whole_run(folder, inquiry, script({f"p{i}": [MULTI[i]] for i in range(4)}))
    folder.claim(inquiry.config("scripted", 4))
    hotter = replace(inquiry, sampling=Sampling(temperature=1.0))
    with pytest.raises(InputError, match=r"sampling\.temperature was 0\.7, is 1\.0"):
        folder.claim(hotter.config("scripted", 4))
    larger = replace(inquiry, method=inquiry.method.sized(k=5))
    with pytest.raises(InputError, match=r"method\.k was 3, is 5; objective\.k was 3, is 5"):
        folder.claim(larger.config("scripted", 4))


def test_a_run_that_never_got_an_answer_does_not_hold_its_folder(folder):
    inquiry = Inquiry(MadeUpTask(), named_method("rlcr-multi"))
    assert asked(folder, inquiry, script({})).added == 0
    folder.claim(replace(inquiry, sampling=Sampling(temperature=1.0)).config("scripted", 4))
    assert folder.read_config().sampling["temperature"] == 1.0


def test_completions_of_which_nothing_says_how_they_were_asked_for_are_refused(folder):
    folder.path.mkdir()
    folder.samples.write_text('{"problem": {"id": "a", "question": "?", "golds": ["x"]}, "sample": 0, "text": "t"}\n')
    with pytest.raises(InputError, match=r"config\.json: the file cannot be read \(No such file or directory\)"):
        score_run(folder, exact)
    folder.config.write_text('{"model": "m"}')
    with pytest.raises(InputError, match=r"config\.json: the file lacks what setwise eval writes \('task'\)"):
        score_run(folder, exact)


def test_a_folder_holds_all_that_scoring_needs(folder):
    inquiry = Inquiry(MadeUpTask(1, regime=Regime.EXCLUSIVE), named_method("rlcr-multi"))
    whole_run(folder, inquiry, script({"p0": [MULTI[0]]}))
    record = json.loads(folder.samples.read_text())
    assert record["problem"] == {"id": "p0", "question": "Question 0?", "golds": ["gold 0a"]}
    assert record.keys() == {"schema", "problem", "sample", "text", "finish_reason", "tokens", "seed"}
    config = folder.read_config()
    assert config.objective == Objective("rlcr-multi", regime="exclusive")
    assert config.sampling["temperature"] == 0.7
    assert config == inquiry.config("scripted", 1)
    folder.config.unlink()
    assert score_run(folder, exact, config=config, resamples=0)["pass_at_k"].value == 1


def test_analyses_say_what_a_larger_budget_finds(folder):
    inquiry = Inquiry(MadeUpTask(1), named_method("rlvr-single").sized(k=1, samples=3))
    whole_run(folder, inquiry, script({"p0": [single_text("gold 0a"), single_text("gold 0a"), single_text("x")]}))
    analyses = folder.read_metrics().analyses
    assert analyses["distinct_per_problem"] == {"2": 1}
    assert analyses["distinct_correct_per_problem"] == {"1": 1}
    assert [point["distinct"] for point in analyses["budget"]] == pytest.approx([1, 5 / 3, 2])
    assert [point["distinct_correct"] for point in analyses["budget"]] == pytest.approx([2 / 3, 1, 1])
    assert analyses["by_n_golds"]["2"]["pass_at_k"] == pytest.approx(2 / 3)
    assert analyses["tokens"]["per_correct_answer"] == 15
