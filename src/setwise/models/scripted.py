"""Canned replies, for tests and for completions that some other program stored."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from setwise.errors import InputError, ModelError
from setwise.models.protocol import Completion, Reply, Request
from setwise.records import read_records


@dataclass(frozen=True, slots=True)
class ScriptedModel:
    """Says what its script says: the i-th reply of a problem is its i-th sample. Nothing is made up or reused."""

    replies: Mapping[str, Sequence[Completion]]
    name: str = "scripted"

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        for request in requests:
            if request.prefix:
                raise InputError("a script cannot go on from a forced beginning", place=self.name)
            script = self.replies.get(request.problem, ())
            if request.sample < len(script):
                yield request, script[request.sample]
            else:
                yield (
                    request,
                    ModelError(f"the script has {len(script)} replies to problem {request.problem}, not more"),
                )


def read_script(path: str | Path) -> ScriptedModel:
    """A script of JSON lines, one a reply: `{"problem": id, "text": ..., "finish_reason"?, "tokens"?, "sample"?}`.

    The name holds a hash of the replies, so that a folder knows when a file of the same name says something else.
    """
    replies: dict[str, dict[int, Completion]] = {}
    for place, record in read_records(path):
        problem = record.get("problem")
        if not isinstance(problem, str) or not problem:
            raise InputError('"problem" must be the id of a problem', place=place, value=problem)
        said = replies.setdefault(problem, {})
        sample = record.get("sample", len(said))
        if isinstance(sample, bool) or not isinstance(sample, int) or sample != len(said):
            raise InputError(f'"sample" must count from 0, here {len(said)}', place=place, value=sample)
        said[sample] = _completion(record, place)
    ordered = {problem: tuple(said.values()) for problem, said in replies.items()}
    told = json.dumps({problem: [astuple(each) for each in script] for problem, script in ordered.items()})
    digest = hashlib.blake2b(told.encode(), digest_size=4).hexdigest()
    return ScriptedModel(ordered, f"scripted:{Path(path).name}#{digest}")


def _completion(record: Mapping[str, Any], place: str) -> Completion:
    text, tokens = record.get("text"), record.get("tokens")
    if not isinstance(text, str):
        raise InputError('"text" must be a string', place=place, value=text)
    if tokens is not None and (isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0):
        raise InputError('"tokens" must be a whole number', place=place, value=tokens)
    return Completion(text, record.get("finish_reason"), tokens)
