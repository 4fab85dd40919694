"""Warns about Python loops that add operations to the graph in very many iterations."""

from __future__ import annotations

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.logs import log

_MANY = 3000  # iterations


class UnrollWatch:
    """Counts the iterations of a Python loop; warns once if the loop still adds operations after very many
    iterations."""

    def __init__(self) -> None:
        self._iterations = 0
        self._size = 0

    def count(self) -> None:
        """Called after each iteration."""
        self._iterations += 1
        if self._iterations < _MANY or self._iterations > _MANY + 1 or executing_eagerly():
            return
        size = get_default_graph().version
        if self._iterations > _MANY and size > self._size:
            log.logger().warning(
                "TensorFlow ops are being created in a Python loop with large number of iterations. This can lead to slow "
                "startup. Did you mean to use a TensorFlow loop? For example, `while True:` is a Python loop, and "
                "`while tf.constant(True):` is a TensorFlow loop."
            )
        self._size = size
