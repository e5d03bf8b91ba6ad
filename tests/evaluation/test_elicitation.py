"""Confidences from a model that writes none."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import pytest

from setwise.evaluation.generation import Inquiry
from setwise.evaluation.methods import named_method
from setwise.models import Completion, Reply, Request
from setwise.records.run import RunFolder
from tests.evaluation.made_up import MadeUpTask, multi_text, single_text, whole_run


@pytest.fixture
def folder(tmp_path):
    return RunFolder(tmp_path / "run")


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
    inquiry = Inquiry(MadeUpTask(1), named_method("rlvr-multi+continue"))
    metrics = whole_run(folder, inquiry, model)
    [attempt] = folder.attempts()
    assert attempt.confidences == (0.1, 0.2, 0.3)
    assert attempt.correct == (True, False, True)
    assert attempt.tokens == 106
    assert model.prefixes[1].endswith("<confidence1>0.1</confidence1>\n<answer2>x</answer2>\n<confidence2>")
    assert metrics["strictly_valid"].value == 1
    assert folder.read_config().method.confidence == "continue"
    record = json.loads(folder.samples.read_text())
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

    whole_run(folder, Inquiry(MadeUpTask(1), named_method("rlvr-single+continue")), Continuing())
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

    inquiry = Inquiry(MadeUpTask(1), named_method("rlvr-single+continue"))
    metrics = whole_run(folder, inquiry, Continuing())
    [attempt] = folder.attempts()
    assert attempt.confidences == (0.4, 0.4)
    assert attempt.tokens == 25
    assert metrics.counts["top1/n_excluded"] == 1
