"""A user's own questions and answers."""

import json
from pathlib import Path
from typing import Any

import pytest

from setwise.errors import InputError
from setwise.objectives import Regime
from setwise.questions import Gold
from setwise.tasks import load_task
from setwise.tasks.problem_file import export_problems

ONE = {"question": "Capital of France?", "answers": ["Paris"]}
TWO = {"question": "Twins of myth?", "answers": ["Castor", "Pollux"], "aliases": {"Pollux": ["Polydeuces"]}, "id": "t"}


def write(file: Path, *rows: Any) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def test_rows_become_problems_with_aliases_and_ids(tmp_path: Path):
    task = load_task("jsonl", path=write(tmp_path / "cases.jsonl", ONE, TWO))
    first, second = task
    assert (first.id, first.golds) == ("row-1", (Gold("Paris"),))
    assert (second.id, second.golds) == ("t", (Gold("Castor"), Gold("Pollux", ("Polydeuces",))))


def test_golds_may_be_called_golds_or_answers_and_not_both(tmp_path: Path):
    called_golds = [
        {("golds" if name == "answers" else name): cell for name, cell in row.items()} for row in (ONE, TWO)
    ]
    problems = list(load_task("jsonl", path=write(tmp_path / "golds.jsonl", *called_golds)))
    assert problems == list(load_task("jsonl", path=write(tmp_path / "answers.jsonl", ONE, TWO)))
    both = write(tmp_path / "both.jsonl", ONE | {"golds": ["Paris"]})
    with pytest.raises(InputError, match=r"both.jsonl:1: a row calls its right answers golds or answers, not both"):
        load_task("jsonl", path=both)


def test_the_regime_is_inferred_and_said_aloud(tmp_path: Path):
    alone = load_task("jsonl", path=write(tmp_path / "a.jsonl", ONE))
    assert alone.regime is Regime.EXCLUSIVE
    assert "regime exclusive, inferred: every problem of a.jsonl has exactly one answer" in alone.notes[0]
    both = load_task("jsonl", path=write(tmp_path / "b.jsonl", ONE, TWO))
    assert both.regime is Regime.INCLUSIVE
    assert "t in b.jsonl has 2 answers" in both.notes[0]


def test_a_chosen_regime_is_kept_without_a_note(tmp_path: Path):
    task = load_task("jsonl", path=write(tmp_path / "a.jsonl", ONE), regime="inclusive")
    assert (task.regime, task.notes) == (Regime.INCLUSIVE, ())


def test_the_test_file_of_a_folder_takes_the_regime_of_the_training_file(tmp_path: Path):
    write(tmp_path / "train.jsonl", ONE, TWO)
    write(tmp_path / "test.jsonl", ONE)
    assert load_task("jsonl", path=tmp_path, split="test").regime is Regime.INCLUSIVE


def test_the_split_of_a_folder_is_said_where_none_was_named(tmp_path: Path):
    for split in ("train", "test"):
        write(tmp_path / f"{split}.jsonl", ONE)
    assert f"split train of {tmp_path}, since none was named" in load_task("jsonl", path=tmp_path).notes
    assert not any("split" in note for note in load_task("jsonl", path=tmp_path, split="test").notes)
    assert not any("split" in note for note in load_task("jsonl", path=tmp_path / "test.jsonl").notes)


def test_two_answers_in_the_exclusive_regime_are_an_error(tmp_path: Path):
    file = write(tmp_path / "cases.jsonl", ONE, TWO)
    with pytest.raises(InputError, match=r"cases.jsonl:2: the exclusive regime has one answer .*; choose regime=inclu"):
        list(load_task("jsonl", path=file, regime="exclusive"))


def test_csv_cells_hold_one_answer_or_a_json_list(tmp_path: Path):
    file = tmp_path / "cases.csv"
    file.write_text(
        'id,question,answers,aliases\n,Who?,"Ada, Countess",\n7,Which?,"[""a"", ""b""]","{""a"": [""A.""]}"\n'
    )
    first, second = load_task("jsonl", path=file)
    assert (first.id, first.golds) == ("row-1", (Gold("Ada, Countess"),))
    assert (second.id, second.golds) == ("7", (Gold("a", ("A.",)), Gold("b")))


