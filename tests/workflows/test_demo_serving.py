"""The demo ends with a command that serves its own model, and with patients whose truth is known."""

import json
import shlex
from pathlib import Path

import pytest

from setwise.calibration import Profile
from setwise.models import Completion, Sampling
from setwise.models.scripted import ScriptedModel
from setwise.objectives import Objective, Regime
from setwise.prompting import lesson
from setwise.questions import Question
from setwise.records.manifest import Manifest
from setwise.records.run import RunFolder
from setwise.serving.examples import read_examples
from setwise.tasks import Task, load_task
from setwise.workflows.demo.examples import SHOWN, clinic_examples
from setwise.workflows.demo.serving import SERVED, Service, prepare_service
from setwise.workflows.evaluate import HowAsked, evaluate_model, inquiry_of
from tests.completions import completion
from tests.serving.running import serving_process

EVALUATED, FURTHER = 120, 60
OBJECTIVE = Objective("rlcr-multi", 3, regime=Regime.EXCLUSIVE)


def patients(count: int) -> Task:
    return load_task("clinic", split="test", limit=count, seed=0, conditions=6, findings=8)


def evaluated(folder: Path, count: int) -> Service:
    """A demo's folder, as far as its model was asked: it answers with the truth of the clinic."""
    task = patients(count)
    assert task.world is not None
    replies = {}
    for problem in task:
        best = sorted(task.world.belief(problem.question).items(), key=lambda belief: -belief[1])[:3]
        text = completion(OBJECTIVE, [name for name, _ in best], [round(belief, 2) for _, belief in best])
        replies[problem.id] = [Completion(text, "stop", 20)]
    model = ScriptedModel(replies)
    inquiry = inquiry_of(task, "rlcr-multi", model.name, HowAsked(k=3))
    run = RunFolder(folder / "eval" / SERVED)
    assert list(evaluate_model(model, [(run, inquiry)], task.matcher, resamples=10))
    (folder / "train" / SERVED / "model").mkdir(parents=True)
    return Service(folder=folder, patients=patients(count + FURTHER), evaluated=count, sampling=Sampling(1.0, 1.0, 40))


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Service, str]:
    """A demo's folder with all that its last command needs, and that command."""
    service = evaluated(tmp_path_factory.mktemp("demo"), EVALUATED)
    [line] = prepare_service(service)
    return service, line.partition(": ")[2]


def test_the_command_names_the_model_its_profile_and_how_it_was_asked(prepared: tuple[Service, str]):
    service, command = prepared
    words = shlex.split(command)
    assert Path(words[0]).name == "setwise"
    assert words[1:3] == ["serve", str(service.training)]
    options = dict(zip(words[3::2], words[4::2], strict=True))
    profile = Profile.read(options["--profile"])
    assert profile.reachable(float(options["--alpha"]))
    assert profile.sampling.items() <= service.run.read_config().sampling.items()


def test_too_few_patients_give_no_profile_and_one_line_why(tmp_path: Path):
    why, line = prepare_service(evaluated(tmp_path, 20))
    assert why.startswith("no profile for the served model: ")
    assert "a profile needs at least" in why
    assert "--profile" not in line
    assert line.endswith("--temperature 1 --max-tokens 40")
    assert not (tmp_path / "profile.json").exists()


def test_the_examples_are_new_patients_with_the_exact_posterior(prepared: tuple[Service, str]):
    service, _ = prepared
    examples = read_examples(service.training / "model")
    world = service.patients.world
    assert world is not None
    assert len(examples) == SHOWN
    assert not {each.question for each in examples} & {each.question.text for each in patients(EVALUATED)}
    for each in examples:
        assert dict(each.posterior) == pytest.approx(world.belief(Question(each.question)))
        assert sum(belief for _, belief in each.posterior) == pytest.approx(1)
    clearest = [each.posterior[0][1] for each in examples]
    assert clearest == sorted(clearest, reverse=True)
    assert clearest[0] > 0.8 > 0.5 > clearest[-1]


def test_where_few_patients_are_new_all_of_them_are_shown():
    task = patients(4)
    assert task.world is not None
    everyone = list(task)
    examples = clinic_examples(task.world, everyone, {everyone[0].question.text})
    assert {each.question for each in examples} == {each.question.text for each in everyone[1:]}
    known = everyone[1].question.text.count("yes") + everyone[1].question.text.count("no")
    assert f"Patient 1: {known} findings" in {each.title for each in examples}


@pytest.mark.slow
def test_the_command_that_the_demo_ends_with_serves_its_model(prepared: tuple[Service, str]):
    pytest.importorskip("torch")
    from setwise.training.warm_start.word_model import WordModelSize, build_word_model, task_words

    service, command = prepared
    taught = lesson(OBJECTIVE, "rlcr-multi\n")
    model = service.training / "model"
    words = task_words(service.patients, list(service.patients), [taught], "hm")
    build_word_model(words, model, WordModelSize(layers=1, hidden=16, heads=2))
    Manifest(taught=(taught,), task={"regime": "exclusive"}).write(model)
    with serving_process(*shlex.split(command)[2:]) as server:
        _, _, about = server.send("GET", "/v1/setwise/about")
        told = json.loads(about)
        assert told["profile"]["best_alpha"] == Profile.read(service.folder / "profile.json").best_alpha
        assert len(told["examples"]) == SHOWN
        status, body = server.chat(told["examples"][0]["question"])
        assert status == 200
        assert body["setwise"]["question"] == told["examples"][0]["question"]
