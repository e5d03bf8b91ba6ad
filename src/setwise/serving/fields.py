"""The fields of a request, each checked; each refusal is one line."""

import json
from collections.abc import Mapping
from typing import Any

from setwise.models import Message
from setwise.serving.refusals import bad_request

ROLES = ("system", "developer", "user", "assistant", "tool")


def object_of(body: bytes) -> dict[str, Any]:
    try:
        record = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise bad_request("the body must be UTF-8") from None
    except RecursionError:
        raise bad_request("the body is nested too deeply") from None
    except ValueError as error:
        raise bad_request(f"the body must be JSON ({error})") from None
    if not isinstance(record, dict):
        raise bad_request("the body must be a JSON object")
    return record


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def messages_of(given: Any) -> list[Message]:
    if not isinstance(given, list) or not given:
        raise bad_request('"messages" must be a non-empty list', "messages")
    messages = [_message(each, place) for place, each in enumerate(given)]
    if messages[-1]["role"] != "user":
        raise bad_request("the last message must be the user's", f"messages.{len(messages) - 1}.role")
    return messages


def _message(given: Any, place: int) -> Message:
    param = f"messages.{place}"
    if not isinstance(given, dict):
        raise bad_request("a message must be an object", param)
    if given.get("role") not in ROLES:
        raise bad_request(f"the role of a message is one of {', '.join(ROLES)}", f"{param}.role")
    return {"role": given["role"], "content": _content(given.get("content"), f"{param}.content")}


def _content(given: Any, param: str) -> str:
    """Text, or a list of parts that are all text."""
    if isinstance(given, list):
        parts = [each.get("text") for each in given if isinstance(each, dict) and each.get("type") == "text"]
        texts = [each for each in parts if isinstance(each, str)]
        given = "\n".join(texts) if len(texts) == len(given) else None
    if not isinstance(given, str):
        raise bad_request("the content of a message must be text, or a list of text parts", param)
    if not given.strip():
        raise bad_request("the content of a message must not be empty", param)
    if not given.isascii() and any("\ud800" <= character <= "\udfff" for character in given):
        raise bad_request("the content of a message must be whole characters, without lone surrogates", param)
    return given


def stop_words(given: Any) -> tuple[str, ...] | None:
    if given is None:
        return None
    words = [given] if isinstance(given, str) else given
    if not isinstance(words, list) or len(words) > 16 or not all(isinstance(each, str) and each for each in words):
        raise bad_request('"stop" must be a non-empty string, or a list of at most 16 of them', "stop")
    return tuple(words)


def include_usage(given: Any) -> bool:
    if given is None:
        return False
    if not isinstance(given, dict):
        raise bad_request('"stream_options" must be an object', "stream_options")
    return flag(given, "include_usage")


def flag(record: Mapping[str, Any], name: str) -> bool:
    value = record.get(name)
    if value is not None and not isinstance(value, bool):
        raise bad_request(f'"{name}" must be true or false', name)
    return bool(value)


def number(record: Mapping[str, Any], name: str) -> float | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise bad_request(f'"{name}" must be a number', name)
    return float(value)


def whole(record: Mapping[str, Any], name: str, least: int, most: int) -> int | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise bad_request(f'"{name}" must be a whole number from {least:,} to {most:,}', name)
    return value


def shown(name: str) -> str:
    return json.dumps(name[:80])