@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_an_export_is_read_back_as_the_same_problems(tmp_path: Path, format: str):
    if format == "parquet":
        pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    problems = list(load_task("jsonl", path=write(tmp_path / "cases.jsonl", ONE, TWO)))
    out = tmp_path / f"out.{format}"
    assert export_problems(problems, out, format) == 2
    assert list(load_task("jsonl", path=out)) == problems


def test_an_export_has_text_as_it_is_and_odd_characters_as_escapes(tmp_path: Path):
    odd = {"question": "雪 \ud800\u2028?", "answers": ["pönd"]}
    problems = list(load_task("jsonl", path=write(tmp_path / "cases.jsonl", odd)))
    export_problems(problems, out := tmp_path / "out.jsonl")
    assert '"question": "雪 \\ud800\\u2028?", "golds": ["pönd"]' in out.read_text(encoding="utf-8")
    assert list(load_task("jsonl", path=out)) == problems


def test_a_failed_export_leaves_the_old_file_and_nothing_else(tmp_path: Path):
    out = tmp_path / "out.jsonl"
    out.write_text("old")
    bad = load_task("jsonl", path=write(tmp_path / "cases.jsonl", ONE, {"question": "?"}), regime="inclusive")
    with pytest.raises(InputError):
        export_problems(bad, out, "jsonl")
    assert out.read_text() == "old"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["cases.jsonl", "out.jsonl"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": "?", "answers": None}, '"answers" must be a non-empty list of strings, got null; fill it in'),
        ({"question": "?", "answers": []}, '"answers" must be a non-empty list of strings, got []; fill it in'),
        ({"question": "?", "answers": "x"}, '"answers" must be a non-empty list of strings, got "x"'),
        ({"question": "?", "answers": ["x", " "]}, '"answers" must be a non-empty list of strings'),
        ({"question": "", "answers": ["x"]}, '"question" must be non-empty text, got ""'),
        ({"answers": ["x"]}, '"question" must be non-empty text, got null'),
        ([1], "every row must be a JSON object, got [1]"),
        ({"question": "?", "answers": ["x"], "id": 1.5}, '"id" must be a non-empty string or a whole number, got 1.5'),
        (
            {"question": "?", "answers": ["x"], "aliases": {"y": ["z"]}},
            '"aliases" names something that is no gold of this row',
        ),
        ({"question": "?", "answers": ["x"], "aliases": {"x": "y"}}, '"aliases" must map a gold to a list of names'),
        ({"question": "?", "answers": ["x"], "id": "a"}, 'has this one too, got "a"; rename or remove one of them'),
    ],
)
def test_bad_rows_are_one_line_with_their_place(tmp_path: Path, row: Any, message: str):
    file = write(tmp_path / "cases.jsonl", ONE | {"id": "a"}, row)
    with pytest.raises(InputError) as caught:
        list(load_task("jsonl", path=file))
    assert str(caught.value).startswith("cases.jsonl:2: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("row", "remedy"),
    [
        ({"question": "?", "answer": ["x"]}, 'rename "answer" to "answers"'),
        ({"question": "?", "gold": ["x"]}, 'rename "gold" to "golds"'),
        ({"question": "?", "Answers": ["x"]}, 'rename "Answers" to "answers"'),
        ({"qestion": "?", "answers": ["x"]}, 'rename "qestion" to "question"'),
        ({"question": "?", "answers": ["x"], "alias": {"x": ["y"]}}, 'rename "alias" to "aliases"'),
    ],
)
@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_a_misspelt_field_is_answered_with_the_right_one(tmp_path: Path, row: Any, remedy: str, suffix: str):
    path = write(tmp_path / "cases.jsonl", row)
    if suffix == "csv":
        path = tmp_path / "cases.csv"
        cells = [cell if isinstance(cell, str) else json.dumps(cell).replace('"', '""') for cell in row.values()]
        path.write_text(",".join(row) + "\n" + ",".join(f'"{cell}"' for cell in cells) + "\n")
    with pytest.raises(InputError) as caught:
        list(load_task("jsonl", path=path))
    assert str(caught.value).startswith(f"{path.name}:")
    assert str(caught.value).endswith(f"; {remedy}")


def test_fields_of_your_own_are_passed_over(tmp_path: Path):
    path = write(tmp_path / "cases.jsonl", ONE | {"category": "towns", "idx": 3, "text": "?", "answer_id": 7})
    assert [problem.id for problem in load_task("jsonl", path=path)] == ["row-1"]


