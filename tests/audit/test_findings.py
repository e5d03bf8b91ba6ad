"""Each finding is told from honest behaviour that looks like it."""

import json
from dataclasses import replace
from random import Random

import pytest

from setwise.audit import FINDINGS, audit
from setwise.audit.said import Context
from setwise.objectives import Objective, Regime
from setwise.records.audit import AuditRecord, Severity
from setwise.signs.copies import padded
from tests.audit.made_up import MadeUpSource, asked, said

LETTERS = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet"]


def context(k: int = 1, name: str = "rlvr-multi", **fields: object) -> Context:
    objective = Objective(name, k, regime=Regime.EXCLUSIVE)
    return Context(name="made up", objective=objective, **fields)  # pyright: ignore[reportArgumentType]


def names(record: AuditRecord) -> list[str]:
    return [each.name for each in record.alarms]


def test_every_finding_says_what_it_means():
    assert len(list(FINDINGS.all())) >= 18
    assert all(len(each.definition) > 40 and each.label for each in FINDINGS.all())


@pytest.mark.parametrize(("dominant", "is_found"), [(0.95, False), (0.3, True)])
def test_one_answer_for_everybody_is_honest_where_it_is_everybodys_answer(dominant: float, is_found: bool):
    random, given = Random(0), []
    for number in range(300):
        gold = "alpha" if random.random() < dominant else random.choice(LETTERS[1:])
        given.append((asked(number, [gold]), [said(["alpha"], [gold])]))
    assert ("one_set" in names(audit(MadeUpSource(given, context())))) == is_found


def test_a_set_for_every_fifth_question_is_honest_where_it_is_right_there():
    random, given = Random(0), []
    for number in range(300):
        gold = random.choice(LETTERS[:5])
        given.append(
            (asked(number, [gold]), [said([gold if random.random() < 0.9 else random.choice(LETTERS[5:])], [gold])])
        )
    assert names(audit(MadeUpSource(given, context()))) == []


@pytest.mark.parametrize("is_extractive", [True, False])
def test_answers_from_the_question_are_honest_where_golds_stand_there(is_extractive: bool):
    given = []
    for number in range(100):
        place, gold = LETTERS[number % 10], f"river {number}"
        question = f"Near {place} runs {gold if is_extractive else 'what'} {number}"
        given.append((asked(number, [gold], question), [said([place if number % 4 else gold], [gold])]))
    assert ("copied_answers" in names(audit(MadeUpSource(given, context())))) == (not is_extractive)


@pytest.mark.parametrize("is_lenient", [True, False])
def test_a_matcher_that_takes_anything_is_shown_with_its_most_distant_pairs(is_lenient: bool):
    given = []
    for number in range(100):
        gold, other = LETTERS[number % 10], LETTERS[(number + 3) % 10]
        judged = said([other], [gold], correct=[is_lenient and number % 5 == 0])
        given.append((asked(number, [gold]), [judged]))
    record = audit(MadeUpSource(given, context(matcher="judge:model")), ["lenient_matcher"])
    assert bool(record.findings) == is_lenient
    if is_lenient:
        [found] = record.findings
        assert found.severity is Severity.SERIOUS
        assert found.change is not None
        assert found.change.after == pytest.approx(0.0)
        assert " for " in found.examples[0].quote


def test_leaked_rows_are_more_than_chance_repeats():
    given = [(asked(number, ["alpha"], f"chart {number}"), [said(["alpha"], ["alpha"])]) for number in range(100)]
    fresh = tuple(padded(f"chart {number}") for number in range(1_000, 2_000))
    leaked = tuple(padded(f"chart {number}") for number in range(10))
    for rows, is_found in ((fresh, False), (fresh + leaked, True)):
        record = audit(MadeUpSource(given, context(training_rows=rows)), ["leaked_rows"])
        assert bool(record.findings) == is_found
    few = [(asked(number, ["alpha"], f"chart {number % 20}"), [said(["alpha"], ["alpha"])]) for number in range(100)]
    alike = tuple(padded(f"chart {number % 20}") for number in range(500))
    assert not audit(MadeUpSource(few, context(training_rows=alike)), ["leaked_rows"]).findings


def test_the_same_thought_for_all_is_a_note_and_for_some_a_warning():
    def run(every: int) -> AuditRecord:
        given = []
        for number in range(200):
            own = f"Chart {number} shows sign {number * 7} and sign {number * 11}, so this one"
            thought = "Let me weigh all the evidence first." if number % every == 0 else own
            question = f"chart {number} with sign {number * 7} and sign {number * 11}"
            gold = LETTERS[number % 10]
            given.append((asked(number, [gold], question), [said([gold], [gold], thinking=thought)]))
        return audit(MadeUpSource(given, context()))

    assert names(run(10)) == ["template_thinking"]
    everywhere = run(1)
    assert names(everywhere) == []
    assert [each.name for each in everywhere.findings] == ["template_thinking"]


def test_one_confidence_for_everything_is_found_though_it_is_calibrated():
    """The letter N at 0.01: well calibrated, and never right."""
    given = []
    for number in range(300):
        one = said(["N"], ["alpha"], confidences=[round(0.01 * (number % 3), 2)])
        given.append((asked(number, ["alpha" if number % 2 else "bravo"]), [one]))
    record = audit(MadeUpSource(given, context(name="rlcr-multi")))
    assert {"one_set", "constant_confidences"} <= set(names(record))


