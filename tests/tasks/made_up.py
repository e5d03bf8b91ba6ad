"""Small made-up files in the official formats, and where the real ones are if this machine has them."""

import csv
import io
import json
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

REAL_DATA = Path(os.environ.get("SETWISE_DATA", Path(__file__).parents[2].parent / "shared" / "data"))


def real(name: str) -> Path:
    """A folder of real data, or a skip that says why."""
    if not (REAL_DATA / name).is_dir():
        pytest.skip(f"no real {name} data at {REAL_DATA / name}; SETWISE_DATA names the folder that holds it")
    return REAL_DATA / name


COLUMNS = ["AGE", "DIFFERENTIAL_DIAGNOSIS", "SEX", "PATHOLOGY", "EVIDENCES", "INITIAL_EVIDENCE"]
CONDITIONS = {
    "Sprained mood": {"cond-name-fr": "Humeur foulée", "cond-name-eng": "Sprained mood"},
    "O'Hara's itch": {"cond-name-fr": "Démangeaison d'O'Hara", "cond-name-eng": "O'Hara's itch"},
    "Glass elbow": {"cond-name-fr": "Coude de verre", "cond-name-eng": "Glass elbow"},
    "Croup": {"cond-name-fr": "Croup", "cond-name-eng": "Croup"},
}


def _evidence(question: str, data_type: str = "B", is_antecedent: bool = False, **values: Any) -> dict[str, Any]:
    meanings = {code: {"en": text, "fr": f"{text} (fr)"} for code, text in values.items()}
    possible = list(values) or ([] if data_type == "B" else list(range(11)))
    return {
        "question_en": question,
        "question_fr": question,
        "is_antecedent": is_antecedent,
        "data_type": data_type,
        "value_meaning": meanings,
        "possible-values": possible,
    }


EVIDENCES = {
    "E_1": _evidence("Do you hum?"),
    "E_2": _evidence("Characterize your hum:", "M", V_1="low", V_2="a kettle"),
    "E_3": _evidence("How loud is it?", "C"),
    "E_4": _evidence("Have you been abroad?", "C", is_antecedent=True, V_10="N", V_3="the moon"),
    "E_5": _evidence("Does your uncle hum?", is_antecedent=True),
}
PATIENT = ["61", "[['Glass elbow', 0.7], ['Croup', 0.3]]", "M", "Croup", "['E_1', 'E_4_@_V_10']", "E_1"]
RENDERED = """Demographics: Age: 61, Sex: M
================================================================================
SYMPTOMS AND ANTECEDENTS:
================================================================================
Symptoms:
  1. Symptom: Do you hum? -> Yes


Antecedents:
  1. Antecedent: Have you been abroad?: N"""


def patient(**cells: str) -> list[str]:
    return [cells.get(name, cell) for name, cell in zip(COLUMNS, PATIENT, strict=True)]


def csv_text(rows: Sequence[Sequence[str]], columns: Sequence[str] = COLUMNS) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([columns, *rows])
    return stream.getvalue()


def write_ddxplus(
    folder: Path, rows: Sequence[Sequence[str]], name: str = "train.csv", columns: Sequence[str] = COLUMNS
) -> Path:
    """A release with its decoding tables; a `.zip` name gives a zipped one."""
    folder.mkdir(exist_ok=True)
    (folder / "release_evidences.json").write_text(json.dumps(EVIDENCES))
    (folder / "release_conditions.json").write_text(json.dumps(CONDITIONS))
    file = folder / name
    if file.suffix == ".zip":
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(file.stem, csv_text(rows, columns))
    else:
        file.write_text(csv_text(rows, columns), encoding="utf-8", newline="")
    return file


def hotpot_row(name: str = "q1", paragraphs: int = 10, **fields: Any) -> dict[str, Any]:
    context = [[f"Town {i}", [f"Town {i} lies by the sea.", f" It has {i} mills."]] for i in range(paragraphs)]
    row = {
        "_id": name,
        "question": f"Which town has {name} mills?",
        "answer": "Town 3",
        "type": "bridge",
        "level": "hard",
        "supporting_facts": [["Town 3", 0], ["Town 7", 1], ["Town 3", 1]],
        "context": context,
    }
    return row | fields


def hotpot_hub_row(row: dict[str, Any]) -> dict[str, Any]:
    """The same row as the hub has it: dicts of lists."""
    titles, sentences = zip(*row["context"], strict=True)
    facts, numbers = zip(*row["supporting_facts"], strict=True)
    return {
        "id": row["_id"],
        **{name: row[name] for name in ("question", "answer", "type", "level")},
        "supporting_facts": {"title": list(facts), "sent_id": list(numbers)},
        "context": {"title": list(titles), "sentences": list(sentences)},
    }


def mbpp_row(number: int, **fields: Any) -> dict[str, Any]:
    row = {
        "text": f"Write a function that adds {number}.",
        "code": f"def add(x):\r\n    return x + {number}",
        "task_id": number,
        "test_setup_code": "",
        "test_list": [f"assert add(1) == {1 + number}", f"assert add(2) == {2 + number}"],
        "challenge_test_list": [],
    }
    return row | fields


def write_mbpp(folder: Path, rows: Sequence[dict[str, Any]]) -> Path:
    file = folder / "mbpp.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file
