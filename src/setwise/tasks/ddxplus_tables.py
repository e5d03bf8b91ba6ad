"""The two decoding tables of DDXPlus, and a patient rendered as in the paper's appendix.

Evidence is decoded with the texts of the English release. The French release uses French codes, by which it is
recognised and refused.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setwise.errors import InputError

EVIDENCES_FILE, CONDITIONS_FILE = "release_evidences.json", "release_conditions.json"
ORIGIN = "figshare.com/articles/dataset/DDXPlus_Dataset_English_/22687585 (DDXPlus, English release, CC BY 4.0)"
VALUE_MARK = "_@_"
_ENGLISH_CODE = re.compile(r"E_\d+")
_BAR = "=" * 80


@dataclass(frozen=True, slots=True)
class Evidence:
    """One question of the interview."""

    question: str
    is_antecedent: bool
    is_binary: bool
    values: Mapping[str, str]
    """The code of each possible answer, with its English text."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything needed to turn codes into English."""

    evidences: Mapping[str, Evidence]
    conditions: tuple[str, ...]
    french_conditions: frozenset[str]

    def finding(self, code: str) -> tuple[bool, str]:
        """Whether a patient's code is an antecedent, and its line without the number."""
        name, mark, value = code.partition(VALUE_MARK)
        evidence = self.evidences.get(name)
        if evidence is None:
            raise _unknown_evidence(code, name)
        kind = "Antecedent" if evidence.is_antecedent else "Symptom"
        if evidence.is_binary != (not mark) or (mark and value not in evidence.values):
            rule = "is a yes/no question and takes no value" if evidence.is_binary else "takes one of its listed values"
            raise InputError(f"{EVIDENCES_FILE}: {name} {rule}", value=code, remedy=_same_release())
        shown = " -> Yes" if evidence.is_binary else f": {evidence.values[value]}"
        return evidence.is_antecedent, f"{kind}: {evidence.question}{shown}"

    def check_condition(self, name: str) -> None:
        if name in self.conditions:
            return
        if name in self.french_conditions:
            raise french("a condition", name)
        raise InputError(f"a condition must be listed in {CONDITIONS_FILE}", value=name, remedy=_same_release())


def load_tables(evidences: Path, conditions: Path) -> Tables:
    """Read the two JSON files that come with the patients."""
    listed = _read(conditions)
    names = tuple(row.get("cond-name-eng") for row in listed.values())
    for key, row in listed.items():
        if key != row.get("cond-name-eng"):
            is_french = key == row.get("cond-name-fr")
            raise french("a condition", key).at(conditions.name) if is_french else _not_the_table(conditions, key)
    return Tables(
        evidences={code: _evidence(code, row, evidences.name) for code, row in _read(evidences).items()},
        conditions=tuple(name for name in names if isinstance(name, str)),
        french_conditions=frozenset(str(row.get("cond-name-fr")) for row in listed.values()) - set(names),
    )


def render(age: int, sex: str, codes: Sequence[str], tables: Tables) -> str:
    """The question, laid out as in the paper."""
    findings = [tables.finding(code) for code in codes]
    symptoms = [line for is_antecedent, line in findings if not is_antecedent]
    antecedents = [line for is_antecedent, line in findings if is_antecedent]
    return "\n".join(
        [
            f"Demographics: Age: {age}, Sex: {sex}",
            _BAR,
            "SYMPTOMS AND ANTECEDENTS:",
            _BAR,
            "Symptoms:",
            *_numbered(symptoms),
            "",
            "",
            "Antecedents:",
            *_numbered(antecedents),
        ]
    )


def french(what: str, value: Any) -> InputError:
    return InputError(f"{what} is named in French", value=value, remedy=f"use the English release: {ORIGIN}")


def _numbered(lines: Sequence[str]) -> list[str]:
    return [f"  {number}. {line}" for number, line in enumerate(lines, start=1)] or ["  None"]


def _evidence(code: str, row: Any, place: str) -> Evidence:
    if not _ENGLISH_CODE.fullmatch(code):
        raise french("an evidence code", code).at(place)
    try:
        meanings = {value: texts["en"] for value, texts in row["value_meaning"].items()}
        return Evidence(
            question=row["question_en"],
            is_antecedent=row["is_antecedent"],
            is_binary=row["data_type"] == "B",
            values={str(value): meanings.get(str(value), str(value)) for value in row["possible-values"]},
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"evidence {code} must have question_en, is_antecedent, data_type, value_meaning and possible-values",
            place=place,
            value=str(error),
            remedy=f"the file comes from {ORIGIN}",
        ) from None


def _unknown_evidence(code: str, name: str) -> InputError:
    if not _ENGLISH_CODE.fullmatch(name):
        return french("an evidence code", code)
    return InputError(f"an evidence code must be listed in {EVIDENCES_FILE}", value=code, remedy=_same_release())


def _read(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        raise InputError(
            f"{path.name} must lie beside the patients", place=path.parent, remedy=f"it comes from {ORIGIN}"
        )
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"the file must be JSON ({error})", place=path.name, remedy="get it again") from None
    if not isinstance(table, dict) or not table or not all(isinstance(row, dict) for row in table.values()):
        raise _not_the_table(path, table)
    return table


def _not_the_table(path: Path, value: Any) -> InputError:
    return InputError(
        "the file must be the official table of objects by name",
        place=path.name,
        value=value,
        remedy=f"it comes from {ORIGIN}",
    )


def _same_release() -> str:
    return "the patients and the JSON files must be of one release"
