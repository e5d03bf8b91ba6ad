"""Completions on disk outlive whatever kills the program."""

import errno

import pytest

from setwise import InputError, Problem
from setwise.records.files import dump_record
from setwise.records.sample import Sample
from setwise.records.sample_file import SampleFile


def sample(problem: str, index: int | None, text: str = "hm") -> Sample:
    return Sample(asked=Problem(problem, "?", ["a"]), text=text, index=index)


def line(problem: str, index: int | None, text: str = "hm") -> str:
    return dump_record(sample(problem, index, text).to_record())


def texts(file: SampleFile) -> list[list[str]]:
    return [[each.text for each in samples] for samples in file.by_question()]


def test_samples_come_back_by_problem_in_their_order_whatever_the_order_of_writing(tmp_path):
    file = SampleFile.opened(tmp_path / "run" / "samples.jsonl")
    with file.appending() as appender:
        for problem, index in [("b", 1), ("a", 0), ("b", 0)]:
            assert appender.add(sample(problem, index, f"{problem}{index}"))
    assert texts(file) == [["b0", "b1"], ["a0"]]
    assert texts(SampleFile.opened(file.path)) == [["b0", "b1"], ["a0"]]
    assert len(file) == 3


def test_a_completion_is_never_written_twice(tmp_path):
    file = SampleFile.opened(tmp_path / "samples.jsonl")
    with file.appending() as appender:
        assert appender.add(sample("a", 0, "first"))
        assert not appender.add(sample("a", 0, "second"))
    assert texts(file) == [["first"]]


def test_a_duplicate_in_the_file_counts_once(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text(line("a", 0, "first") + line("a", 0, "second"))
    file = SampleFile.opened(path)
    assert texts(file) == [["first"]]
    assert file.duplicates == 1


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_half_a_line_at_the_end_is_dropped_and_written_again(tmp_path, cut):
    path = tmp_path / "samples.jsonl"
    whole = line("a", 0, "kept").encode()
    path.write_bytes(whole + line("a", 1, "lost").encode()[:-cut])
    file = SampleFile.opened(path)
    assert texts(file) == [["kept"]]
    assert not file.has("a", 1)
    with file.appending() as appender:
        appender.add(sample("a", 1, "again"))
    assert texts(SampleFile.opened(path)) == [["kept", "again"]]


def test_half_a_character_at_the_end_is_dropped_too(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_bytes(line("a", 0).encode() + b'{"problem": "\xc3')
    assert len(SampleFile.opened(path)) == 1


def test_rubbish_in_the_middle_is_an_error_with_its_line(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text(line("a", 0) + "rubbish\n" + line("a", 1))
    with pytest.raises(InputError, match=r"samples\.jsonl:2: a line must be one JSON object"):
        SampleFile.opened(path)


@pytest.mark.parametrize(
    "bad", [{"problem": ["a"], "sample": 0}, {"problem": {"id": "a"}, "sample": -1}, {"sample": 0}]
)
def test_a_line_that_is_no_sample_is_an_error_with_its_line(tmp_path, bad):
    path = tmp_path / "samples.jsonl"
    path.write_text(dump_record(bad))
    with pytest.raises(InputError, match=r"samples\.jsonl:1: "):
        SampleFile.opened(path)


def test_a_sample_without_a_text_is_an_error_where_it_is_read(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text(line("a", 0) + '{"problem": "b", "sample": 0}\n')
    with pytest.raises(InputError, match=rf'samples\.jsonl, byte {len(line("a", 0))}: a completion needs "text"'):
        texts(SampleFile.opened(path))


def test_samples_without_a_number_are_counted_as_they_come(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text(line("a", None, "first") + line("b", None, "other") + line("a", None, "second"))
    file = SampleFile.opened(path)
    assert [[(each.index, each.text) for each in samples] for samples in file.by_question()] == [
        [(0, "first"), (1, "second")],
        [(0, "other")],
    ]


def test_an_id_alone_is_a_sample_too(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text('{"problem": "a", "text": "x"}\n{"problem": 7, "text": "y"}\n')
    assert [samples[0].id for samples in SampleFile.opened(path).by_question()] == ["a", "7"]


def test_lone_surrogates_survive(tmp_path):
    file = SampleFile.opened(tmp_path / "samples.jsonl")
    with file.appending() as appender:
        appender.add(sample("a", 0, "x\ud800y"))
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
        appender.add(sample("a", 0, "theirs"))
    with early.appending() as appender:
        assert not appender.add(sample("a", 0, "ours"))
    assert texts(SampleFile.opened(path)) == [["theirs"]]


def test_a_full_disk_is_told_with_the_files_name(tmp_path):
    with pytest.raises(OSError, match=r"samples\.jsonl"), SampleFile.opened(tmp_path / "samples.jsonl").appending():
        raise OSError(errno.ENOSPC, "No space left on device")
