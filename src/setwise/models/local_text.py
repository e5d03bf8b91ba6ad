"""What models in this process share: chat templates, and grouping of requests."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from setwise.contract import THINK_CLOSE, THINK_OPEN
from setwise.errors import InputError
from setwise.models.protocol import Request
from setwise.records.manifest import manifest_of

ADAPTER_FILE = "adapter_config.json"


def rendered(request: Request, tokenizer: Any, path: str) -> str:
    """The prompt text of a request: the chat in the model's own template, then the forced beginning of the reply.

    A model trained with options for its template is asked with the same ones, unless the request has others.
    """
    if not getattr(tokenizer, "chat_template", None):
        raise InputError("its tokenizer has no chat template", place=path, remedy="use an instruction-tuned model")
    options = request.template_options
    if options is None:
        options = manifest_of(path).chat_template_options
    chat = tokenizer.apply_chat_template(list(request.messages), tokenize=False, add_generation_prompt=True, **options)
    return chat + request.prefix


def in_batches(requests: Iterable[Request], size: int) -> Iterator[list[Request]]:
    """Consecutive requests with the same sampling settings, at most `size` together."""
    source = iter(requests)
    held: list[Request] = []
    while batch := held + list(islice(source, size - len(held))):
        same = next((i for i, each in enumerate(batch) if each.sampling != batch[0].sampling), len(batch))
        yield batch[:same]
        held = batch[same:]


def is_adapter(path: str) -> bool:
    """Whether a folder contains LoRA weights rather than a whole model."""
    return (Path(path) / ADAPTER_FILE).is_file()


def opens_thinking(tokenizer: Any, options: Mapping[str, Any]) -> bool:
    """Whether the chat template ends its prompt inside `<think>`, so that completions start there.

    A template that also closes the thinking leaves no room for it, and no objective can be met with it.
    """
    rendered = tokenizer.apply_chat_template(
        [{"role": "user", "content": "?"}], tokenize=False, add_generation_prompt=True, **options
    ).rstrip()
    if rendered.endswith(THINK_CLOSE):
        raise InputError(
            "the chat template closes the thinking before the model can think",
            value=dict(options),
            remedy="set model.chat_template_options, for example enable_thinking: true",
        )
    return rendered.endswith(THINK_OPEN)


def end_tokens(model: Any, tokenizer: Any) -> list[int]:
    """Every token that ends a completion."""
    declared = model.generation_config.eos_token_id
    listed = declared if isinstance(declared, list) else [declared]
    return sorted({token for token in (*listed, tokenizer.eos_token_id) if token is not None})
