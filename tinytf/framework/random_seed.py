"""Seeds of random ops: how the graph's seed and an op's seed combine."""

from __future__ import annotations

import random
import weakref
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.op_spec import forget_seeded_kernels
from tinytf.framework.tensor_like import is_dense_tensor_like

DEFAULT_GRAPH_SEED = 87654321
_MAXINT32 = 2**31 - 1


class DrawnSeed(int):
    """An op seed of eager execution that the program did not give. No later call is to go on with its numbers: the
    kernel is not kept, as it would be for a plain int."""


class _EagerSeeds:
    """The seed of eager execution, which all threads share, and the numbers that stand for the op seeds not given."""

    seed: int | None = None
    numbers = random.Random()


_eager = _EagerSeeds()


# What makes random numbers of its own, whose sequences begin anew with a seed: `begin_anew()`.
sequences: weakref.WeakSet[Any] = weakref.WeakSet()


@tf_export("random.get_seed", "get_seed")
def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """The two seeds that a random op made now gets, in the default graph or in eager execution.

    Without any seed both are None (a non-deterministic op). With a graph seed only, the op seed is the id of the last
    op that was created; in eager execution, the next of the numbers that follow from `set_random_seed`. Both are taken
    modulo 2**31 - 1; (0, 0), which would mean no seed, becomes (0, 2**31 - 1).
    """
    graph = None
    if executing_eagerly():
        graph_seed = _eager.seed
    else:
        from tinytf.framework.default_graph import get_default_graph

        graph = get_default_graph()
        graph_seed = graph.seed
    if graph_seed is None:
        if op_seed is None:
            return None, None
        graph_seed = DEFAULT_GRAPH_SEED
    elif op_seed is None:
        op_seed = DrawnSeed(_eager.numbers.randint(0, _MAXINT32)) if graph is None else graph._last_id
    seeds = _truncated(graph_seed), _truncated(op_seed)
    return (0, _MAXINT32) if seeds == (0, 0) else seeds


def _truncated(seed: Any) -> Any:
    """Modulo 2**31 - 1: an int, of drawn ones a drawn one; of tensors and variables a tensor."""
    rest: Any = seed % _MAXINT32
    if isinstance(seed, DrawnSeed):
        return DrawnSeed(rest)
    return rest if is_dense_tensor_like(rest) else int(rest)


def eager_seed() -> int | None:
    """The seed of eager execution, which the graphs of traced functions take."""
    return _eager.seed


@tf_export("random.set_random_seed", "set_random_seed")
def set_random_seed(seed: int | None) -> None:
    """Sets the seed of the default graph, for ops created from now on; None removes it.

    In eager execution: the seed of all random ops from now on, whose sequences begin anew.
    """
    if executing_eagerly():
        _eager.seed = seed
        _eager.numbers = random.Random(seed)
        forget_seeded_kernels()
        for numbers in list(sequences):
            numbers.begin_anew()
        return
    from tinytf.framework.default_graph import get_default_graph

    get_default_graph().seed = seed


set_seed = set_random_seed
