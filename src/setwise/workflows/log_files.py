"""Completions in the log files of Inspect (`.eval`, `.json`) and verifiers (`traces.jsonl`). Neither is imported."""

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setwise.contract import CUT_OFF, rejoined
from setwise.errors import InputError
from setwise.records.files import read_json, read_records
from setwise.workflows.zipped_json import read_member

TRACES = "traces.jsonl"
_RIGHT = {"C": True, "I": False, "P": True, "N": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """One completion of a log."""

    problem: str
    question: str
    prompt: str
    text: str
    target: str | list[str]
    right: bool | None = None
    cut_off: bool = False
    tokens: int | None = None


def read_log(file: Path) -> Iterator[LogEntry]:
    """Every completion of a log, in order."""
    return _traces(file) if file.name == TRACES else _inspected(file)


def _inspected(file: Path) -> Iterator[LogEntry]:
    for sample in _inspect_samples(file):
        try:
            output = sample["output"]
            [choice, *_] = output["choices"] or [{"message": {"content": ""}}]
            messages = sample["input"]
        except (KeyError, TypeError, ValueError):
            raise InputError("a sample lacks what Inspect writes", place=file, value=sorted(sample)) from None
        chat = messages if isinstance(messages, list) else [{"role": "user", "content": messages}]
        usage = output.get("usage") or {}
        yield LogEntry(
            problem=str(sample["id"]),
            question=_of_role(chat, "user"),
            prompt=_of_role(chat, "system"),
            text=_text(choice["message"].get("content") or ""),
            target=sample.get("target", ""),
            right=_label(sample.get("scores") or {}),
            cut_off=choice.get("stop_reason") in ("max_tokens", "model_length"),
            tokens=usage.get("output_tokens"),
        )


def _inspect_samples(file: Path) -> Iterator[dict[str, Any]]:
    if file.suffix == ".json":
        yield from read_json(file).get("samples") or ()
        return
    try:
        with zipfile.ZipFile(file) as log:
            for member in log.infolist():
                if member.filename.startswith("samples/"):
                    yield json.loads(read_member(log, member, file))
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"the log cannot be read ({error})", place=file) from None


def _traces(file: Path) -> Iterator[LogEntry]:
    for place, episode in read_records(file):
        for trace in episode.get("traces") or ():
            try:
                data = trace["task"]["data"]
                said = [node["message"] for node in trace["nodes"] if node["message"]["role"] == "assistant"][-1]
            except (KeyError, TypeError, IndexError):
                raise InputError("a trace lacks what verifiers writes", place=place, value=sorted(trace)) from None
            calls = trace.get("calls") or [{}]
            yield LogEntry(
                problem=str(data.get("id") or data.get("idx")),
                question=_text(data.get("prompt") or ""),
                prompt=data.get("system_prompt") or "",
                text=rejoined(said.get("reasoning_content"), _text(said.get("content") or "")),
                target=data.get("ground_truth") or data.get("answer") or "",
                right=_is_paid(trace.get("rewards") or {}),
                cut_off=calls[-1].get("finish_reason") == CUT_OFF,
                tokens=(calls[-1].get("usage") or {}).get("completion_tokens"),
            )


def _of_role(chat: Iterable[Mapping[str, Any]], role: str) -> str:
    return "\n".join(_text(message.get("content") or "") for message in chat if message.get("role") == role)


def _text(content: Any) -> str:
    """A message's text, including its thinking if that is separate."""
    if isinstance(content, str):
        return content
    thought = "".join(part.get("reasoning", "") for part in content if part.get("type") == "reasoning")
    said = "".join(part.get("text", "") for part in content if part.get("type") == "text")
    return rejoined(thought, said)


def _label(scores: Mapping[str, Any]) -> bool | None:
    """The first scorer's label, if it is right or wrong."""
    value = next((each.get("value") for each in scores.values()), None)
    if isinstance(value, str):
        return _RIGHT.get(value)
    return value > 0 if isinstance(value, int | float) else None


def _is_paid(rewards: Mapping[str, Any]) -> bool | None:
    values = [each.get("score") if isinstance(each, Mapping) else each for each in rewards.values()]
    known = [value for value in values if isinstance(value, int | float)]
    return sum(known) > 0 if known else None
