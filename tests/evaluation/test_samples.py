"""Completions on disk outlive whatever kills the program."""

import errno

import pytest

from setwise.errors import InputError
from setwise.evaluation.samples import SampleFile
from setwise.records import dump_record


def record(problem: str, sample: int, text: str = "hm") -> dict:
    return {"problem": {"id": problem, "question": "?", "golds": ["a"]}, "sample": sample, "text": text}


def texts(file: SampleFile) -> list[list[str]]:
    return [[sample.text for sample in samples] for samples in file.by_problem()]


def test_samples_come_back_by_problem_in_their_order_whatever_the_order_of_writing(tmp_path):
    file = SampleFile.opened(tmp_path / "run" / "samples.jsonl")
    with file.appending() as appender:
        for problem, sample in [("b", 1), ("a", 0), ("b", 0)]:
            assert appender.add(record(problem, sample, f"{problem}{sample}"))
    assert texts(file) == [["b0", "b1"], ["a0"]]
    assert texts(SampleFile.opened(file.path)) == [["b0", "b1"], ["a0"]]
    assert len(file) == 3


def test_a_completion_is_never_written_twice(tmp_path):
    file = SampleFile.opened(tmp_path / "samples.jsonl")
    with file.appending() as appender:
        assert appender.add(record("a", 0, "first"))
        assert not appender.add(record("a", 0, "second"))
    assert texts(file) == [["first"]]


def test_a_duplicate_in_the_file_counts_once(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text(dump_record(record("a", 0, "first")) + dump_record(record("a", 0, "second")))
    file = SampleFile.opened(path)
    assert texts(file) == [["first"]]
    assert file.duplicates == 1


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_half_a_line_at_the_end_is_dropped_and_written_again(tmp_path, cut):
    path = tmp_path / "samples.jsonl"
    whole = dump_record(record("a", 0, "kept")).encode()
    path.write_bytes(whole + dump_record(record("a", 1, "lost")).encode()[:-cut])
    file = SampleFile.opened(path)
    assert texts(file) == [["kept"]]
    assert not file.has("a", 1)
    with file.appending() as appender:
        appender.add(record("a", 1, "again"))
    assert texts(SampleFile.opened(path)) == [["kept", "again"]]


def test_half_a_character_at_the_end_is_dropped_too(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_bytes(dump_record(record("a", 0)).encode() + b'{"problem": "\xc3')
    assert len(SampleFile.opened(path)) == 1


def test_rubbish_in_the_middle_is_an_error_with_its_line(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text(dump_record(record("a", 0)) + "rubbish\n" + dump_record(record("a", 1)))
    with pytest.raises(InputError, match=r"samples\.jsonl:2: a line must be one JSON object"):
        SampleFile.opened(path)


@pytest.mark.parametrize("bad", [{"problem": "a", "sample": 0}, {"problem": {"id": "a"}, "sample": -1}, {"sample": 0}])
def test_a_line_that_is_no_sample_is_an_error_with_its_line(tmp_path, bad):
    path = tmp_path / "samples.jsonl"
    path.write_text(dump_record(bad))
    with pytest.raises(InputError, match=r"samples\.jsonl:1: "):
        SampleFile.opened(path)


def test_lone_surrogates_survive(tmp_path):
    file = SampleFile.opened(tmp_path / "samples.jsonl")
    with file.appending() as appender:
        appender.add(record("a", 0, "x\ud800y"))
    assert texts(SampleFile.opened(file.path)) == [["x\ud800y"]]


def test_a_second_writer_is_refused(tmp_path):
    pytest.importorskip("fcntl")
    path = tmp_path / "samples.jsonl"
    with (
        SampleFile.opened(path).appending(),
        pytest.raises(InputError, match="another process is writing"),
        SampleFile.opened(path).appending(),
    ):
        pass


def test_what_another_process_wrote_meanwhile_is_neither_cut_off_nor_asked_again(tmp_path):
    path = tmp_path / "samples.jsonl"
    early = SampleFile.opened(path)
    with SampleFile.opened(path).appending() as appender:
        appender.add(record("a", 0, "theirs"))
    with early.appending() as appender:
        assert not appender.add(record("a", 0, "ours"))
    assert texts(SampleFile.opened(path)) == [["theirs"]]


def test_a_full_disk_is_told_with_the_files_name(tmp_path):
    with pytest.raises(OSError, match=r"samples\.jsonl"), SampleFile.opened(tmp_path / "samples.jsonl").appending():
        raise OSError(errno.ENOSPC, "No space left on device")
