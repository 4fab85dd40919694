"""`_UnreadVariable`: the result of a resource variable's update in graph mode."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.variables.modes import checked_modes
from tinytf._src.variables.resource_variable import ResourceVariable


class _UnreadVariable(ResourceVariable):
    """A resource variable after an update; it is read on demand, after the update.

    `op` is the update, for control dependencies and `tf.group`. Further updates of this object depend on this update
    only through explicit control dependencies.

    Args:
      variable: the variable.
      update: the operation that updates it.
    """

    def __init__(self, variable: ResourceVariable, update: Operation) -> None:
        self._variable = variable._variable
        self._dtype = variable._dtype
        self._declared_shape = variable._declared_shape
        self._update = update
        self._graph_key = variable._graph_key
        self._synchronization, self._aggregation, self._trainable = checked_modes(None, None, None, self.name)
        self._initial_value = self._initializer_op = self._constraint = None
        self._caching_device = self._save_slice_info = None
        # Sessions need an existing tensor to fetch. In function bodies, results are converted, and thus read, on
        # return.
        self._graph_element: Any = None if get_default_graph().building_function else self._read()

    @property
    def name(self) -> str:
        """The name of the update operation."""
        return self._update.name

    @property
    def op(self) -> Operation:
        """The update operation."""
        return self._update

    def _read(self) -> Tensor:
        with control_dependencies([self._update]):
            value = gen_ops.read_variable_op(self._variable, dtype=self._dtype)
        value.set_shape(self.shape)
        return value

    def value(self) -> Tensor:
        """A new read of the value, after the update."""
        return self._read()

    def read_value(self) -> Tensor:
        """The same as `value`."""
        return self._read()

    def _as_graph_element(self) -> Tensor:
        return self._read() if self._graph_element is None else self._graph_element
