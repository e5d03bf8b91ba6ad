"""The results of a run by problem, as a pandas table."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from setwise.errors import MissingDependency
from setwise.evaluation.analyses import by_problem
from setwise.evaluation.tally import Tally
from setwise.metrics import solved
from setwise.records.run import RunFolder
from setwise.records.sample_file import SampleFile

if TYPE_CHECKING:
    from pandas import DataFrame


def problem_frame(run: str | Path) -> "DataFrame":
    """One row per problem, indexed by its id: the question, whether it was solved, and the mean of every metric of a
    set.

    A metric that does not apply to a problem is NaN there. One that applies to no problem has no column.
    """
    try:
        import pandas
    except ImportError:
        raise MissingDependency("a table of problems", package="pandas", extra="pandas") from None
    folder = RunFolder(Path(run))
    folder.require_scored()
    file = SampleFile.opened(folder.samples)
    questions = {samples[0].id: samples[0].question.text for samples in file.by_question()}
    tally = Tally()
    rows: list[dict[str, Any]] = []
    for problem, attempts in by_problem(folder.attempts()):
        tally.add_all(attempts)
        row: dict[str, Any] = {"problem": problem, "question": questions.get(problem, "")}
        row |= {"attempts": len(attempts), "solved": solved(attempts)}
        for metric in tally.metrics:
            values = [value for attempt in attempts if (value := metric(attempt)) is not None]
            row[metric.key] = sum(values) / len(values) if values else None
        rows.append(row)
    unknown = [metric.key for metric in tally.metrics if not tally.is_known(metric)]
    return pandas.DataFrame(rows).set_index("problem").drop(columns=unknown)
