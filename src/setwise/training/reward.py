"""The reward inside the engine: one callable over `score_batch`, and what it logs on the way.

It is one function and not one per term, because the engine adds up what several functions return and would count a
completion that the sandbox could not judge as 0 where the others gave a number. Such a completion is None here,
and the engine leaves it out.
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from setwise.matching import Matcher
from setwise.objectives import Objective
from setwise.problems import Problem
from setwise.records import problem_from_record
from setwise.scoring import Score, score_batch
from setwise.training.decoding import CompletionDecoder
from setwise.training.reward_metrics import Batch, batch_metrics

Scored = tuple[list[Score], list[bool]]


class SetReward:
    """Completions of one process in, their rewards out. Can be pickled."""

    __name__ = "setwise"

    def __init__(self, objective: Objective, matcher: Matcher, decoder: CompletionDecoder, group_size: int) -> None:
        self.objective, self.matcher, self.decoder, self.group_size = objective, matcher, decoder, group_size
        self._begun: Future[Scored] | None = None

    def __call__(
        self,
        *,
        completion_ids: Sequence[Sequence[int]],
        problem: Sequence[str],
        log_metric: Callable[[str, float], None] = lambda name, value: None,
        log_extra: Callable[[str, list[Any]], None] = lambda column, values: None,
        **_: Any,
    ) -> list[float | None]:
        begun, self._begun = self._begun, None
        scores, truncated = begun.result() if begun else self.scores(completion_ids, problem)
        batch = Batch(
            scores, [len(ids) for ids in completion_ids], truncated, self.matcher, self.objective, self.group_size
        )
        for name, value in batch_metrics(batch).items():
            log_metric(name, value)
        for column, values in _table(scores).items():
            log_extra(column, values)
        return [score.reward for score in scores]

    def begin(self, completion_ids: Sequence[Sequence[int]], problems: Sequence[str]) -> None:
        """Start scoring in the background; the next call waits for it. Programs run while the engine computes."""
        pool = ThreadPoolExecutor(1, thread_name_prefix="setwise-reward")
        self._begun = pool.submit(self.scores, completion_ids, problems)
        pool.shutdown(wait=False)

    def scores(self, completion_ids: Sequence[Sequence[int]], problems: Sequence[str]) -> Scored:
        texts, truncated = self.decoder(completion_ids)
        known: dict[str, Problem] = {}
        for written in problems:
            if written not in known:
                known[written] = problem_from_record(json.loads(written))
        scores = score_batch(
            texts,
            [known[written] for written in problems],
            self.objective,
            matcher=self.matcher,
            finish_reasons=["length" if cut else "stop" for cut in truncated],
        )
        return scores, truncated

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_begun": None}


def _table(scores: Sequence[Score]) -> dict[str, list[str]]:
    """What stands beside each completion in the engine's table."""
    return {
        "answers": [" | ".join(score.answers) for score in scores],
        "labels": [" | ".join("right" if label else "wrong" for label in score.labels) for score in scores],
        "confidences": [" | ".join("-" if q is None else f"{q:g}" for q in score.confidences) for score in scores],
        "verdict": [_verdict(score) for score in scores],
    }


def _verdict(score: Score) -> str:
    if score.error:
        return score.error
    if score.malformed:
        return str(score.malformed.reason)
    return str(score.broken) if score.broken else "valid"
