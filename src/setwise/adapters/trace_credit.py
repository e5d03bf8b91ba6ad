"""Credit for verifiers' traces: the advantage of each sampled token, on the nodes of the message graph.

For prime-rl there is `SetwiseAlgorithm` (setwise.adapters.prime_rl). For your own trainer, `assign_advantages` writes
what `Branch.advantages` then reads.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from setwise.adapters.ground_truth import read_ground_truth
from setwise.adapters.token_credit import Rollout, group_advantages
from setwise.credit import CompletionDecoder

TASK = "SetwiseTask"
"""The class name that verifiers records for our tasks."""


def carries_credit(trace: Any) -> bool:
    """Whether a trace is of one of our tasks, with rows that pay single answers."""
    return trace.task.type == TASK and read_ground_truth(trace.task.data.ground_truth).credit is not None


def trace_advantages(traces: Sequence[Any], decoder: CompletionDecoder) -> list[list[float]]:
    """For each trace, the advantages of its sampled tokens, in graph order. Traces of one problem form a group.

    In a multi-turn harness, what was sampled before the last reply is paid like its thinking: for the set.
    """
    groups: dict[str, list[int]] = defaultdict(list)
    for number, trace in enumerate(traces):
        groups[trace.task.data.ground_truth].append(number)
    found: list[list[float]] = [[] for _ in traces]
    for ground_truth, members in groups.items():
        replies = [_reply(traces[number]) for number in members]
        paid = group_advantages(replies, read_ground_truth(ground_truth), decoder)
        for number, own in zip(members, paid, strict=True):
            earlier = sum(sum(node.mask) for node in traces[number].nodes) - len(own)
            found[number] = own[:1] * earlier + own
    return found


def assign_advantages(traces: Sequence[Any], tokenizer: Any) -> None:
    """Write the advantages of whole groups of traces into their nodes."""
    for trace, values in zip(traces, trace_advantages(traces, CompletionDecoder(tokenizer)), strict=True):
        start = 0
        for node in _sampled_nodes(trace):
            stop = start + sum(node.mask)
            node.advantages = values[start:stop]
            start = stop


def _reply(trace: Any) -> Rollout:
    nodes = _sampled_nodes(trace)
    last = nodes[-1] if nodes else None
    ids = [token for token, sampled in zip(last.token_ids, last.mask, strict=True) if sampled] if last else []
    return Rollout(ids, trace.is_truncated)


def _sampled_nodes(trace: Any) -> list[Any]:
    return [node for node in trace.nodes if any(node.mask)]
