"""Many samples of few prompts on a GPU: every step is one graph, finished samples leave, and the host rarely looks."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import torch

from setwise.models.shared_prompt.completions import Drawn, Integers, SampleLimits
from setwise.models.shared_prompt.drawing import TokenDrawing
from setwise.models.shared_prompt.flash import autocast_dtype, flash_takes
from setwise.models.shared_prompt.packed_keys import BatchRoom, KeyShape, PackedKeys
from setwise.models.shared_prompt.prefill import read_prompts
from setwise.models.shared_prompt.steps import Steps
from setwise.models.shared_prompt.twin import Twin

LOOK = 8
"""Steps between checks of what was written. The GPU waits for each."""
MEMORY_SHARE = 0.5
"""Share of the free memory for keys. Samples that do not fit are decoded in several lots."""
MARGIN = 1.25
"""Prompts may be longer next time. If the room is too small, it is allocated again, with all graphs."""


def graphs_take(model: Any) -> bool:
    """Whether a model can decode this way, under the current autocast."""
    dtype = autocast_dtype(model.device, otherwise=model.dtype)
    return flash_takes(model.device, dtype, KeyShape.of(model.config, dtype).size)


class GraphDecoder:
    """Keeps its memory and its graphs between calls."""

    def __init__(self, model: Any, ends: Integers) -> None:
        self.ends, self.twin = ends, Twin(model)
        self.shape = KeyShape.of(model.config, autocast_dtype(model.device, otherwise=model.dtype))
        self._steps: Steps | None = None

    def __call__(
        self, prompts: Sequence[Sequence[int]], samples: Sequence[int], drawing: TokenDrawing, limits: SampleLimits
    ) -> list[Drawn]:
        self.twin.refresh()
        found: list[Drawn] = []
        for first, lot in self._lots(prompts, samples, limits.max_tokens):
            found += self._decode(prompts[first : first + len(lot)], lot, drawing, limits)
        return found

    def _lots(
        self, prompts: Sequence[Sequence[int]], samples: Sequence[int], tokens: int
    ) -> Iterator[tuple[int, list[int]]]:
        """The first prompt of each lot, and the number of samples of it and of those that follow."""
        most = self._token_limit()
        first, lot, held = 0, list[int](), 0
        for number, (prompt, wanted) in enumerate(zip(prompts, samples, strict=True)):
            while wanted:
                fitting = min(wanted, (most - held - len(prompt)) // tokens)
                if fitting < 1 and lot:
                    yield first, lot
                    lot, held = [], 0
                    continue
                first = first if lot else number
                lot.append(max(fitting, 1))
                held += len(prompt) + lot[-1] * tokens
                wanted -= lot[-1]
        if lot:
            yield first, lot

    def _token_limit(self) -> int:
        if self.twin.model.device.type != "cuda":
            return 2**40
        free, _ = torch.cuda.mem_get_info()
        idle = torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
        room = self._steps.keys.room if self._steps else None
        own = room.prompt_tokens + room.samples * room.tokens if room else 0
        return max(own, int(MEMORY_SHARE * (free + idle) / self.shape.bytes_per_token))

    def _steps_for(self, needed: BatchRoom) -> Steps:
        if self._steps is None or not self._steps.keys.room.holds(needed):
            roomy = BatchRoom(
                needed.prompts,
                int(needed.prompt_tokens * MARGIN),
                -(-needed.samples // 8) * 8,
                needed.group,
                needed.tokens,
            )
            room = roomy.grown(self._steps.keys.room) if self._steps else roomy
            self._steps = None
            self._steps = Steps(self.twin.model, PackedKeys(self.shape, room, self.twin.model.device))
        return self._steps

    def _decode(
        self, prompts: Sequence[Sequence[int]], samples: Sequence[int], drawing: TokenDrawing, limits: SampleLimits
    ) -> list[Drawn]:
        count = sum(samples)
        needed = BatchRoom(len(prompts), sum(map(len, prompts)), count, max(samples), limits.max_tokens)
        steps, owners = self._steps_for(needed), np.repeat(np.arange(len(prompts)), samples)
        read = read_prompts(self.twin.model, prompts)
        steps.keys.begin(read, owners)
        slots = self._fill(steps, np.arange(count), owners)
        _send(steps.starts, [len(prompts[owner]) for owner in owners[slots]])
        logits = read.logits
        if limits.first is not None:
            logits = logits.masked_fill(~limits.first.to(logits.device), float("-inf"))
        steps.seed.copy_(torch.randint(2**62, (1,), device=logits.device))
        steps.put(0, *drawing(logits[torch.from_numpy(owners[slots]).to(logits.device)], steps.seed))
        lengths = self._go_on(steps, slots, owners, drawing, limits)
        ids, log_probs = steps.ids[:count].cpu().numpy(), steps.log_probs[:count].cpu().numpy()
        return [
            Drawn(own[:end].tolist(), chances[:end].tolist())
            for own, chances, end in zip(ids, log_probs, lengths, strict=True)
        ]

    def _go_on(
        self, steps: Steps, slots: Integers, owners: Integers, drawing: TokenDrawing, limits: SampleLimits
    ) -> Integers:
        """Decode from the first token to the last. Returns the length of each completion."""
        count, seen = len(owners), 0
        lengths = np.full(count, limits.max_tokens)
        for place in range(limits.max_tokens):
            if place:
                steps.run(len(slots), drawing)
            if (place + 1) % LOOK and place + 1 < limits.max_tokens:
                continue
            writing = lengths == limits.max_tokens
            lengths[writing] = self._ended(steps.ids[:count, : place + 1].cpu().numpy()[writing], seen, limits)
            seen = place + 1
            left = np.flatnonzero(lengths == limits.max_tokens)
            if not len(left) or seen == limits.max_tokens:
                break
            if steps.keys.room.size_for(len(left)) < len(slots):
                places = np.full(count, -1)
                places[slots[::-1]] = np.arange(len(slots))[::-1]
                kept = places[self._padded(steps, left)]
                steps.keep(torch.from_numpy(kept).to(steps.rows.device), place)
                slots = self._fill(steps, left, owners)
        return lengths

    def _fill(self, steps: Steps, completions: Integers, owners: Integers) -> Integers:
        """The completion of each slot. Surplus slots repeat the last one, and their output is ignored."""
        slots = self._padded(steps, completions)
        rows = np.where(np.arange(len(slots)) < len(completions), slots, len(steps.ids) - 1)
        _send(steps.rows, rows)
        steps.keys.ask(owners[slots])
        return slots

    def _padded(self, steps: Steps, completions: Integers) -> Integers:
        return np.pad(completions, (0, steps.keys.room.size_for(len(completions)) - len(completions)), mode="edge")

    def _ended(self, ids: Integers, seen: int, limits: SampleLimits) -> Integers:
        """Where each completion ends, given the tokens after those seen before; the limit if it does not end."""
        ends = np.isin(ids, self.ends)
        ends[:, :seen] = False
        lengths = np.where(ends.any(1), ends.argmax(1) + 1, limits.max_tokens)
        if limits.ended is not None:
            for length in range(seen + 1, ids.shape[1] + 1):
                going = lengths > length
                lengths[going] = np.where(limits.ended(ids[going, :length]), length, lengths[going])
        return lengths


def _send(place: torch.Tensor, values: Iterable[int]) -> None:
    sent = torch.tensor(list(values))
    place[: len(sent)] = sent.to(place.device)
