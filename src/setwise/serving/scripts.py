"""A script looked up by the text of a question, since clients of a served model know no ids."""

from dataclasses import replace
from pathlib import Path

from setwise.models.scripted import ScriptedModel, read_script
from setwise.records.files import read_records
from setwise.records.sample import sample_key


def script_by_text(path: str | Path) -> ScriptedModel:
    """The script in a file, with replies found by problem id and by question."""
    script = read_script(path)
    by_text = dict(script.replies)
    for place, record in read_records(path):
        problem = record["problem"]
        text = problem.get("question") if isinstance(problem, dict) else None
        if isinstance(text, str):
            by_text.setdefault(text, script.replies[sample_key(record, place)[0]])
    return replace(script, replies=by_text)
