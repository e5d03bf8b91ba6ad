"""What the page on the paper's two open failures says, against the records."""

from pathlib import Path

import pytest

from results.claims import over_seeds
from results.failure_tables import FIRST, ONE_RIGHT, STATED, stated_sums
from results.rebuild import DOCS, HERE
from results.records import unpack
from setwise.records.run import RunFolder
from tests.results.told import Told, percent, prose


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Told]:
    folder = tmp_path_factory.mktemp("records")
    archives = {ONE_RIGHT, *(archive for runs in FIRST.values() for archive, _ in runs)}
    for archive in archives:
        unpack(HERE / f"{archive}.tar.xz", folder / archive)
    return {archive: Told(folder / archive) for archive in archives}


@pytest.fixture(scope="module")
def page() -> str:
    return prose(DOCS / "results" / "open-failures.md")


def test_rlcr_multi_lost_the_habit_of_sums_of_one(records: dict[str, Told], page: str):
    told = records[ONE_RIGHT]
    sums = {name: stated_sums(RunFolder(told.folder / "eval" / name)) for name in STATED.values()}
    assert not any(abs(each - 1) < 1e-6 for each in sums["rlcr-multi"])
    at_least_one = [each > 1 - 1e-6 for each in sums["rlvr-multi+prompt"]]
    assert f"1 or more in {percent(sum(at_least_one) / len(at_least_one))} of sets" in page
    claimed = {
        name: told.value(name, "set/count_gap") + told.value(name, "n_correct")
        for name in ("rlvr-multi+prompt", "rlcr-multi")
    }
    right = f"{told.value('rlcr-multi', 'n_correct'):.2f}"
    assert f"{claimed['rlvr-multi+prompt']:.2f} on average, where {right} are right" in page
    assert f"{claimed['rlcr-multi']:.2f} claimed, {right} right" in page


def test_first_answers_of_sets_catch_up_when_paid_for_themselves(records: dict[str, Told], page: str):
    def right(run: tuple[str, str]) -> float:
        return records[run[0]].value(run[1], "pass_at_1")

    def trained(run: tuple[str, str]) -> bool:
        return (_folder(records, run)).exists()

    for place in (1, 2):
        pairs = [(runs[0], runs[place]) for runs in FIRST.values() if trained(runs[0]) and trained(runs[place])]
        assert len(pairs) == 5
        assert sum(right(multi) < right(single) for single, multi in pairs) == 4
    paid = [(runs[0], runs[3]) for runs in FIRST.values() if len(runs) == 4 and trained(runs[0])]
    assert [right(ours) > right(single) for single, ours in paid] == [True, False]
    over = over_seeds("pass_at_1", *([_folder(records, run) for run in runs] for runs in zip(*paid, strict=True))).value
    assert f"the difference is {over.value:+.3f} [{over.low:+.3f}, {over.high:+.3f}]" in page


def _folder(records: dict[str, Told], run: tuple[str, str]) -> Path:
    return records[run[0]].folder / "eval" / run[1]
