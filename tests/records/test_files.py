"""JSON on disk: whole or not at all, and of a version that is known."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from setwise.errors import InputError
from setwise.records.files import READABLE, SCHEMA, dump_record, parse_record, read_json, replacing, write_json


def test_what_is_written_carries_its_version(tmp_path: Path):
    assert parse_record(dump_record({"a": 1}), "here") == {"schema": SCHEMA, "a": 1}
    write_json(tmp_path / "a.json", {"a": 1})
    assert read_json(tmp_path / "a.json") == {"schema": SCHEMA, "a": 1}


@pytest.mark.parametrize("schema", READABLE)
def test_older_versions_are_read(schema: int):
    assert parse_record(dump_record({"schema": schema}), "here") == {"schema": schema}


@pytest.mark.parametrize("schema", [0, SCHEMA + 1, "2", None])
def test_an_unknown_version_is_refused(schema: object, tmp_path: Path):
    write_json(tmp_path / "a.json", {"schema": schema})
    for read in (
        lambda: parse_record(dump_record({"schema": schema}), "a.json"),
        lambda: read_json(tmp_path / "a.json"),
    ):
        with pytest.raises(InputError, match=r"a\.json: schema must be 2, got .*; upgrade setwise"):
            read()


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
    program = f"from setwise.records.files import replacing\nprint(1)\n{write}\nprint(3)"
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
