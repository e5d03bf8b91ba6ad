"""One more token for every sample of a batch: on a GPU one replayed graph, whatever the model's Python does.

What a step reads and writes is at fixed places. Each number of slots has its own graph; the first step that needs one
runs normally and is then recorded.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch

from setwise.models.shared_prompt.attention import attention_arguments
from setwise.models.shared_prompt.drawing import TokenDrawing
from setwise.models.shared_prompt.packed_keys import PackedKeys


class Steps:
    """Slots are samples in the order of their prompts. Slot s writes row `rows[s]`; the last row belongs to no
    sample."""

    def __init__(self, model: Any, keys: PackedKeys) -> None:
        room, device = keys.room, keys.length.device
        self.model, self.keys = model, keys

        def zeros(*sizes: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
            return torch.zeros(*sizes, dtype=dtype, device=device)

        self.tokens, self.starts, self.rows = zeros(room.samples), zeros(room.samples), zeros(room.samples)
        self.ids = zeros(room.samples + 1, room.tokens)
        self.log_probs = zeros(room.samples + 1, room.tokens, dtype=torch.float32)
        self.seed = zeros(1)
        self._graphs: dict[tuple[int, TokenDrawing], Any] = {}
        self._pool = torch.cuda.graph_pool_handle() if device.type == "cuda" else None

    def put(self, place: int | torch.Tensor, tokens: torch.Tensor, chances: torch.Tensor) -> None:
        """Store what each slot has drawn, at this place of its row."""
        rows = self.rows[: len(tokens)]
        self.tokens[: len(tokens)] = tokens
        self.ids[rows, place] = tokens
        self.log_probs[rows, place] = chances

    def keep(self, slots: torch.Tensor, length: int) -> None:
        """Move these slots to the front, in this order."""
        for state in (self.tokens, self.starts, self.rows):
            state[: len(slots)] = state[slots]
        self.keys.keep(slots, length)

    def run(self, slots: int, drawing: TokenDrawing) -> None:
        step = partial(self._step, slots, drawing)
        if self._pool is None:
            return step()
        graph = self._graphs.get((slots, drawing))
        if graph is not None:
            return graph.replay()
        with fused_layers(self.model):
            self._beside(step)
            self._graphs[slots, drawing] = self._recorded(step)
        return None

    def _step(self, slots: int, drawing: TokenDrawing) -> None:
        keys = self.keys
        output = self.model(
            input_ids=self.tokens[:slots, None],
            position_ids=(self.starts[:slots] + keys.length)[:, None],
            use_cache=False,
            **attention_arguments(keys, self.tokens.device),
        )
        keys.length.add_(1)
        self.seed.add_(1)
        self.put(keys.length, *drawing(output.logits[:, -1], self.seed))

    def _beside(self, step: Any) -> None:
        """Run on a side stream first: libraries initialise at their first call, which must not be recorded."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            step()
        torch.cuda.current_stream().wait_stream(stream)

    def _recorded(self, step: Any) -> Any:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool, capture_error_mode="thread_local"):
            step()
        return graph


@contextmanager
def fused_layers(model: Any) -> Iterator[None]:
    """Compile the layers, fusing what lies between matrix products. All layers share one piece of code."""
    layers = [layer for layer in model.modules() if hasattr(layer, "self_attn")]
    for layer in layers:
        layer.forward = torch.compile(layer.forward, dynamic=True)
    try:
        yield
    finally:
        for layer in layers:
            del layer.forward
