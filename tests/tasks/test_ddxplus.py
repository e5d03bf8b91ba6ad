"""DDXPlus: what a patient looks like as a problem, and what is refused."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setwise.errors import InputError
from setwise.objectives import Regime
from setwise.tasks import load_task
from setwise.tasks.csv_lines import read_row_bytes
from tests.tasks.made_up import COLUMNS, CONDITIONS, EVIDENCES, RENDERED, csv_text, patient, write_ddxplus


def many(count: int) -> list[list[str]]:
    return [patient(AGE=str(age % 100)) for age in range(count)]


def test_a_patient_is_laid_out_as_in_the_paper(tmp_path: Path):
    (problem,) = load_task("ddxplus", path=write_ddxplus(tmp_path, [patient()]))
    assert problem.question.text == RENDERED
    assert [gold.text for gold in problem.golds or ()] == ["Glass elbow", "Croup"]


def test_values_are_decoded_and_a_colon_of_the_question_stays(tmp_path: Path):
    row = patient(EVIDENCES="['E_2_@_V_2', 'E_3_@_7', 'E_5', 'E_4_@_V_3']")
    (problem,) = load_task("ddxplus", path=write_ddxplus(tmp_path, [row]))
    assert "  1. Symptom: Characterize your hum:: a kettle\n  2. Symptom: How loud is it?: 7\n" in problem.question.text
    assert problem.question.text.endswith(
        "  1. Antecedent: Does your uncle hum? -> Yes\n  2. Antecedent: Have you been abroad?: the moon"
    )


def test_a_name_with_an_apostrophe_is_read(tmp_path: Path):
    row = patient(DIFFERENTIAL_DIAGNOSIS=str([["O'Hara's itch", 0.6], ["Croup", 0.4]]))
    (problem,) = load_task("ddxplus", path=write_ddxplus(tmp_path, [row]))
    assert [gold.text for gold in problem.golds or ()] == ["O'Hara's itch", "Croup"]


def test_the_task_says_what_later_stages_need(tmp_path: Path):
    task = load_task("ddxplus", path=write_ddxplus(tmp_path, [patient()]), list_answers=True)
    assert task.regime is Regime.INCLUSIVE
    assert task.matcher.name == "exact"
    assert task.answer_names == tuple(CONDITIONS)
    assert all(name in task.instruction for name in CONDITIONS)


def test_min_probability_drops_golds_and_counts_rows_without_any(tmp_path: Path):
    rows = [patient(), patient(DIFFERENTIAL_DIAGNOSIS="[['Croup', 0.5], ['Glass elbow', 0.5]]")]
    task = load_task("ddxplus", path=write_ddxplus(tmp_path, rows), min_probability=0.7)
    assert [[gold.text for gold in problem.golds or ()] for problem in task] == [["Glass elbow"]]
    assert task.left_out == {"no diagnosis reaches min_probability": 1}


def test_a_zip_and_a_plain_file_give_the_same_problems(tmp_path: Path):
    plain = load_task("ddxplus", path=write_ddxplus(tmp_path / "a", many(50)), limit=9, seed=3)
    zipped = write_ddxplus(tmp_path / "b", many(50), "release_train_patients.zip")
    assert list(plain) == list(load_task("ddxplus", path=zipped, limit=9, seed=3))


def test_a_folder_is_searched_for_the_official_names(tmp_path: Path):
    write_ddxplus(tmp_path, many(3), "release_validate_patients.zip")
    assert len(list(load_task("ddxplus", path=tmp_path, split="validate"))) == 3
    with pytest.raises(InputError, match=r"no file for split test: release_test_patients.csv or .* figshare"):
        load_task("ddxplus", path=tmp_path, split="test")


def test_a_sample_parses_only_the_rows_it_chose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from setwise.tasks import ddxplus

    parsed = []
    cells = ddxplus._cells
    monkeypatch.setattr(ddxplus, "_cells", lambda row, place: parsed.append(place) or cells(row, place))
    assert len(list(load_task("ddxplus", path=write_ddxplus(tmp_path, many(400)), limit=7, seed=0))) == 7
    assert len(parsed) == 1 + 7


def test_a_line_end_inside_quotes_is_not_the_end_of_a_row(tmp_path: Path):
    row = patient(SEX='M "\n\nmaybe"')
    file = write_ddxplus(tmp_path, [row, patient(), row])
    assert len(list(read_row_bytes(file))) == 4
    assert [problem.id for problem in load_task("ddxplus", path=file)] == [f"ddxplus-train-{i}" for i in (1, 2, 3)]


@given(st.lists(st.lists(st.text('a",\n\r é', max_size=6), min_size=3, max_size=3), max_size=6))
def test_rows_end_where_a_csv_parser_says(rows: list[list[str]]):
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rows.csv"
        file.write_text(csv_text(rows, ["a", "b", "c"]), encoding="utf-8", newline="")
        read = [next(csv.reader([row.decode()])) for row in read_row_bytes(file)]
    assert read == [["a", "b", "c"], *rows]


def broken(**cells: str) -> Callable[[Path], Path]:
    return lambda folder: write_ddxplus(folder, [patient(), patient(**cells)])


def wrong_columns(folder: Path) -> Path:
    return write_ddxplus(folder, [["1", "2"]], columns=["AGE", "SEX"])


def truncated_zip(folder: Path) -> Path:
    file = write_ddxplus(folder, many(500), "train.zip")
    file.write_bytes(file.read_bytes()[:-200])
    return file


def damaged_zip(folder: Path) -> Path:
    file = write_ddxplus(folder, many(500), "train.zip")
    content = bytearray(file.read_bytes())
    content[200:260] = bytes(60)
    file.write_bytes(content)
    return file


def missing_companion(folder: Path) -> Path:
    file = write_ddxplus(folder, [patient()])
    (folder / "release_conditions.json").unlink()
    return file


def french_tables(folder: Path) -> Path:
    file = write_ddxplus(folder, [patient()])
    (folder / "release_evidences.json").write_text(json.dumps({"fievre": EVIDENCES["E_1"]}))
    return file


def french_conditions(folder: Path) -> Path:
    file = write_ddxplus(folder, [patient()])
    (folder / "release_conditions.json").write_text(json.dumps({"Coude de verre": CONDITIONS["Glass elbow"]}))
    return file


def cut_in_a_quote(folder: Path) -> Path:
    file = write_ddxplus(folder, [patient()])
    file.write_text(csv_text([patient()])[:-20])
    return file


@pytest.mark.parametrize(
    ("write", "place", "rule", "value", "remedy"),
    [
        (wrong_columns, "train.csv", "missing: DIFFERENTIAL_DIAGNOSIS, PATHOLOGY", '["AGE", "SEX"]', "figshare"),
        (
            broken(EVIDENCES="['toux']"),
            "train.csv: row 2",
            "evidence code is named in French",
            "toux",
            "English release",
        ),
        (
            broken(DIFFERENTIAL_DIAGNOSIS="[['Humeur foulée', 1.0]]"),
            "train.csv: row 2",
            "condition is named in French",
            "Humeur foulée",
            "English release",
        ),
        (french_tables, "release_evidences.json", "evidence code is named in French", "fievre", "English release"),
        (french_conditions, "release_conditions.json", "condition is named in French", "Coude", "English release"),
        (truncated_zip, "train.zip", "cut short or damaged", "not a zip", "download it again"),
        (damaged_zip, "train.zip", "cut short or damaged", "rror", "download it again"),
        (broken(EVIDENCES="['E_1', 'E_99']"), "train.csv: row 2", "listed in release_evidences", "E_99", "one release"),
        (broken(EVIDENCES="['E_2_@_V_9']"), "train.csv: row 2", "one of its listed values", "E_2_@_V_9", "one release"),
        (broken(EVIDENCES="['E_1_@_V_9']"), "train.csv: row 2", "takes no value", "E_1_@_V_9", "one release"),
        (
            broken(DIFFERENTIAL_DIAGNOSIS="[['Gout', 1.0]]"),
            "train.csv: row 2",
            "listed in release_conditions",
            "Gout",
            "one release",
        ),
        (broken(DIFFERENTIAL_DIAGNOSIS="[]"), "train.csv: row 2", "non-empty list", "[]", "remove the row"),
        (broken(DIFFERENTIAL_DIAGNOSIS=""), "train.csv: row 2", "non-empty list", '""', "remove the row"),
        (broken(EVIDENCES="['E_1'"), "train.csv: row 2", "list of codes", "['E_1'", "remove the row"),
        (broken(AGE="young"), "train.csv: row 2", "whole number", "young", "remove the row"),
        (missing_companion, "", "release_conditions.json must lie beside the patients", "", "figshare"),
        (cut_in_a_quote, "train.csv", "a quoted cell is never closed", "61", "get it again"),
    ],
)
def test_bad_files_are_refused_with_place_rule_value_and_remedy(
    tmp_path: Path, write: Callable[[Path], Path], place: str, rule: str, value: str, remedy: str
):
    with pytest.raises(InputError) as caught:
        list(load_task("ddxplus", path=write(tmp_path)))
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith(place or str(tmp_path))
    assert rule in line
    assert value in line
    assert remedy in line


def test_a_row_with_too_few_cells_is_refused(tmp_path: Path):
    file = write_ddxplus(tmp_path, [patient()[:4]])
    with pytest.raises(InputError, match=f"row 1: a row must have {len(COLUMNS)} cells, got 4"):
        list(load_task("ddxplus", path=file))


def test_a_split_for_a_single_file_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match="give the folder, or leave split out"):
        load_task("ddxplus", path=write_ddxplus(tmp_path, [patient()]), split="test")
