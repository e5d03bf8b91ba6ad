"""Hides the bars that transformers draws over our own progress while weights load or are written."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

TITLES = ("Loading weights", "Writing model shards")


@contextmanager
def no_weight_bars() -> Iterator[None]:
    """Everything else is still shown: a download is a long wait that must not look like a hang."""
    from transformers.utils.logging import EmptyTqdm, set_tqdm_hook

    def hook(draw: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        chosen = EmptyTqdm if options.get("desc") in TITLES else draw
        return chosen(*args, **options) if before is None else before(chosen, args, options)

    before = set_tqdm_hook(hook)
    try:
        yield
    finally:
        set_tqdm_hook(before)
