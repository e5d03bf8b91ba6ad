"""Problems that teach nothing, because no answer to them can be judged. They are reported before training starts."""

import logging
from collections.abc import Sequence

from setwise.errors import MachineryError
from setwise.jobs import TrainingJob
from setwise.matching.broken import broken_problems, name_broken
from setwise.records.score import Score
from setwise.training.watch.listeners import View

HUSHED = {
    # TRL prints the whole row at every step in which something was not scored.
    "trl.trainer.grpo_trainer": "All reward functions returned None",
    # Checkpoints less than a second apart. They are then ordered by their step, which is right.
    "transformers.trainer_utils": "mtime may not be reliable on this filesystem",
}
"""Messages of the engine that call for nothing, by logger."""
_log = logging.getLogger(__name__)


def note_broken(job: TrainingJob, view: View) -> None:
    """Report them. Their completions get no reward and change no weights. Refuses a task with no other problems."""
    found = broken_problems(job.problems, job.task.matcher)
    broken = {each.problem: str(each) for each in found if each is not None}
    if broken and len(broken) == len(job.problems):
        raise MachineryError(f"{job.task.name}: there is nothing else to train on, and {name_broken(broken)}")
    if broken:
        view.note(f"warning: {name_broken(broken)}; their completions earn nothing and cost nothing")


def say_unscored(scores: Sequence[Score]) -> bool:
    """Report why the first of these could not be scored, unless its problem is broken, which was reported already."""
    why = next((score.error for score in scores if score.error and not score.broken_problem), None)
    if why is not None:
        _log.warning("a completion could not be scored and is left out, as others may be: %s", why)
    return why is not None


def hush_engine() -> None:
    """Hide these messages and no others."""
    for logger in HUSHED:
        logging.getLogger(logger).addFilter(_is_other)


def _is_other(record: logging.LogRecord) -> bool:
    return HUSHED[record.name] not in record.getMessage()
