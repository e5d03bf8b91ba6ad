"""The training in verl is what the page says, and verl got the rewards that setwise gives."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from statistics import fmean

import pytest

from results.verl import DOCUMENT, LOGGED, MEASURED, completions, main, mean, with_table
from setwise import Objective, Problem, parse, score_batch
from setwise.adapters.grade import terms, total
from setwise.answers import AnswerSet
from setwise.matching import exact
from setwise.records.files import Record
from setwise.records.score import Score
from setwise.tasks import load_task
from tests.results.told import prose
from tests.tasks.made_up import real

OBJECTIVE = Objective("rlvr-multi", k=3)
FIRST, LAST = range(1, 6), range(17, 22)


def test_the_page_shows_what_was_recorded():
    text = DOCUMENT.read_text(encoding="utf-8")
    assert "validation: reward" in text
    assert with_table(text) == text


def test_the_record_is_small_and_holds_no_rows_of_the_dataset():
    training, validation = completions()
    assert MEASURED.stat().st_size < 150_000
    assert {key for each in training for key in each} == {"schema", "problem", "step", "score", "text"}
    assert {key for each in validation for key in each} == {"schema", "problem", "step", "score", "text", *LOGGED}


def test_rewards_and_right_answers_rise():
    training, validation = completions()
    assert Counter(each["step"] for each in training) == dict.fromkeys(range(1, 22), 128)
    assert Counter(each["step"] for each in validation) == dict.fromkeys(range(0, 21, 5), 128)
    assert mean(training, "score", LAST) > mean(training, "score", FIRST) + 0.9
    right = [mean(validation, "n_correct", [step]) for step in range(0, 21, 5)]
    assert right == sorted(right)
    assert right[-1] > right[0] + 0.9
    assert "All 2,688 rewards" in prose(DOCUMENT)
    assert len(training) == 2688


def test_in_the_end_it_gives_almost_everyone_the_same_answers():
    _, validation = completions()
    sets = [parse(each["text"], OBJECTIVE) for each in validation if each["step"] == 20]
    given = Counter(frozenset(each.answers) for each in sets if isinstance(each, AnswerSet))
    ((common, times),) = given.most_common(1)
    assert common == {"Anemia", "Bronchitis", "Pneumonia"}
    assert f"anemia, bronchitis and pneumonia for {times} of 128 patients" in prose(DOCUMENT)


def test_verl_got_the_rewards_that_setwise_gives():
    training, validation = completions()
    assert differing(training) == differing(validation) == []
    counted = [terms(score) for score in scored(validation)]
    assert [[each[name] for name in LOGGED] for each in validation] == [[each[n] for n in LOGGED] for each in counted]


def test_a_reward_that_differs_is_found():
    training, _ = completions()
    wrong = {**training[7], "score": training[7]["score"] + 1}
    cut = next(each for each in training if each["score"] == 2)
    assert differing([*training[:7], wrong, {**cut, "text": cut["text"][:-1]}]) == [7, 8]


def test_the_coverage_of_training_completions_is_what_the_page_says():
    training, _ = completions()
    right = [sum(score.labels) / OBJECTIVE.k for score in scored(training)]
    first, last = (
        fmean(share for share, each in zip(right, training, strict=True) if each["step"] in steps)
        for steps in (FIRST, LAST)
    )
    assert f"from {first:.2f} in the first five steps to {last:.2f} in the last five" in prose(DOCUMENT)


def test_the_command_line_says_how_it_is_used(capsys: pytest.CaptureFixture[str]):
    assert main([]) == 2
    assert "collect" in capsys.readouterr().err


@cache
def problems() -> dict[str, Problem]:
    folder = real("ddxplus")
    return {each.id: each for split in ("train", "validate") for each in load_task("ddxplus", path=folder, split=split)}


def scored(records: Sequence[Record]) -> list[Score]:
    asked = [problems()[each["problem"]] for each in records]
    return score_batch([each["text"] for each in records], asked, OBJECTIVE, matcher=exact)


def differing(records: Sequence[Record]) -> list[int]:
    """Where verl's score is not ours."""
    pairs = zip(records, scored(records), strict=True)
    return [at for at, (record, score) in enumerate(pairs) if abs(record["score"] - total(score)) > 1e-6]
