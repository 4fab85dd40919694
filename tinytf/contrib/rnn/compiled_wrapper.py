"""`CompiledWrapper`: marks the operations of a cell for XLA compilation."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.python.compiler.xla.jit import experimental_jit_scope
from tinytf.python.framework.op_def_registry import get_registered_ops
from tinytf.python.ops.rnn_cell_impl import RNNCell


class CompiledWrapper(RNNCell):
    """Wraps a cell and marks its operations for TensorFlow's XLA compiler, for graphs that are exported.

    tinytf itself ignores the marks. The variables belong to the wrapped cell; the wrapper is not a layer.

    Args:
      cell: the wrapped cell.
      compile_stateful: bool, whether stateful operations, such as random numbers, are marked, too.
    """

    def __init__(self, cell: Any, compile_stateful: bool = False) -> None:
        self._cell = cell
        self._compile_stateful = compile_stateful

    @property
    def state_size(self) -> Any:
        """The state size of the wrapped cell."""
        return self._cell.state_size

    @property
    def output_size(self) -> Any:
        """The output size of the wrapped cell."""
        return self._cell.output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the zero state of the wrapped cell."""
        with tf.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Runs the wrapped cell. Raises RuntimeError in eager execution."""
        with experimental_jit_scope(True if self._compile_stateful else _is_stateless):
            return self._cell(inputs, state, scope=scope)


def _is_stateless(node_def: Any) -> bool:
    return not get_registered_ops()[node_def.op].is_stateful
