"""Canned replies, for tests and for completions stored by another program."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from setwise.errors import InputError, ModelError
from setwise.models.protocol import Completion, Reply, Request
from setwise.records.files import read_records
from setwise.records.sample import Sample, sample_key


@dataclass(frozen=True, slots=True)
class ScriptedModel:
    """Replies from a script: the i-th reply to a question is its i-th sample. Nothing is made up or reused."""

    replies: Mapping[str, Sequence[Completion]]
    """By question id."""
    name: str = "scripted"

    def complete(self, requests: Iterable[Request]) -> Iterator[Reply]:
        for request in requests:
            if request.prefix:
                raise InputError("a script cannot continue a given beginning", place=self.name)
            if request.question is None or not request.question.id:
                raise InputError("a script answers questions that have an id", place=self.name)
            script = self.replies.get(request.question.id, ())
            if request.sample < len(script):
                yield request, script[request.sample]
            else:
                told = f"the script has {len(script)} replies to problem {request.question.id}, not more"
                yield request, ModelError(told)


def read_script(path: str | Path) -> ScriptedModel:
    """A script from completions stored by `setwise eval` or `setwise score`, as JSON lines, one reply per line.

    The name includes a hash of the replies, so that a folder notices when a file of the same name has changed.
    """
    found: dict[str, dict[int, Completion]] = {}
    for place, record in read_records(path):
        sample = Sample.from_record(record, place)
        question, _ = sample_key(record, place)
        said = found.setdefault(question, {})
        index = len(said) if sample.index is None else sample.index
        if index in said:
            raise InputError("a script has each sample of a problem once", place=place, value=index)
        said[index] = Completion(sample.text, sample.finish_reason, sample.tokens, sample.prompt_tokens)
    replies = {question: _in_order(said, question, path) for question, said in found.items()}
    told = json.dumps({question: [astuple(each) for each in script] for question, script in replies.items()})
    digest = hashlib.blake2b(told.encode(), digest_size=4).hexdigest()
    return ScriptedModel(replies, f"scripted:{Path(path).name}#{digest}")


def _in_order(said: Mapping[int, Completion], question: str, path: str | Path) -> tuple[Completion, ...]:
    """The samples of one question in order; a run appends them as they arrive."""
    lacking = next((index for index in range(len(said)) if index not in said), None)
    if lacking is not None:
        raise InputError(f'"sample" must count from 0, and {lacking} is missing', place=f"{path}, problem {question}")
    return tuple(said[index] for index in range(len(said)))
