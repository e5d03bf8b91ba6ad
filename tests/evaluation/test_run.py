"""From a task and a model to metrics on disk."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import pytest

from setwise.errors import InputError, JudgeError, MachineryError, ModelError
from setwise.evaluation.generate import Plan, generate
from setwise.evaluation.methods import METHODS, Method, named_method
from setwise.evaluation.run import RunFolder, claim, config_of, score_run, write_json
from setwise.evaluation.samples import SampleFile
from setwise.matching import JudgeMatcher, Match, exact
from setwise.matching.fuzzy import FuzzyMatcher
from setwise.models import Completion, Model, Reply, Request, Sampling
from setwise.objectives import Regime
from setwise.problems import Problem
from tests.evaluation.made_up import MadeUpTask, multi_text, script, single_text

MULTI = [multi_text([f"gold {i}a", "nonsense", f"gold {i}b"], [0.9, 0.2, 0.6]) for i in range(4)]


def whole_run(folder: RunFolder, plan: Plan, model: Model):
    claim(folder, config_of(plan, model.name))
    done = generate(plan, model, SampleFile.opened(folder.samples))
    assert done.failed == 0, done
    return score_run(folder, plan.task.matcher, resamples=100)


@pytest.fixture
def folder(tmp_path):
    return RunFolder(tmp_path / "run")


@dataclass
class Counting:
    """A model that counts what it is asked."""

    inner: Model
    name: str = "counting"
    asked: list[Request] = field(default_factory=list)

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        def noted() -> Iterator[Request]:
            for request in requests:
                self.asked.append(request)
                yield request

        return self.inner.complete(noted())


def test_a_written_set_is_scored_as_training_scores_it(folder):
    plan = Plan(MadeUpTask(), named_method("rlcr-multi"))
    metrics = whole_run(folder, plan, script({f"p{i}": [MULTI[i]] for i in range(4)}))
    assert metrics["coverage"].value == pytest.approx(2 / 3)
    assert metrics["recall"].value == 1
    assert metrics["uniqueness"].value == 3
    assert metrics["tokens"].value == 10
    assert metrics["pooled/brier"].value == pytest.approx((0.1**2 + 0.2**2 + 0.4**2) / 3)
    assert metrics.counts["completions"] == 4
    assert json.loads(folder.metrics.read_text())["metrics"]["coverage"]["value"] == pytest.approx(2 / 3)


def test_independent_samples_are_matched_together_as_one_set(folder):
    replies = [single_text("gold 0a"), single_text("the GOLD 0a."), single_text("other")]
    plan = Plan(MadeUpTask(1), named_method("rlvr-single"))
    metrics = whole_run(folder, plan, script({"p0": replies}))
    assert metrics["n_correct"].value == 1
    assert metrics["n_correct_with_repeats"].value == 2
    assert metrics["pass_at_1"].value == pytest.approx(2 / 3)
    assert metrics["uniqueness"].value == 2
    assert metrics["tokens"].value == 30


def test_more_samples_form_several_sets(folder):
    plan = Plan(MadeUpTask(1), named_method("rlcr-single").sized(k=2, samples=4))
    replies = [single_text(f"gold 0{letter}", 0.5) for letter in "abab"]
    metrics = whole_run(folder, plan, script({"p0": replies}))
    assert metrics.counts["attempts"] == 2
    assert metrics["coverage"].value == 1
    assert metrics["top1/brier"].value == 0.25
    assert metrics.get("set/ece") is None


def test_self_consistency_states_the_frequency_of_an_answer(folder):
    said = ["gold 0a"] * 5 + ["other"] * 3 + ["gold 0b"]
    replies = [single_text(answer) for answer in said] + ["no answer at all"]
    plan = Plan(MadeUpTask(1), named_method("self-consistency"))
    whole_run(folder, plan, script({"p0": replies}))
    [attempt] = folder.attempts()
    assert attempt.forms == ("gold 0a", "other", "gold 0b")
    assert attempt.confidences == (0.5, 0.3, 0.1)
    assert attempt.correct == (True, False, True)
    assert attempt.tokens == 100


def test_malformed_completions_are_wrong_and_their_reasons_counted(folder):
    plan = Plan(MadeUpTask(2), named_method("rlcr-multi"))
    metrics = whole_run(folder, plan, script({"p0": ["<think>hm"], "p1": [MULTI[1]]}))
    assert metrics["coverage"].value == pytest.approx(1 / 3)
    assert metrics.counts["parse/truncated"] == 1
    assert metrics["strictly_valid"].value == 0.5
    assert metrics.counts["pooled/n_excluded"] == 3


def test_the_same_command_again_asks_only_for_what_is_missing(folder):
    plan = Plan(MadeUpTask(), named_method("rlcr-multi"))
    half = script({"p0": [MULTI[0]], "p2": [MULTI[2]]})
    assert generate(plan, half, SampleFile.opened(folder.samples)).failed == 2
    model = Counting(script({f"p{i}": [MULTI[i]] for i in range(4)}))
    generate(plan, model, SampleFile.opened(folder.samples))
    assert [request.problem for request in model.asked] == ["p1", "p3"]
    generate(plan, model, SampleFile.opened(folder.samples))
    assert len(model.asked) == 2


def test_a_killed_run_keeps_every_completion_that_came(folder):
    @dataclass
    class Dying:
        name: str = "dying"

        def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
            for number, request in enumerate(requests):
                if number == 3:
                    raise KeyboardInterrupt
                yield request, Completion(MULTI[number], "stop", 10)

    plan = Plan(MadeUpTask(), named_method("rlcr-multi"))
    with pytest.raises(KeyboardInterrupt):
        generate(plan, Dying(), SampleFile.opened(folder.samples))
    assert len(SampleFile.opened(folder.samples)) == 3


def test_scoring_again_with_another_matcher_asks_no_model(folder):
    misspelt = [multi_text([f"golld {i}a", "nonsense", f"gold {i}b"], [0.9, 0.2, 0.6]) for i in range(4)]
    plan = Plan(MadeUpTask(), named_method("rlcr-multi"))
    strict = whole_run(folder, plan, script({f"p{i}": [misspelt[i]] for i in range(4)}))
    before = folder.samples.read_bytes()
    lenient = score_run(folder, FuzzyMatcher(85), resamples=100)
    assert strict["coverage"].value == pytest.approx(1 / 3)
    assert lenient["coverage"].value == pytest.approx(2 / 3)
    assert folder.samples.read_bytes() == before


def test_problems_that_lack_completions_are_left_out_and_counted(folder):
    plan = Plan(MadeUpTask(2), named_method("rlvr-single"))
    model = script({"p0": [single_text("gold 0a")] * 3, "p1": [single_text("gold 1a")] * 2})
    assert generate(plan, model, SampleFile.opened(folder.samples)).failed == 1
    metrics = score_run(folder, exact, resamples=0)
    assert metrics.counts["problems"] == 1
    assert metrics.counts["incomplete_problems"] == 1


def test_problems_without_any_completion_are_counted_too(folder):
    plan = Plan(MadeUpTask(4), named_method("rlcr-multi"))
    claim(folder, config_of(plan, "scripted"))
    generate(plan, script({"p0": [MULTI[0]]}), SampleFile.opened(folder.samples))
    counts = score_run(folder, exact, resamples=0).counts
    assert (counts["problems"], counts["incomplete_problems"]) == (1, 3)


def test_a_folder_that_does_not_say_how_many_problems_it_has_goes_on(folder):
    plan = Plan(MadeUpTask(1), named_method("rlcr-multi"))
    whole_run(folder, plan, script({"p0": [MULTI[0]]}))
    config = folder.read_config()
    del config["task"]["problems"]
    write_json(folder.config, config)
    claim(folder, config_of(plan, "scripted"))
    assert "incomplete_problems" not in score_run(folder, exact, resamples=0).counts


def test_a_matcher_that_breaks_is_no_wrong_answer(folder):
    @dataclass(frozen=True)
    class Broken:
        name: str = "broken"

        def match(self, answers, problem):
            if problem.id == "p0":
                raise JudgeError("nobody home")
            return exact.match(answers, problem)

        def forms(self, answers):
            return exact.forms(answers)

    plan = Plan(MadeUpTask(2), named_method("rlcr-multi"))
    generate(plan, script({"p0": [MULTI[0]], "p1": [MULTI[1]]}), SampleFile.opened(folder.samples))
    metrics = score_run(folder, Broken(), resamples=0)
    assert metrics.counts["unjudged_attempts"] == 1
    assert metrics["coverage"].value == pytest.approx(2 / 3)


def test_a_matcher_that_judges_nothing_is_the_reason_given(folder):
    def ask(messages):
        return "Well, it depends."

    plan = Plan(MadeUpTask(2), named_method("rlcr-multi"))
    whole_run(folder, plan, script({"p0": [MULTI[0]], "p1": [MULTI[1]]}))
    before = folder.metrics.read_bytes()
    with pytest.raises(MachineryError, match="run: none of 2 sets could be judged, first: JudgeError: the judge must"):
        score_run(folder, JudgeMatcher(ask), resamples=0)
    assert folder.metrics.read_bytes() == before


def test_a_run_without_a_complete_problem_says_so(folder):
    generate(Plan(MadeUpTask(1), named_method("rlvr-single")), script({"p0": ["x"]}), SampleFile.opened(folder.samples))
    with pytest.raises(InputError, match="no problem has its 3 completions; the command of the run again asks"):
        score_run(folder, exact)


class CodeTask(MadeUpTask):
    def __iter__(self):
        for number in range(self.size):
            yield Problem(f"p{number}", "Write f.", tests=["assert f(0) == 1"])


@dataclass(frozen=True)
class AlwaysRight:
    name: str = "right"

    def match(self, answers, problem):
        return [Match(True) for _ in answers]

    def forms(self, answers):
        return [answer.partition("#")[0].strip() for answer in answers]


def test_programs_are_told_apart_by_their_trees_and_broken_ones_are_no_answers(folder):
    @dataclass(frozen=True)
    class Passing:
        name: str = "passing"

        def match(self, answers, problem):
            return [Match("return 1" in answer) for answer in answers]

        def forms(self, answers):
            return list(answers)

    programs = ["def f(a):\n    return 1", "def f(b):\n    return 1  # one", "def f(:"]
    plan = Plan(CodeTask(1, matcher=Passing()), named_method("rlvr-multi"))
    metrics = whole_run(folder, plan, script({"p0": [multi_text(programs)]}))
    assert metrics["n_correct"].value == 2
    assert metrics["uniqueness"].value == 2
    assert metrics["uniqueness/canonical"].value == 1
    assert metrics["distinct_correct/canonical"].value == 1
    assert metrics.get("recall") is None
    assert metrics.get("attainable_coverage") is None


def test_the_same_right_program_sampled_twice_counts_once(folder):
    plan = Plan(CodeTask(1, matcher=AlwaysRight()), named_method("rlvr-single"))
    replies = [single_text(program) for program in ("x = 1", "x = 1  # one", "x = 2")]
    metrics = whole_run(folder, plan, script({"p0": replies}))
    assert metrics["n_correct"].value == 2
    assert metrics["n_correct_with_repeats"].value == 3


def test_the_same_right_program_written_twice_counts_once(folder):
    plan = Plan(CodeTask(1, matcher=AlwaysRight()), named_method("rlvr-multi"))
    metrics = whole_run(folder, plan, script({"p0": [multi_text(["x = 1", "x = 1  # one", "x = 2"])]}))
    assert metrics["n_correct"].value == 2
    assert metrics["n_correct_with_repeats"].value == 3


def test_programs_that_cannot_be_read_are_no_different_programs(folder):
    task = CodeTask(2, matcher=AlwaysRight())
    replies = {"p0": [multi_text(["x = 1", "y = 1", "x = 2"])], "p1": ["no tags"]}
    metrics = whole_run(folder, Plan(task, named_method("rlvr-multi")), script(replies))
    assert metrics["uniqueness"].value == 3 / 2
    assert metrics["uniqueness/canonical"].value == 2 / 2
    assert metrics["distinct_correct/canonical"].value == 2 / 2


def test_a_model_that_is_gone_stops_the_run(folder):
    plan = Plan(MadeUpTask(100), named_method("rlcr-multi"))
    model = Counting(script({}))
    with pytest.raises(ModelError, match="20 requests in a row"):
        generate(plan, model, SampleFile.opened(folder.samples))
    assert len(model.asked) == 20


def test_other_settings_for_the_same_folder_are_refused_with_the_difference(folder):
    plan = Plan(MadeUpTask(), named_method("rlcr-multi"))
    whole_run(folder, plan, script({f"p{i}": [MULTI[i]] for i in range(4)}))
    claim(folder, config_of(plan, "scripted"))
    hotter = replace(plan, sampling=Sampling(temperature=1.0))
    with pytest.raises(InputError, match=r"sampling\.temperature was 0\.7, is 1\.0"):
        claim(folder, config_of(hotter, "scripted"))
    with pytest.raises(InputError, match=r"method\.k was 3, is 5; objective\.k was 3, is 5"):
        claim(folder, config_of(replace(plan, method=plan.method.sized(k=5)), "scripted"))


def test_a_run_that_never_got_an_answer_does_not_hold_its_folder(folder):
    plan = Plan(MadeUpTask(), named_method("rlcr-multi"))
    claim(folder, config_of(plan, "scripted"))
    generate(plan, script({}), SampleFile.opened(folder.samples))
    claim(folder, config_of(replace(plan, sampling=Sampling(temperature=1.0)), "scripted"))
    assert folder.read_config()["sampling"]["temperature"] == 1.0


def test_two_problems_with_one_id_are_refused(folder):
    class Twice(MadeUpTask):
        def __iter__(self):
            yield from [Problem("p0", "?", ["a"]), Problem("p0", "!", ["b"])]

    plan = Plan(Twice(), named_method("rlcr-multi"))
    with pytest.raises(InputError, match='made-up: every problem must have an id of its own, got "p0"'):
        generate(plan, script({"p0": [MULTI[0]]}), SampleFile.opened(folder.samples))


def test_a_sample_that_does_not_say_how_it_was_asked_is_named(folder):
    folder.path.mkdir()
    folder.samples.write_text('{"problem": {"id": "a", "question": "?", "golds": ["x"]}, "sample": 0, "text": "t"}\n')
    with pytest.raises(InputError, match="a sample record needs task, model, method"):
        score_run(folder, exact)


def test_every_sample_has_a_seed_of_its_own_and_keeps_it(folder):
    plan = Plan(MadeUpTask(3), named_method("rlvr-single"))
    nothing = SampleFile.opened(folder.samples)
    seeds = [request.seed for _, request in plan.requests(nothing)]
    assert len(set(seeds)) == 9
    assert seeds == [request.seed for _, request in plan.requests(nothing)]
    assert seeds != [request.seed for _, request in replace(plan, seed=1).requests(nothing)]


def test_confidences_by_continuation_keep_the_models_answers_and_force_the_tags(folder):
    @dataclass
    class Continuing:
        name: str = "continuing"
        prefixes: list[str] = field(default_factory=list)

        def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
            for request in requests:
                if not request.prefix:
                    yield request, Completion(multi_text(["gold 0a", "x", "gold 0b"]), "stop", 100)
                    continue
                self.prefixes.append(request.prefix)
                assert request.sampling.stop == ("<",)
                yield request, Completion(f" 0.{len(self.prefixes)}", "stop", 2)

    model = Continuing()
    plan = Plan(MadeUpTask(1), named_method("rlvr-multi+continue"))
    metrics = whole_run(folder, plan, model)
    [attempt] = folder.attempts()
    assert attempt.confidences == (0.1, 0.2, 0.3)
    assert attempt.correct == (True, False, True)
    assert attempt.tokens == 106
    assert model.prefixes[1].endswith("<confidence1>0.1</confidence1>\n<answer2>x</answer2>\n<confidence2>")
    assert metrics["strictly_valid"].value == 1
    record = json.loads(folder.samples.read_text())
    assert record["confidence"] == "continue"
    assert record["own_text"] == multi_text(["gold 0a", "x", "gold 0b"])


@pytest.mark.parametrize(
    ("reply", "confidence"),
    [
        *(("0.7", 0.7), ("0.7, I think", 0.7), ("85 %", 0.85), (" .5\n", 0.5)),
        *((text, None) for text in ("7/10", "8 out of 10", "7 of", "0,7", "0.5 to 0.9", "0.5-0.9", "high")),
    ],
)
def test_a_forced_confidence_is_a_number_on_its_own(folder, reply: str, confidence: float | None):
    @dataclass
    class Continuing:
        name: str = "continuing"

        def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
            for request in requests:
                yield request, Completion(reply if request.prefix else single_text("gold 0a"), "stop", 5)

    whole_run(folder, Plan(MadeUpTask(1), named_method("rlvr-single+continue")), Continuing())
    [attempt] = folder.attempts()
    assert attempt.confidences == (confidence,) * 3


def test_continuation_works_for_single_answers_and_leaves_malformed_ones_alone(folder):
    @dataclass
    class Continuing:
        name: str = "continuing"

        def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
            for request in requests:
                own = single_text("gold 0a") if request.sample else "mumble"
                yield request, Completion("0.4" if request.prefix else own, "stop", 5)

    plan = Plan(MadeUpTask(1), named_method("rlvr-single+continue"))
    metrics = whole_run(folder, plan, Continuing())
    [attempt] = folder.attempts()
    assert attempt.confidences == (0.4, 0.4)
    assert attempt.tokens == 25
    assert metrics.counts["top1/n_excluded"] == 1


def test_a_record_holds_all_that_scoring_needs(folder):
    plan = Plan(MadeUpTask(1, regime=Regime.EXCLUSIVE), named_method("rlcr-multi"))
    whole_run(folder, plan, script({"p0": [MULTI[0]]}))
    record = json.loads(folder.samples.read_text())
    assert record["problem"] == {"id": "p0", "question": "Question 0?", "golds": ["gold 0a"]}
    assert record["objective"]["regime"] == "exclusive"
    assert record["sampling"]["temperature"] == 0.7
    folder.config.unlink()
    assert score_run(folder, exact, resamples=0)["pass_at_k"].value == 1


def test_reasoning_that_repeats_itself_shows_as_overlap(folder):
    plan = Plan(MadeUpTask(1), named_method("rlvr-single"))
    metrics = whole_run(folder, plan, script({"p0": [single_text("a"), single_text("b"), single_text("c")]}))
    assert metrics["reasoning_overlap"].value == 1


def test_analyses_say_what_a_larger_budget_finds(folder):
    plan = Plan(MadeUpTask(1), named_method("rlvr-single").sized(k=1, samples=3))
    whole_run(folder, plan, script({"p0": [single_text("gold 0a"), single_text("gold 0a"), single_text("x")]}))
    analyses = folder.read_metrics()["analyses"]
    assert analyses["distinct_per_problem"] == {"2": 1}
    assert analyses["distinct_correct_per_problem"] == {"1": 1}
    assert [point["distinct"] for point in analyses["budget"]] == pytest.approx([1, 5 / 3, 2])
    assert [point["distinct_correct"] for point in analyses["budget"]] == pytest.approx([2 / 3, 1, 1])
    assert analyses["by_n_golds"]["2"]["pass_at_k"] == pytest.approx(2 / 3)
    assert analyses["tokens"]["per_correct_answer"] == 15


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_consistent_with_itself(name):
    method = METHODS[name]
    asked, read = method.asked_objective(Regime.INCLUSIVE), method.read_objective(Regime.INCLUSIVE)
    assert asked.k == read.k
    assert read.has_confidences == (method.confidence != "none")
    assert asked.has_confidences == (method.confidence in ("written", "prompt"))
    assert method.sized(k=5).k == 5


def test_the_papers_methods_are_all_there():
    for kind in ("rlvr", "rlcr"):
        assert {f"{kind}-single", f"{kind}-single-prompted-multi", f"{kind}-zero-shot", f"{kind}-multi"} <= set(METHODS)


def test_samples_that_do_not_fill_sets_are_refused():
    with pytest.raises(InputError, match="multiple of it, got 4"):
        Method("rlvr-single", "rlvr-single", construction=METHODS["rlvr-single"].construction, k=3, samples=4)


def test_an_unknown_method_is_told_the_known_ones():
    with pytest.raises(InputError, match=r"a method is one of rlvr-single,.* did you mean rlcr-multi\?"):
        named_method("rlcr-mutli")
