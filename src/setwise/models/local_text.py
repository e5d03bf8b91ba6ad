"""What the models that run in this process share: rendering a chat, and grouping requests."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from setwise.errors import InputError
from setwise.models.protocol import Request

ADAPTER_FILE = "adapter_config.json"


def rendered(request: Request, tokenizer: Any, model: str) -> str:
    """The prompt text of a request: the chat in the model's own template, then the forced beginning of the reply."""
    if not getattr(tokenizer, "chat_template", None):
        raise InputError("its tokenizer has no chat template", place=model, remedy="use an instruction-tuned model")
    chat = tokenizer.apply_chat_template(list(request.messages), tokenize=False, add_generation_prompt=True)
    return chat + request.prefix


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
