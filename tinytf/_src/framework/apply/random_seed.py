"""Seeds of random ops: combination of graph-level and op-level seeds."""

from __future__ import annotations

import random
import weakref
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.declarations.op_spec import forget_seeded_kernels
from tinytf._src.framework.values.tensor_like import is_dense_tensor_like

DEFAULT_GRAPH_SEED = 87654321
_MAXINT32 = 2**31 - 1


class DrawnSeed(int):
    """An op seed that eager execution chose itself. No later call continues its sequence, so the kernel is not cached,
    as it would be for a plain int."""


class _EagerSeeds:
    """The seed of eager execution, shared by all threads, and the generator of missing op seeds."""

    seed: int | None = None
    numbers = random.Random()


_eager = _EagerSeeds()


# Other random generators; `begin_anew()` restarts them when the seed is set.
sequences: weakref.WeakSet[Any] = weakref.WeakSet()


@tf_export("random.get_seed", "get_seed")
def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """The pair of seeds for a random op created now, in the default graph or in eager mode.

    Without any seed, both are None, which means nondeterministic. With only a graph-level seed, the op seed is the id
    of the last operation; in eager mode, the next number of a sequence determined by `tf.set_random_seed`. With only an
    op seed, a constant is used as graph-level seed. Both are reduced modulo 2**31 - 1; (0, 0), which would mean no
    seed, becomes (0, 2**31 - 1).

    Args:
      op_seed: int or None, the op-level seed.

    Returns:
      Pair (graph-level seed, op-level seed) of ints, or (None, None).
    """
    graph = None
    if executing_eagerly():
        graph_seed = _eager.seed
    else:
        from tinytf._src.framework.graph.default_graph import get_default_graph

        graph = get_default_graph()
        graph_seed = graph.seed
    if graph_seed is None:
        if op_seed is None:
            return None, None
        graph_seed = DEFAULT_GRAPH_SEED
    elif op_seed is None:
        if graph is None:
            op_seed = DrawnSeed(_eager.numbers.randint(0, _MAXINT32))
        else:
            graph.seed_used = True
            op_seed = graph._last_id
    seeds = _truncated(graph_seed), _truncated(op_seed)
    return (0, _MAXINT32) if seeds == (0, 0) else seeds


def _truncated(seed: Any) -> Any:
    """The seed modulo 2**31 - 1, of the same kind: int, DrawnSeed or tensor."""
    rest: Any = seed % _MAXINT32
    if isinstance(seed, DrawnSeed):
        return DrawnSeed(rest)
    return rest if is_dense_tensor_like(rest) else int(rest)


def eager_seed() -> int | None:
    """The seed of eager execution, which graphs of traced functions inherit."""
    return _eager.seed


@tf_export("random.set_random_seed", "set_random_seed")
def set_random_seed(seed: int | None) -> None:
    """Sets the graph-level random seed, for operations that are created later in the default graph.

    In eager mode, sets the process-wide seed and restarts the sequences of all random ops.

    Args:
      seed: int; None removes the seed.

    Example:
      tf.set_random_seed(42)
      x = tf.random_normal([2])
    """
    if executing_eagerly():
        _eager.seed = seed
        _eager.numbers = random.Random(seed)
        forget_seeded_kernels()
        for numbers in list(sequences):
            numbers.begin_anew()
        return
    from tinytf._src.framework.graph.default_graph import get_default_graph

    get_default_graph().seed = seed


set_seed = set_random_seed