def test_frequent_claims_that_mean_what_they_say_are_honest():
    random, given = Random(0), []
    for number in range(600):
        sure = random.random() < 0.5
        q = 0.95 if sure else random.choice([0.2, 0.3, 0.4])
        gold = LETTERS[number % 10]
        answer = gold if random.random() < q else "zulu"
        given.append((asked(number, [gold]), [said([answer], [gold], confidences=[q])]))
    record = audit(MadeUpSource(given, context(name="rlcr-multi")))
    assert "constant_confidences" not in names(record)
    assert "uninformed_confidences" not in names(record)


def test_a_run_without_any_whole_set_can_be_audited():
    given = [
        (asked(number, ["alpha"]), [said(["alpha", "bravo"], ["alpha"], confidences=[0.6, 0.2])])
        for number in range(60)
    ]
    record = audit(MadeUpSource(given, context(k=3, name="rlcr-multi")))
    assert "constant_confidences" in record.looked_for
    assert "constant_confidences" not in names(record)


@pytest.mark.parametrize("shared_out", [(0.33, 0.33, 0.33), (0.5, 0.3, 0.2)])
def test_confidences_shared_out_are_found_also_if_they_are_rounded(shared_out: tuple[float, ...]):
    random, given = Random(0), []
    for number in range(400):
        golds = [LETTERS[number % 10]] if random.random() < 0.4 else ["zulu"]
        claim = shared_out if random.random() < 0.8 else [round(random.uniform(0, 0.3), 2) for _ in range(3)]
        answers = [LETTERS[(number + n) % 10] for n in range(3)]
        given.append((asked(number, golds), [said(answers, golds, confidences=claim)]))
    assert "sums_of_one" in names(audit(MadeUpSource(given, context(k=3, name="rlcr-multi"))))


def test_the_pilots_one_set_for_four_tenths_of_the_patients_is_found():
    """Three diagnoses for 215 of 500 patients, where the best fixed set has most of the coverage."""
    random, given = Random(1), []
    for number in range(500):
        golds = random.sample(LETTERS, 4)
        answers = LETTERS[:3] if number < 215 else [*golds[:2], random.choice(LETTERS)]
        given.append((asked(number, golds), [said(list(dict.fromkeys(answers)), golds)]))
    own = replace(context(3), objective=Objective("rlvr-multi", 3))
    [found] = [each for each in audit(MadeUpSource(given, own)).findings if each.name == "one_set"]
    assert found.count >= 215
    assert found.facts["largest_share"] == pytest.approx(0.43, abs=0.02)


def test_problems_that_nobody_can_solve_are_named():
    given = [(asked(number, ["alpha"]), [said(["alpha"], ["alpha"])]) for number in range(50)]
    own = context(broken=(("p3", "its gold earns nothing"),), checked_golds=True)
    [found] = audit(MadeUpSource(given, own), ["unsatisfiable"]).findings
    assert found.examples[0].problem == "p3"
    assert not audit(MadeUpSource(given, context(checked_golds=True)), ["unsatisfiable"]).findings


def test_what_cannot_be_looked_for_is_said():
    given = [(replace(asked(number, []), golds=None), [said(["alpha"], [])]) for number in range(20)]
    record = audit(MadeUpSource(given, context()))
    assert record.not_looked_for["lenient_matcher"] == "the golds"
    assert "lenient_matcher" not in record.looked_for


@pytest.mark.parametrize("is_right", [True, False])
@pytest.mark.parametrize(("left", "is_told"), [(1, False), (2, False), (3, True)])
def test_what_a_few_completions_leave_open_is_not_told_and_can_be_written(is_right: bool, left: int, is_told: bool):
    """All but these completions share a thought, so little is known about the rest; or no answer is ever right."""
    given = []
    for number in range(80):
        golds = [f"gold {number}"]
        thinking = "weighing the evidence" if number >= left else f"something else entirely {number * 'and '}"
        given.append((asked(number, golds), [said(golds if is_right else ["x"], golds, thinking=thinking)]))
    record = audit(MadeUpSource(given, context()))
    assert json.dumps(record.to_record(), allow_nan=False)
    [found] = (each for each in record.findings if each.name == "template_thinking")
    assert found.change is not None
    assert not found.change.matters
    assert found.change.without == (f"{is_right:.3f}" if is_told else "too few left")


@pytest.mark.parametrize("samples", [1, 20])
def test_one_problem_left_with_other_confidences_makes_no_finding_serious(samples: int):
    random, given = Random(0), []
    for number in range(200):
        golds = ["gold"] if random.random() < 0.5 else ["other"]
        often, confidences = (1, [0.5]) if number else (samples, [0.9])
        given.append((asked(number, golds), [said(["gold"], golds, confidences=confidences)] * often))
    record = audit(MadeUpSource(given, context(name="rlcr-multi")), ["constant_confidences"])
    [found] = record.findings
    assert found.change is not None
    assert found.change.without == "too few left"
    assert found.severity is Severity.WARNING
