"""Copies a run folder with a planted cheat, judged again by the run's own matcher."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from shutil import copyfile

from setwise.answers import AnswerSet
from setwise.audit.plant import Parts, Scene, plant
from setwise.audit.plant.cheat import Cheat, find_cheat
from setwise.audit.said import Asked, AuditedCompletion, Context
from setwise.contract import tagged, thinking
from setwise.errors import InputError
from setwise.evaluation.labels import Labeller
from setwise.evaluation.score_run import score_run
from setwise.matching import Matcher, named
from setwise.matching.protocol import let_go_after
from setwise.objectives import Objective
from setwise.parsing import parse
from setwise.questions import Gold, Problem
from setwise.records.files import dump_record, replacing
from setwise.records.run import RunConfig, RunFolder
from setwise.records.sample import Sample
from setwise.records.sample_file import SampleFile
from setwise.workflows.audited_run import asked_of, said_of

RESAMPLES = 100


@dataclass(frozen=True)
class Planting:
    """Which cheat, how often, and the seed that decides where."""

    cheat: Cheat
    rate: float
    seed: int
    names: tuple[str, ...]
    objective: Objective

    def text(self, sample: Sample) -> str:
        """The completion, with or without the cheat."""
        parsed, problem = parse(sample.text, self.objective, strict=False), sample.problem
        if not isinstance(parsed, AnswerSet) or self.cheat.for_code != (problem.golds is None):
            return sample.text
        stated = tuple(q for q in parsed.confidences if q is not None)
        honest = Parts(parsed.thinking.strip(), tuple(parsed.answers), stated)
        own, fixed = (Random(f"{self.seed} {self.cheat.kind} {rest}") for rest in (f"{sample.id} {sample.index}", ""))
        planted = plant(honest, self.cheat.kind, self.rate, Scene(problem, self.names, own, fixed))
        return sample.text if planted == honest else written(planted, self.objective, parsed.analysis)

    def samples(self, file: SampleFile) -> Iterator[list[Sample]]:
        for samples in file.by_question():
            yield [Sample.from_record({**each.to_record(), "text": self.text(each)}, like=each) for each in samples]


@dataclass(frozen=True)
class PlantedSource:
    """A run with a cheat in it, for an audit alone: nothing is written."""

    context: Context
    config: RunConfig
    file: SampleFile
    planting: Planting
    matcher: Matcher

    def golds(self) -> Iterator[tuple[Gold, ...]]:
        for samples in self.file.by_question():
            if (golds := samples[0].problem.golds) is not None:
                yield golds

    def groups(self) -> Iterator[tuple[Asked, list[AuditedCompletion]]]:
        method = self.config.method
        labeller = Labeller(self.config.objective, method.construction, method.k, method.samples, self.matcher)
        for samples in self.planting.samples(self.file):
            attempts = list(labeller.attempts([samples]))
            said = said_of(samples, attempts, self.config.objective, method.construction, method.k)
            yield asked_of(samples[0], attempts, frozenset()), list(said)


def planted_source(honest: RunFolder, kind: str, rate: float, *, seed: int = 0, matcher: Matcher) -> PlantedSource:
    """The run with the cheat, as an audit reads it."""
    config, file = honest.read_config(), SampleFile.opened(honest.samples)
    context = Context(name=f"{kind}={rate:g}", objective=config.objective, matcher=config.matcher)
    return PlantedSource(context, config, file, _planting(config, file, kind, rate, seed), matcher)


def plant_run(honest: str | Path, out: str | Path, kind: str, rate: float, *, seed: int = 0) -> RunFolder:
    """Write `out`: the run `honest`, with the cheat in a share `rate` of its completions."""
    source, target = RunFolder(Path(honest)), RunFolder(Path(out))
    config, file = source.read_config(), SampleFile.opened(source.samples)
    planting = _planting(config, file, kind, rate, seed)
    if target.samples.exists():
        raise InputError("the folder holds a run already", place=target.path, remedy="use another --out")
    target.path.mkdir(parents=True, exist_ok=True)
    with replacing(target.samples) as stream:
        for samples in planting.samples(file):
            stream.writelines(dump_record(each.to_record()) for each in samples)
    copyfile(source.config, target.config)
    with let_go_after(named(config.matcher)) as matcher:
        score_run(target, matcher, resamples=RESAMPLES)
    return target


def written(parts: Parts, objective: Objective, analysis: str = "") -> str:
    """The completion with these parts."""
    tags = tagged(objective, parts.answers, [f"{q:.2f}" for q in parts.confidences], analysis)
    thought = thinking(f" {parts.thinking} ", opened=objective.think_opened)
    return "\n".join([thought, *(tag.around(f" {text} ") for tag, text in tags)])


def _planting(config: RunConfig, file: SampleFile, kind: str, rate: float, seed: int) -> Planting:
    own = find_cheat(kind)
    if not 0 <= rate <= 1:
        raise InputError("the rate of a cheat lies between 0 and 1", place=kind, value=rate)
    if own.needs_confidences and not config.objective.confidences:
        raise InputError("this cheat needs a run with confidences", place=kind, value=config.objective.name)
    names = _names(file)
    if not own.for_code and len(names) <= config.objective.k:
        raise InputError("this cheat needs more different golds than a set has answers", place=kind, value=len(names))
    return Planting(own, rate, seed, tuple(names), config.objective)


def _names(file: SampleFile) -> Mapping[str, int]:
    """Every gold of the run, most frequent first."""
    times: Counter[str] = Counter()
    for samples in file.by_question():
        asked = samples[0].asked
        golds = asked.golds if isinstance(asked, Problem) else None
        times.update(gold.text for gold in golds or ())
    return dict(times.most_common())
