"""Seeds of random ops: how the graph's seed and an op's seed combine."""

from __future__ import annotations

DEFAULT_GRAPH_SEED = 87654321
_MAXINT32 = 2**31 - 1


def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """The two seeds that a random op made now gets in the default graph.

    Without any seed both are None (a non-deterministic op). With a graph seed only, the op seed is the id of the last
    op that was created. Both are taken modulo 2**31 - 1; (0, 0), which would mean no seed, becomes (0, 2**31 - 1).
    """
    from tinytf.framework.default_graph import get_default_graph

    graph = get_default_graph()
    graph_seed = graph.seed
    if graph_seed is None:
        if op_seed is None:
            return None, None
        graph_seed = DEFAULT_GRAPH_SEED
    elif op_seed is None:
        op_seed = graph._last_id
    seeds = graph_seed % _MAXINT32, op_seed % _MAXINT32
    return (0, _MAXINT32) if seeds == (0, 0) else seeds


def set_random_seed(seed: int | None) -> None:
    """Sets the seed of the default graph, for ops created from now on; None removes it."""
    from tinytf.framework.default_graph import get_default_graph

    get_default_graph().seed = seed


set_seed = set_random_seed
