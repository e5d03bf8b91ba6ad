"""Converts between TRL's padded batches and rows, and keeps groups together."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from setwise.training.shared_prompt.packs import Row

Batch = dict[str, Any]


def read_rows(input_ids: torch.Tensor, attention_mask: torch.Tensor, completion_width: int) -> list[Row] | None:
    """The rows of a batch of left-padded prompts and right-padded completions.

    None if a row does not have this form (no prompt, or a hole in its mask), which packing cannot reproduce.
    """
    ids, mask = input_ids.cpu().numpy(), attention_mask.cpu().numpy().astype(bool)
    width = ids.shape[1] - completion_width
    prompt_lengths, completion_lengths = mask[:, :width].sum(1), mask[:, width:].sum(1)
    columns = np.arange(ids.shape[1])
    expected = (columns >= width - prompt_lengths[:, None]) & (columns < width + completion_lengths[:, None])
    if (mask != expected).any() or not prompt_lengths.all():
        return None
    return [
        Row(row[width - before : width], row[width : width + after])
        for row, before, after in zip(ids, prompt_lengths, completion_lengths, strict=True)
    ]


def keep_groups_together(batches: Sequence[Batch]) -> list[Batch]:
    """The rows of all batches, redistributed so that rows with the same prompt are adjacent.

    Groups keep the order in which the shuffled rows first mention them, which is as random as the shuffle was.
    """
    merged = _merge(batches)
    order = _grouped_order(merged["prompt_ids"], merged["prompt_mask"])
    size = len(order) // len(batches)
    return [_take(merged, order[start : start + size]) for start in range(0, size * len(batches), size)]


def _grouped_order(prompt_ids: torch.Tensor, prompt_mask: torch.Tensor) -> list[int]:
    masked = torch.where(prompt_mask.bool(), prompt_ids, -1).cpu().numpy()
    groups: dict[bytes, list[int]] = {}
    for index, prompt in enumerate(masked):
        groups.setdefault(prompt.tobytes(), []).append(index)
    return [index for group in groups.values() for index in group]


def _merge(batches: Sequence[Batch]) -> Batch:
    return {key: _join([batch[key] for batch in batches]) for key in batches[0]}


def _join(values: list[Any]) -> Any:
    """The rows of all batches. Values that belong to no row are the same in each."""
    first = values[0]
    if not _has_rows(first):
        return first
    return torch.cat(values) if isinstance(first, torch.Tensor) else [item for value in values for item in value]


def _take(batch: Mapping[str, Any], rows: list[int]) -> Batch:
    def pick(value: Any) -> Any:
        if not _has_rows(value):
            return value
        return value[rows] if isinstance(value, torch.Tensor) else [value[row] for row in rows]

    return {key: pick(value) for key, value in batch.items()}


def _has_rows(value: Any) -> bool:
    return value.ndim > 0 if isinstance(value, torch.Tensor) else value is not None
