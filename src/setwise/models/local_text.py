"""What the models that run in this process share: rendering a chat, and grouping requests."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from json import loads
from pathlib import Path
from typing import Any

from setwise.errors import InputError
from setwise.models.protocol import Request

ADAPTER_FILE = "adapter_config.json"
MANIFEST_FILE = "setwise.json"


def rendered(request: Request, tokenizer: Any, path: str) -> str:
    """The prompt text of a request: the chat in the model's own template, then the forced beginning of the reply.

    A model that was trained with options of its template is asked with the same ones.
    """
    if not getattr(tokenizer, "chat_template", None):
        raise InputError("its tokenizer has no chat template", place=path, remedy="use an instruction-tuned model")
    options = read_manifest(path).get("chat_template_options") or {}
    chat = tokenizer.apply_chat_template(list(request.messages), tokenize=False, add_generation_prompt=True, **options)
    return chat + request.prefix


@cache
def read_manifest(path: str) -> dict[str, Any]:
    """What training wrote beside the weights of a model about how to ask it; empty for any other model."""
    file = Path(path) / MANIFEST_FILE
    if not file.is_file():
        return {}
    try:
        record = loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"the file must be JSON ({error})", place=file) from None
    return record if isinstance(record, dict) else {}


def in_batches(requests: Iterable[Request], size: int) -> Iterator[list[Request]]:
    """Consecutive requests that share their sampling settings, at most `size` together."""
    source = iter(requests)
    held: list[Request] = []
    while batch := held + list(islice(source, size - len(held))):
        same = next((i for i, each in enumerate(batch) if each.sampling != batch[0].sampling), len(batch))
        yield batch[:same]
        held = batch[same:]


def is_adapter(path: str) -> bool:
    """Whether a folder holds LoRA weights rather than a whole model."""
    return (Path(path) / ADAPTER_FILE).is_file()
