"""A model is asked for what a run lacks, and every completion that comes is kept."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import pytest

from setwise.errors import InputError, ModelError
from setwise.evaluation.generation import Inquiry, generate
from setwise.evaluation.methods import named_method
from setwise.models import Completion, Reply, Request
from setwise.questions import Problem
from setwise.records.run import RunFolder
from setwise.records.sample_file import SampleFile
from tests.evaluation.made_up import Counting, MadeUpTask, multi_text, script

MULTI = [multi_text([f"gold {i}a", "nonsense", f"gold {i}b"], [0.9, 0.2, 0.6]) for i in range(4)]


@pytest.fixture
def folder(tmp_path):
    return RunFolder(tmp_path / "run")


def test_the_same_command_again_asks_only_for_what_is_missing(folder):
    inquiry = Inquiry(MadeUpTask(), named_method("rlcr-multi"))
    half = script({"p0": [MULTI[0]], "p2": [MULTI[2]]})
    assert generate(inquiry, half, SampleFile.opened(folder.samples)).failed == 2
    model = Counting(script({f"p{i}": [MULTI[i]] for i in range(4)}))
    generate(inquiry, model, SampleFile.opened(folder.samples))
    assert [request.question and request.question.id for request in model.asked] == ["p1", "p3"]
    generate(inquiry, model, SampleFile.opened(folder.samples))
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

    inquiry = Inquiry(MadeUpTask(), named_method("rlcr-multi"))
    with pytest.raises(KeyboardInterrupt):
        generate(inquiry, Dying(), SampleFile.opened(folder.samples))
    assert len(SampleFile.opened(folder.samples)) == 3


def test_a_model_that_is_gone_stops_the_run(folder):
    inquiry = Inquiry(MadeUpTask(100), named_method("rlcr-multi"))
    model = Counting(script({}))
    with pytest.raises(ModelError, match="20 requests in a row"):
        generate(inquiry, model, SampleFile.opened(folder.samples))
    assert len(model.asked) == 20


def test_two_problems_with_one_id_are_refused(folder):
    class Twice(MadeUpTask):
        def __iter__(self):
            yield from [Problem("p0", "?", ["a"]), Problem("p0", "!", ["b"])]

    inquiry = Inquiry(Twice(), named_method("rlcr-multi"))
    with pytest.raises(InputError, match='made-up: every problem must have its own id, got "p0"'):
        generate(inquiry, script({"p0": [MULTI[0]]}), SampleFile.opened(folder.samples))


def test_every_sample_has_a_seed_of_its_own_and_keeps_it(folder):
    inquiry = Inquiry(MadeUpTask(3), named_method("rlvr-single"))
    nothing = SampleFile.opened(folder.samples)
    seeds = [request.seed for _, request in inquiry.requests(nothing)]
    assert len(set(seeds)) == 9
    assert seeds == [request.seed for _, request in inquiry.requests(nothing)]
    assert seeds != [request.seed for _, request in replace(inquiry, seed=1).requests(nothing)]
