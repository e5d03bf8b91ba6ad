"""The reward function for TRL: one callable over `score_batch`, with what it logs.

It is one function rather than one per term, because TRL adds up the results of several functions: a completion that the
sandbox could not judge would count as 0 if the others gave a number. Here such a completion is None, and TRL leaves it
out.
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from setwise.contract import CUT_OFF
from setwise.credit import CompletionDecoder, SampledCompletion, TokenCredit, TokenCrediting
from setwise.matching import Matcher
from setwise.objectives import Objective
from setwise.questions import Problem
from setwise.records.problem import problem_from_record
from setwise.records.score import Score
from setwise.scoring import score_batch
from setwise.training.run.broken import say_unscored
from setwise.training.watch.batch import Batch, batch_metrics


@dataclass(frozen=True, slots=True)
class Scored:
    """Completions with their rewards, in the order sampled."""

    scores: list[Score]
    problems: list[Problem]
    cut_off: list[bool]
    credit: list[TokenCredit] | None = None
    """What each token is paid; None if every token of a completion is paid the same."""


class SetReward:
    """Rewards the completions of one process. Can be pickled."""

    __name__ = "setwise"

    def __init__(
        self,
        objective: Objective,
        matcher: Matcher,
        decoder: CompletionDecoder,
        group_size: int,
        crediting: TokenCrediting | None = None,
    ) -> None:
        self.objective, self.matcher, self.decoder, self.group_size = objective, matcher, decoder, group_size
        self.crediting = crediting
        self.calibration_share = 1.0
        """Of the weight of Brier scores, for credit by token."""
        self.credit: list[TokenCredit] | None = None
        """For the completions it was last asked about."""
        self._begun: Future[Scored] | None = None
        self._said_unscored = False

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
        scored = begun.result() if begun else self.scored(completion_ids, problem)
        self.credit = scored.credit
        self._said_unscored = self._said_unscored or say_unscored(scored.scores)
        tokens = [len(ids) for ids in completion_ids]
        batch = Batch(scored.scores, scored.problems, tokens, scored.cut_off, self.objective, self.group_size)
        for name, value in batch_metrics(batch).items():
            log_metric(name, value)
        for column, values in _table(scored.scores).items():
            log_extra(column, values)
        return [score.reward for score in scored.scores]

    def begin(self, completion_ids: Sequence[Sequence[int]], problems: Sequence[str]) -> None:
        """Start scoring in the background; the next call waits for it. Programs run while the GPU computes."""
        pool = ThreadPoolExecutor(1, thread_name_prefix="setwise-reward")
        self._begun = pool.submit(self.scored, completion_ids, problems)
        pool.shutdown(wait=False)

    def scored(self, completion_ids: Sequence[Sequence[int]], written: Sequence[str]) -> Scored:
        """`written` has the record of each completion's problem, as JSON."""
        sampled = self.decoder(completion_ids)
        known = {text: problem_from_record(json.loads(text)) for text in dict.fromkeys(written)}
        problems = [known[text] for text in written]
        texts, cut_off = [own.text for own in sampled], [not own.ended for own in sampled]
        finished = [CUT_OFF if cut else "stop" for cut in cut_off]
        scores = score_batch(texts, problems, self.objective, matcher=self.matcher, finish_reasons=finished)
        credit = self._credit(scores, problems, sampled) if self.crediting else None
        return Scored(scores, problems, cut_off, credit)

    def _credit(
        self, scores: list[Score], problems: list[Problem], sampled: list[SampledCompletion]
    ) -> list[TokenCredit]:
        """Credit by group. A group is never split between processes."""
        assert self.crediting is not None
        credit: list[TokenCredit] = []
        for start in range(0, len(scores), self.group_size):
            group = slice(start, start + self.group_size)
            credit += self.crediting.of_group(scores[group], problems[start], sampled[group], self.calibration_share)
        return credit

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_begun": None, "credit": None}


def _table(scores: Sequence[Score]) -> dict[str, list[str]]:
    """The columns next to each completion in TRL's table."""
    return {
        "answers": [" | ".join(score.answers) for score in scores],
        "labels": [" | ".join("right" if label else "wrong" for label in score.labels) for score in scores],
        "confidences": [" | ".join("-" if q is None else f"{q:g}" for q in score.confidences) for score in scores],
        "verdict": [score.verdict for score in scores],
    }
