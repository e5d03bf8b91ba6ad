"""What is written is what is read."""

import errno
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from setwise import Gold, Objective, Problem
from setwise.errors import InputError
from setwise.objectives import PRESETS
from setwise.records import (
    dump_record,
    objective_from_record,
    objective_to_record,
    parse_record,
    problem_from_record,
    problem_to_record,
    replacing,
)


@pytest.mark.parametrize(
    "problem",
    [
        Problem("1", "?", ["Gout", Gold("MI", ("heart attack",))], meta={"age": 61}),
        Problem("2", "write f", tests=["assert f() == 1"], setup="x = 1", reference="def f(): return 1"),
    ],
)
def test_a_problem_survives_the_round_trip(problem: Problem):
    record = parse_record(dump_record(problem_to_record(problem)), "here")
    assert problem_from_record(record) == problem
    assert problem_from_record(record).meta == problem.meta


@pytest.mark.parametrize(
    "objective",
    [
        Objective("rlcr-multi", k=5, regime="exclusive", sum_to_one="always", think_opened=True),
        Objective("rlcr-single", analysis=False, preset="released"),
        Objective("rlvr-multi", preset=replace(PRESETS["paper"], name="mine", format_weight=0.5)),
    ],
)
def test_an_objective_survives_the_round_trip(objective: Objective):
    record = parse_record(dump_record(objective_to_record(objective)), "here")
    del record["schema"]
    assert objective_from_record(record) == objective


def test_a_file_takes_its_name_only_when_it_is_whole(tmp_path: Path):
    target = tmp_path / "deep" / "file.jsonl"

    def fail_half_way() -> None:
        with replacing(target) as stream:
            stream.write("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert list(target.parent.iterdir()) == []
    with replacing(target) as stream:
        stream.write("whole")
    assert target.read_text() == "whole"


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path):
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    for text in ("made", "replaced"):
        with replacing(link) as stream:
            stream.write(text)
        assert link.is_symlink()
        assert target.read_text() == text


def test_a_pipe_is_written_through_and_stays_a_pipe(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with replacing(pipe) as stream:
        stream.write("whole")
    assert os.read(reader, 9) == b"whole"
    os.close(reader)
    assert pipe.is_fifo()


def test_our_own_output_is_written_in_turn(tmp_path: Path):
    write = "with replacing('/proc/self/fd/1') as out: out.write('2\\n')"
    program = f"from setwise.records import replacing\nprint(1)\n{write}\nprint(3)"
    with (tmp_path / "out").open("w") as out:
        subprocess.run([sys.executable, "-c", program], stdout=out, check=True)
    assert (tmp_path / "out").read_text() == "1\n2\n3\n"


def test_a_folder_is_refused_before_anything_is_written(tmp_path: Path):
    with pytest.raises(InputError, match=r"the file cannot be written \(Is a directory\)"), replacing(tmp_path):
        pytest.fail("the work began")


def test_a_full_disk_is_told_with_the_files_name(tmp_path: Path):
    with pytest.raises(OSError, match=r"file\.jsonl") as caught, replacing(tmp_path / "file.jsonl"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.errno == errno.ENOSPC
    assert list(tmp_path.iterdir()) == []
