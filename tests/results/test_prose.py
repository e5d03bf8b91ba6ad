"""The documents tell what the records say."""

from pathlib import Path

import pytest

from results.claims import TABLES
from results.rebuild import DOCS
from setwise.records.run import RunFolder
from tests.results.told import Told, percent, prose

pytestmark = pytest.mark.slow

PROMPTED = "rlvr-single-prompted-multi"


def ddxplus_pages() -> str:
    return " ".join(prose(DOCS / "results" / name) for name in ("ddxplus.md", "ddxplus-more.md"))


def test_the_comparison_with_the_paper_says_what_the_records_say(folders: dict[str, Path]):
    all_told = [Told(folders[archive]) for archive in TABLES]
    repeats = [
        " against ".join(f"{told.value(run, 'n_correct_with_repeats'):.2f}" for run in ("rlvr-single", "rlvr-multi"))
        for told in all_told
    ]
    firsts = [told.times("pass_at_1") for told in all_told]
    seed0, seed1, facts, code = (
        " against ".join(f"{told.value(run, 'set/auroc'):.2f}" for run in ("rlcr-multi", "rlvr-multi+prompt"))
        for told in all_told
    )
    against = prose(DOCS / "results" / "against-the-paper.md")
    assert f"({', '.join(repeats)})" in against
    assert f"RLVR-multi has {', '.join(firsts[:3])} and {firsts[3]} times as many" in against
    assert f"on HotPotQA-Modified better, {facts}; on DDXPlus worse with seed 0, {seed0};" in against
    assert f"with seed 1, {seed1}, and on MBPP, {code}, about alike" in against
    clipped = all_told[2].value("rlvr-multi+prompt", "set/ece_clipped")
    assert f"on HotPotQA-Modified its sums above 1 count in full (cut at 1: {clipped:.3f})" in against
    worse = {
        (table, run)
        for table, told in zip(TABLES, all_told, strict=True)
        for run in ("rlcr-multi", "rlvr-multi+prompt")
        if told.value(run, "pooled/brier") > told.value(run, "pooled/brier_base_rate")
    }
    assert {table for table, run in worse if run == "rlcr-multi"} == {"ddxplus-seed0", "ddxplus-seed1", "mbpp-seed0"}
    assert {table for table, run in worse if run != "rlcr-multi"} >= {"ddxplus-seed0", "mbpp-seed0"}
    assert ("ddxplus-seed1", "rlvr-multi+prompt") not in worse
    for run, verb in ((PROMPTED, "has a coverage of"), ("rlvr-multi", "trained for sets,")):
        seed0, seed1, facts, code = (told.value(run, "coverage") for told in all_told)
        assert f"{verb} {seed0:.2f}, {seed1:.2f}, {facts:.3f} and {code:.2f}" in against


def test_the_prose_about_rlcr_single_says_what_the_records_say(folders: dict[str, Path]):
    """Of the runs of which no other page tells."""
    singles = prose(DOCS / "results" / "rlcr-single.md")
    second, half = Told(folders["ddxplus-seed1"]), Told(folders["ddxplus-seed0-half"])
    last_right = int(max(each["step"] for each in second.log("rlcr-single") if each["pass_at_1"] > 0))
    log = half.log("calibration-0.5")
    lowest = min(log, key=lambda each: each["confidence/mean"])
    right, confidence, spread = (
        sum(each[name] for each in log[-10:]) / 10 for name in ("pass_at_1", "confidence/mean", "confidence/std")
    )
    as_rlvr = sum(each["pass_at_1"] for each in Told(folders["ddxplus-seed0"]).log("rlvr-single")[-10:]) / 10
    for said in (
        "{} right in the first ten steps ({})".format(*second.right_at_first("rlcr-single")),
        f"`confidence_collapse` at step {second.alarms()['rlcr-single', 'confidence_collapse']}, "
        f"and from step {last_right + 1} not one right answer",
        f"({half.right_at_first('calibration-0.5')[0]} right in the first ten steps)",
        f"fell to {lowest['confidence/mean']:.2f} (step {lowest['step']:.0f})",
        f"In the last ten steps {percent(right)} of its answers were right (RLVR-single's: {percent(as_rlvr)}) "
        f"at a mean confidence of {confidence:.2f}, nearly the same for every answer (standard deviation {spread:.2f})",
    ):
        assert said in singles
    assert set(half.alarms()) - {("calibration-0.5", "length_drift")} == {
        ("calibration-1", alarm) for alarm in ("confidence_collapse", "groups_without_variance", "length_drift")
    }
    least = [
        min(each["confidence/mean"] for each in Told(folders[archive]).log("rlcr-multi"))
        for archive in ("ddxplus-seed0", "ddxplus-seed1", "hotpotqa-seed0")
    ]
    assert "fell to {:.2f} and {:.2f} (seeds 0 and 1) and {:.2f}.".format(*least) in singles


