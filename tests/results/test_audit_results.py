"""The tables of the audit follow from what was measured, and the measured from the committed records."""

import pytest

from results.audit import MEASURED, published
from results.audit_tables import DOCUMENTS, with_tables
from setwise.records.files import read_records


def test_the_documents_show_what_was_measured():
    texts = [document.read_text(encoding="utf-8") for document in DOCUMENTS]
    assert [with_tables(text, MEASURED) for text in texts] == texts
    for table in ("published", "others", "honest", "planted"):
        assert sum(f"<!-- end of {table} -->" in text for text in texts) == 1


def test_the_letter_of_rlcr_single_is_among_the_findings():
    [record] = [
        record
        for _, record in read_records(MEASURED)
        if record.get("archive") == "ddxplus-seed1" and record["run"] == "rlcr-single"
    ]
    found = {each["name"]: each for each in record["findings"]}
    assert found["one_set"]["count"] > 0.9 * record["completions"]
    assert found["one_set"]["examples"][0]["quote"] == "n"
    assert found["constant_confidences"]["count"] > 0.9 * record["completions"]


@pytest.mark.slow
def test_an_archive_is_audited_as_it_was_measured():
    archive = "ddxplus-seed0-micro16"
    kept = [record for _, record in read_records(MEASURED) if record.get("archive") == archive]
    for known, now in zip(kept, published((archive,)), strict=True):
        assert [each["name"] for each in known["findings"]] == [each["name"] for each in now["findings"]]
        assert [each["count"] for each in known["findings"]] == [each["count"] for each in now["findings"]]
