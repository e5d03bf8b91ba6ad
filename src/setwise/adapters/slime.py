"""slime: `--custom-rm-path setwise.adapters.slime.custom_rm --label-key label`.

Its responses keep the token that ended the turn (the server is asked not to trim it), which is removed here.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from setwise.adapters.examples import Example
from setwise.adapters.grade import grade, total, without_end_of_turn
from setwise.contract import CUT_OFF

FORMAT = "jsonl"


async def custom_rm(args: Any, sample: Any, **_: Any) -> float | list[float]:
    """The reward of one sample, or of a list of them (`--group-rm`)."""
    if isinstance(sample, Sequence):
        return list(await asyncio.gather(*(asyncio.to_thread(_reward, each) for each in sample)))
    return await asyncio.to_thread(_reward, sample)


def _reward(sample: Any) -> float:
    truncated = getattr(sample.status, "value", sample.status) == "truncated"
    completion = without_end_of_turn(sample.response)
    return total(grade(completion, sample.label, finish_reason=CUT_OFF if truncated else None))


def row(example: Example) -> dict[str, Any]:
    return {"prompt": example.chat, "label": example.ground_truth, "metadata": {"id": example.id}}