def test_the_prose_about_ddxplus_says_what_the_records_say(folders: dict[str, Path]):
    told, second, sweep = (Told(folders[f"ddxplus-{runs}"]) for runs in ("seed0", "seed1", "k"))
    pairs = {"seed 0": told, "seed 1": second, "seed 0, micro-batches of 16": Told(folders["ddxplus-seed0-micro16"])}
    zero_from = int(max(each["step"] for each in told.log("rlcr-single") if each["confidence/mean"] > 0)) + 1
    alarms = told.alarms()
    page, singles = ddxplus_pages(), prose(DOCS / "results" / "rlcr-single.md")
    for said in (
        f"{told.times('coverage')} times as many right and different",
        f"(coverage {told.coverages()}",
        f"{told.value('rlvr-multi', 'uniqueness'):.2f} of 3 different",
        f"{told.times('tokens')} times as many with seed 0 and {second.times('tokens')} times with seed 1",
        f"With seed 1 it is {second.times('coverage')} times ({second.coverages()})",
        "With seed 1 it is {}, RLVR-multi's {} and {}:".format(*second.set_eces()),
        *(
            f"| {runs} | {told.words_of_thought('rlvr-single')} | {told.words_of_thought('rlvr-multi')} "
            f"| {told.times('tokens')}x |"
            for runs, told in pairs.items()
        ),
        "first answers are right in {:.3f} after two words and in {:.3f} after 39 (RLVR-single), "
        "in {:.3f} after 64 and in {:.3f} after 12 (RLVR-multi)".format(
            *(each.value(run, "pass_at_1") for run in ("rlvr-single", "rlvr-multi") for each in (told, second))
        ),
        "({}, {} and {} words with".format(*(sweep.words_of_thought(f"k{k}") for k in (2, 4, 5))),
        "{:.3f} and {:.3f} of its answers are right".format(
            *(each.value("rlcr-single", "pass_at_1") for each in (told, second))
        ),
        "its coverage is {:.3f} (p 0.001) and {:.3f} (p 0.16) lower".format(
            *(
                each.value("rlvr-multi+prompt", "coverage") - each.value("rlcr-multi", "coverage")
                for each in (told, second)
            )
        ),
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
        assert said in singles


def test_the_prose_about_the_second_seed_says_what_the_records_say(folders: dict[str, Path]):
    told, base = Told(folders["ddxplus-seed1"]), Told(folders["ddxplus-seed0"])
    alarms = told.alarms()
    sets = list(RunFolder(told.folder / "eval" / "rlcr-multi").attempts())
    stated = [([q for q in each.confidences if q is not None], each.correct) for each in sets]
    stated = [(claims, right) for claims, right in stated if len(claims) == 3]
    third_highest = sum(claims[2] > max(claims[:2]) for claims, _ in stated)
    first, third = (sum(right[place] for _, right in stated) / len(stated) for place in (0, 2))
    log = told.log("rlcr-multi")
    lowest = min(log, key=lambda each: each["confidence/mean"])
    above_from = int(max(each["step"] for each in log if each["confidence/mean"] < each["coverage"])) + 1
    right = told.value("rlcr-multi", "n_correct")
    page = prose(DOCS / "results" / "ddxplus-seed1.md")
    for said in (
        f"finds {told.times('coverage')} times as many right and different diagnoses",
        f"(coverage {told.coverages()}",
        f"{told.value('rlvr-multi', 'uniqueness'):.2f} of 3 different",
        f"three sets make up {told.share_of_sets('rlvr-multi', 3)} of RLVR-multi's",
        f"{told.share_of_answers('rlvr-single', 'bronchitis', 'anaphylaxis')} of RLVR-single's answers are",
        f"{told.share_of_answers('rlcr-single', 'n')} of its answers are the letter N",
        f"{told.times('tokens')} times as many, where seed 0 had {base.times('tokens')}",
        f"10 sets of three, which take {told.times('tokens')} times the tokens",
        told.set_ece(),
        f"{right + told.value('rlcr-multi', 'set/count_gap'):.2f} where there are {right:.2f}",
        f"fell to {lowest['confidence/mean']:.2f} (step {lowest['step']:.0f})",
        f"from step {above_from} on they were above the share of right answers",
        f"the AUROC of sets is {told.value('rlcr-multi', 'set/auroc'):.2f} "
        f"(RLVR-multi's {told.value('rlvr-multi+prompt', 'set/auroc'):.2f})",
        f"the third is the highest in {percent(third_highest / len(stated))} of the sets. Over all sets the third is "
        f"right in {third:.2f}, the first in {first:.2f}, "
        f"and the most confident in {told.value('rlcr-multi', 'pass_at_1/most_confident'):.2f}",
        f"its first answer is right in {told.value('rlcr-single-prompted-multi', 'pass_at_1'):.2f}, "
        f"the base model's in {base.value('rlcr-zero-shot', 'pass_at_1'):.2f}",
        f"the pooled AUROC is {told.value('rlcr-multi', 'pooled/auroc'):.2f} "
        f"(RLVR-multi's {told.value('rlvr-multi+prompt', 'pooled/auroc'):.2f})",
        f"at step {alarms['rlcr-single', 'confidence_collapse']};",
        f"RLVR-multi at step {alarms['rlvr-multi', 'length_drift']}, "
        f"RLCR-single at step {alarms['rlcr-single', 'length_drift']};",
        f"at step {alarms['rlvr-single', 'groups_without_variance']}.",
    ):
        assert said in page


def test_the_prose_about_hotpotqa_says_what_the_records_say(folders: dict[str, Path]):
    told = Told(folders["hotpotqa-seed0"])
    alarms = told.alarms()
    log = told.log("rlcr-multi")
    sums, ones = ([step[name] for step in log] for name in ("confidence/sum", "confidence/sum_is_one"))
    lowest, peak = sums.index(min(sums)), sums.index(max(sums[sums.index(min(sums)) :]))
    pinned, not_pinned = (
        [int(step["step"]) for step in Told(folders[seed]).log("rlcr-multi") if step["confidence/sum_is_one"] > 0.8]
        for seed in ("ddxplus-seed0", "ddxplus-seed1")
    )
    assert not not_pinned
    page, singles = prose(DOCS / "results" / "hotpotqa.md"), prose(DOCS / "results" / "rlcr-single.md")
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
    assert "{} right in the first ten steps ({})".format(*told.right_at_first("rlcr-single")) in singles
    assert f"as the base model's ({told.value('rlcr-single', 'pass_at_1'):.2f}," in singles
    assert told.value("rlcr-single", "pass_at_1") == pytest.approx(told.value("rlcr-zero-shot", "pass_at_1"), abs=0.01)


def test_the_prose_about_mbpp_says_what_the_records_say(folders: dict[str, Path]):
    told = Told(folders["mbpp-seed0"])
    confidences = [step["confidence/mean"] for step in told.log("rlcr-single")]
    single, multi = (told.value(run, "n_correct") for run in ("rlvr-single", "rlvr-multi"))
    by_30 = [told.numbers(run)["analyses"]["budget"][-1]["distinct_correct"] for run in ("rlvr-multi", "rlvr-single")]
    renamed = [told.value(run, "distinct_correct/canonical") for run in ("rlvr-multi", "rlvr-single")]
    repeated = {run: told.value(run, "n_correct_with_repeats") for run in ("rlvr-single", "rlvr-multi", PROMPTED)}
    trained = {
        name: told.value("rlcr-multi", name) / told.value("rlcr-single", name) for name in ("n_correct", "tokens")
    }
    asked = "rlcr-single-prompted-multi"
    page, singles = prose(DOCS / "results" / "mbpp.md"), prose(DOCS / "results" / "rlcr-single.md")
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
        f"fell from {confidences[0]:.2f} to {min(confidences):.2f} (step {1 + confidences.index(min(confidences))}) "
        f"and ended at {confidences[-1]:.2f}",
        f"10 sets of three, which take {told.times('tokens')} times the tokens",
        f"the ECE of a single answer is {told.value('rlcr-single', 'top1/ece'):.3f}, "
        f"RLCR-multi's of the first {told.value('rlcr-multi', 'top1/ece'):.3f}",
        f"RLCR-multi writes {trained['n_correct']:.2f} times as many right and different programs as it samples, "
        f"for {trained['tokens']:.2f} times the tokens",
        f"{told.share_of_confidences('rlcr-single', 0.5)} of them are 0.50, "
        f"their AUROC is {told.value('rlcr-single', 'top1/auroc'):.2f}",
        f"({told.value('rlcr-single', 'top1/brier'):.3f} against "
        f"{told.value('rlcr-single', 'top1/brier_base_rate'):.3f})",
        f"keeps the format in {percent(told.value(asked, 'strictly_valid'))} of the replies",
        f"(pooled ECE {told.value(asked, 'pooled/ece'):.3f} against {told.value('rlcr-multi', 'pooled/ece'):.3f}), "
        f"and the set ECE is as high ({told.value(asked, 'set/ece'):.3f})",
    ):
        assert said in page
    assert not told.alarms()
    single, confidence = (told.value("rlcr-single", name) for name in ("pass_at_1", "top1/confidence"))
    assert f"{single:.2f} are right at a mean confidence of {confidence:.2f}" in singles
    assert "{} right in the first ten steps ({})".format(*told.right_at_first("rlcr-single")) in singles
