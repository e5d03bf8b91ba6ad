"""Judges the completions of a run and writes `scores.jsonl` and `metrics.json`. Asks no model."""

import logging
from collections.abc import Callable

from setwise.errors import InputError
from setwise.evaluation.analyses import Analyses, by_problem
from setwise.evaluation.labels import Labeller
from setwise.evaluation.measure import metrics_of
from setwise.evaluation.tally import Tally
from setwise.matching import Matcher, spec_of
from setwise.matching.broken import name_broken
from setwise.records.files import dump_record, replacing
from setwise.records.measured import Metrics, RunMetrics
from setwise.records.run import RunConfig, RunFolder
from setwise.records.sample_file import SampleFile
from setwise.statistics import RESAMPLES
from setwise.version import __version__

_log = logging.getLogger(__name__)


def score_run(
    folder: RunFolder,
    matcher: Matcher,
    *,
    config: RunConfig | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Metrics:
    """Label every completion of a run and write its scores and metrics. Asks no model.

    `config` describes how the completions were asked for, if the folder itself does not.
    """
    asked = config or folder.read_config()
    file = SampleFile.opened(folder.samples)
    if not file.offsets:
        raise InputError("there are no completions to score", place=folder.samples)
    method = asked.method
    labeller = Labeller(asked.objective, method.construction, method.k, method.samples, matcher)
    tally, analyses = Tally(), Analyses()
    with replacing(folder.scores) as out:
        for done, (_, attempts) in enumerate(by_problem(labeller.attempts(file.by_question())), start=1):
            for attempt in attempts:
                out.write(dump_record(attempt.to_record()))
                tally.add(attempt)
            analyses.add(attempts)
            on_progress(done)
        if not tally.problems:
            raise labeller.why_nothing(folder.path)
        unanswered = (asked.task.problems or 0) - len(file.offsets)
        if unanswered > 0:
            labeller.left_out["incomplete_problems"] += unanswered
        tally.counts.update(labeller.left_out, duplicate_samples=file.duplicates)
        metrics = metrics_of(tally, resamples=resamples, seed=seed)
    if labeller.broken:
        _log.warning("%s: %s", folder.path, name_broken(labeller.broken))
    judged_by = spec_of(matcher) or matcher.name
    folder.judged_by(judged_by)
    RunMetrics(
        task=asked.task.name,
        model=asked.model,
        method=method.name,
        k=method.k,
        confidence=method.confidence,
        regime=str(asked.objective.regime),
        sampling={name: value for name, value in asked.sampling.items() if name != "seed"},
        matcher=judged_by,
        setwise=__version__,
        resamples=resamples,
        metrics=metrics,
        analyses=analyses.to_record(),
    ).write(folder.metrics)
    return metrics
