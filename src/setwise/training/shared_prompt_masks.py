"""Who sees whom in a packed sequence: token by token, and block by block.

The block tables are derived from the stretches directly. Asking FlexAttention to find them evaluates the mask for
every pair of tokens, and compiling that recompiles for every new length.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from setwise.training.shared_prompt_packing import Integers, Segments

Booleans = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TokenSight:
    """For each token: where its own stretch begins, and the stretch it sees besides."""

    own_start: Integers
    shared_start: Integers
    shared_end: Integers


@dataclass(frozen=True, slots=True)
class BlockSight:
    """For each block of queries (rows) and block of keys (columns): whether every pair is visible, or some are."""

    full: Booleans
    partial: Booleans


def token_sight(segments: Segments) -> TokenSight:
    lengths = segments.end - segments.start
    return TokenSight(
        np.repeat(segments.start, lengths),
        np.repeat(segments.shared_start, lengths),
        np.repeat(segments.shared_end, lengths),
    )


def dense_sight(segments: Segments) -> Booleans:
    """`[query, key]`, for a whole sequence."""
    sight = token_sight(segments)
    query, key = np.ogrid[: segments.tokens, : segments.tokens]
    own = key >= sight.own_start[:, None]
    shared = (key >= sight.shared_start[:, None]) & (key < sight.shared_end[:, None])
    return (key <= query) & (own | shared)


def block_sight(segments: Segments, block: int) -> BlockSight:
    """The tables of a sequence whose length is a multiple of `block`.

    A piece is the part of one stretch that lies in one block of queries. Its rows all see the shared stretch and
    their own up to the piece's first row; at least one sees up to its last row.
    """
    first, last, segment = _pieces(segments, block)
    shared_start, shared_end = segments.shared_start[segment], segments.shared_end[segment]
    own_start = segments.start[segment]
    # The first completion lies directly behind its prompt: the two are one stretch, and a block may lie across.
    touching = (shared_end == own_start) & (shared_end > shared_start)
    own_start = np.where(touching, shared_start, own_start)
    blocks = segments.tokens // block
    starts, ends = np.arange(blocks) * block, np.arange(1, blocks + 1) * block
    some = _overlaps(shared_start, shared_end, starts, ends) | _overlaps(own_start, last + 1, starts, ends)
    every = _contains(shared_start, shared_end, starts, ends) | _contains(own_start, first + 1, starts, ends)
    boundaries = np.searchsorted(first, starts)
    full = np.logical_and.reduceat(every, boundaries, axis=0)
    return BlockSight(full=full, partial=np.logical_or.reduceat(some, boundaries, axis=0) & ~full)


def _pieces(segments: Segments, block: int) -> tuple[Integers, Integers, Integers]:
    """First and last token of every piece, in order, and the stretch it belongs to."""
    first = np.union1d(segments.start, np.arange(0, segments.tokens, block))
    last = np.append(first[1:], segments.tokens) - 1
    return first, last, np.searchsorted(segments.start, first, side="right") - 1


def _overlaps(low: Integers, high: Integers, starts: Integers, ends: Integers) -> Booleans:
    """Whether `[low, high)` and a block have a token in common."""
    low, high = low[:, None], high[:, None]
    return (np.maximum(low, starts) < np.minimum(high, ends)) & (low < high)


def _contains(low: Integers, high: Integers, starts: Integers, ends: Integers) -> Booleans:
    return (low[:, None] <= starts) & (ends <= high[:, None])