def test_a_line_that_is_no_json_names_its_line(tmp_path: Path):
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(ONE) + "\n\n{oops\n")
    with pytest.raises(InputError, match=r"cases.jsonl:3: every line must be one JSON object"):
        list(load_task("jsonl", path=file))


@pytest.mark.parametrize(
    ("name", "lines", "byte"),
    [
        ("cases.jsonl", ['{"question": "Who?", "answers": ["x"]}', '{"question": "Où?", "answers": ["là"]}'], 15),
        ("cases.csv", ["question,answers", "Où?,là"], 1),
    ],
)
def test_a_line_in_another_encoding_is_named(name: str, lines: list[str], byte: int, tmp_path: Path):
    (tmp_path / name).write_bytes("\n".join(lines).encode("latin-1"))
    complaint = rf"^{name}:2: a line must be UTF-8 \(invalid start byte at byte {byte}\); convert the file"
    with pytest.raises(InputError, match=complaint):
        load_task("jsonl", path=tmp_path / name)


def test_an_empty_file_is_refused(tmp_path: Path):
    (tmp_path / "cases.jsonl").write_text("\n")
    with pytest.raises(InputError, match=r'the file has no rows; its lines are \{"question"'):
        load_task("jsonl", path=tmp_path / "cases.jsonl")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "question;golds\nWho?;Castor\n",
            'cases.csv:1: the columns of a CSV file are separated by commas, got "question;golds"; save the file with '
            'commas in place of ";"',
        ),
        ('"question"\t"golds"\nWho, then?\tCastor\n', 'commas in place of "\\t"'),
        (
            "frage,antwort\nWer?,Castor\n",
            'cases.csv: the file has no column question and no column golds, got ["frage", "antwort"]; a file of '
            "questions needs question and golds or answers",
        ),
        ("question,id\nWho?,1\n", 'cases.csv: the file has no column golds, got ["question", "id"]; a file of'),
        ("question,answer\nWho?,x\n", 'rename "answer" to "answers"'),
        ("question,golds\nWho?,\n", 'cases.csv:2: "golds" must be a non-empty list of strings, got null; fill it in'),
    ],
)
def test_a_csv_without_its_columns_says_which_it_has(text: str, said: str, tmp_path: Path):
    (tmp_path / "cases.csv").write_text(text)
    with pytest.raises(InputError) as caught:
        load_task("jsonl", path=tmp_path / "cases.csv")
    assert said in str(caught.value)


def test_a_short_csv_row_is_refused(tmp_path: Path):
    (tmp_path / "cases.csv").write_text("question,answers\nWho?\n")
    with pytest.raises(InputError, match=r"cases.csv:2: every row must have the header's 2 cells"):
        load_task("jsonl", path=tmp_path / "cases.csv")


@pytest.mark.parametrize(
    ("file", "given", "name"),
    [
        ("ambignq.jsonl", "ambignq.jsonl", "ambignq"),
        ("ambignq/test.jsonl", "ambignq/test.jsonl", "ambignq"),
        ("ambignq/train.jsonl", "ambignq", "ambignq"),
        ("v1.2/train.jsonl", "v1.2", "v1.2"),
        ("ddxplus.jsonl", "ddxplus.jsonl", "ddxplus-jsonl"),
    ],
)
def test_a_task_is_called_after_its_file_and_keeps_its_kind(file: str, given: str, name: str, tmp_path: Path):
    (tmp_path / file).parent.mkdir(exist_ok=True)
    write(tmp_path / file, ONE)
    task = load_task("jsonl", path=tmp_path / given)
    assert (task.name, task.kind, task.path) == (name, "jsonl", str(tmp_path / given))


def test_the_name_of_a_file_is_no_part_of_the_fingerprint(tmp_path: Path):
    one, other = (load_task("jsonl", path=write(tmp_path / name, ONE)) for name in ("a.jsonl", "b.jsonl"))
    assert one.fingerprint == other.fingerprint
    assert one.source == other.source


def test_a_parquet_file_that_is_none_is_refused(tmp_path: Path):
    pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    (tmp_path / "cases.parquet").write_text("no")
    with pytest.raises(InputError, match=r"cases.parquet: the file must be Parquet"):
        load_task("jsonl", path=tmp_path / "cases.parquet")
