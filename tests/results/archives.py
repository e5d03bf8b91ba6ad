"""What the records of several archives say, as the documents put it."""

from pathlib import Path

from results.audit import MEASURED
from results.blocks import signed_span
from results.differences import over_seeds
from results.readings import within_places
from results.trainings import DDXPLUS_160, Run, Trainings, evaluations
from setwise.records.files import Record, read_records
from setwise.records.seed_comparison import SeedDifference
from setwise.records.training_log import Step
from tests.results.told import Told, listed, percent


class Archives:
    """What the records of several archives say."""

    def __init__(self, folders: dict[str, Path]) -> None:
        self.told = {archive: Told(folder) for archive, folder in folders.items()}

    def of(self, run: Run, metric: str) -> dict[str, float]:
        return self.told[run[0]].of(run[1], metric)

    def value(self, run: Run, metric: str) -> float:
        return self.of(run, metric)["value"]

    def span(self, run: Run, metric: str) -> str:
        found = self.of(run, metric)
        return f"{found['value']:.3f} [{found['low']:.3f}, {found['high']:.3f}]"

    def values(self, runs: list[Run], metric: str) -> str:
        return thousandths([self.value(run, metric) for run in runs])

    def shares(self, runs: list[Run], metric: str) -> str:
        return listed([percent(self.value(run, metric), 1) for run in runs])

    def tokens(self, runs: list[Run]) -> str:
        return listed([f"{self.value(run, 'tokens'):.0f}" for run in runs])

    def difference(
        self, theirs: list[Run], metric: str, ours: list[Run] = DDXPLUS_160.ours
    ) -> tuple[float, float, float]:
        """Of our trainings from theirs, over seeds and problems, with its interval."""
        found = over_seeds(metric, *([self.folder(run) for run in runs] for runs in (theirs, ours))).value
        assert found.low is not None
        assert found.high is not None
        return found.value, found.low, found.high

    def difference_span(self, theirs: list[Run], metric: str, ours: list[Run] = DDXPLUS_160.ours) -> str:
        return signed_span(*self.difference(theirs, metric, ours))

    def over(self, theirs: list[Run], metric: str) -> str:
        return f"Over trainings the difference is {self.difference_span(theirs, metric)}"

    def known(self, runs: list[Run]) -> str:
        """In how many pairs within places a right answer has the higher confidence."""
        return listed([percent(within_places(self.folder(run)) or 0) for run in runs])

    def log(self, run: Run) -> list[Step]:
        return self.told[run[0]].log(run[1])

    def folder(self, run: Run) -> Path:
        return self.told[run[0]].folder / "eval" / run[1]

    def validated(self, run: Run, metric: str) -> float:
        return self.value((run[0], f"{run[1]}-validation"), metric)


def gained_by_sets(unpacked: dict[str, Path], dataset: Trainings) -> SeedDifference:
    """In coverage, over three samples, over seeds and problems."""
    return over_seeds("coverage", *(evaluations(unpacked, dataset.of(f"rlvr-{kind}")) for kind in ("single", "multi")))


def audited(run: Run) -> Record:
    [record] = [record for _, record in read_records(MEASURED) if (record.get("archive"), record.get("run")) == run]
    return record


def audited_share(run: Run, finding: str, digits: int = 0) -> str:
    """Of the sets or completions that the audit looked at, those with the finding."""
    record = audited(run)
    found = [each for each in record["findings"] if each["name"] == finding]
    assert found or record["completions"] >= 4000, "among fewer completions, more than half a percent go unreported"
    return percent(found[0]["count"] / found[0]["of"] if found else 0, digits)


def thousandths(values: list[float]) -> str:
    return listed([f"{value:.3f}" for value in values])
