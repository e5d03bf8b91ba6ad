"""The matching is maximum, and its ties are settled in written order."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from setwise.matching.bipartite import assign_golds

graphs = st.lists(st.lists(st.integers(0, 5), unique=True, max_size=4), max_size=7)


def can_all_be_matched(candidates: tuple[int, ...], edges: list[list[int]], used: frozenset[int] = frozenset()) -> bool:
    if not candidates:
        return True
    first, *rest = candidates
    return any(can_all_be_matched(tuple(rest), edges, used | {gold}) for gold in edges[first] if gold not in used)


@given(graphs)
def test_the_assignment_uses_edges_and_no_gold_twice(edges: list[list[int]]):
    earned = [gold for gold in assign_golds(edges) if gold is not None]
    assert len(earned) == len(set(earned))
    assert all(gold is None or gold in edges[i] for i, gold in enumerate(assign_golds(edges)))


@given(graphs)
def test_no_larger_assignment_exists(edges: list[list[int]]):
    size = sum(gold is not None for gold in assign_golds(edges))
    assert not any(can_all_be_matched(some, edges) for some in combinations(range(len(edges)), size + 1))


@given(graphs)
def test_the_earliest_matchable_candidates_are_the_correct_ones(edges: list[list[int]]):
    chosen: tuple[int, ...] = ()
    for candidate in range(len(edges)):
        if can_all_be_matched((*chosen, candidate), edges):
            chosen = (*chosen, candidate)
    assert chosen == tuple(i for i, gold in enumerate(assign_golds(edges)) if gold is not None)


def test_a_long_chain_of_moves_needs_no_stack():
    n = 20_000
    edges = [[i, i + 1] for i in range(n)] + [[0]]
    assert None not in assign_golds(edges)
