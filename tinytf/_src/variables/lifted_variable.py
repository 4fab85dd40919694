"""`UnliftedInitializerVariable`: a variable of a graph that a traced function makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.init_scope import init_scope
from tinytf._src.framework.scopes.name_scope import add_to_collections, colocate_with, device, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.tensor_shape import as_shape
from tinytf._src.variables.modes import checked_modes
from tinytf._src.variables.resource_variable import ResourceVariable


class UnliftedInitializerVariable(ResourceVariable):
    """A resource variable outside of all functions, made while a function is traced into a graph. The class has
    TensorFlow's name.

    As in TensorFlow, it joins the collection of global variables only, and has no cached value.

    Args:
      lift: gets the initial value, a tensor of the function's graph, and returns its copy outside.
      initial_value, trainable, name, dtype, constraint, synchronization, aggregation, shape: see Variable.
      **ignored: other arguments of Variable.

    Raises:
      ValueError: for invalid arguments; see Variable.
    """

    def __init__(
        self,
        lift: Callable[[Tensor], Tensor],
        initial_value: Any = None,
        trainable: bool | None = None,
        name: str | None = None,
        dtype: Any = None,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
        **ignored: Any,
    ) -> None:
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        from_function = callable(initial_value)
        with name_scope(name, "Variable", [] if from_function else [initial_value]) as scope:
            with name_scope("Initializer"), device(None):
                value = convert_to_tensor(
                    initial_value() if from_function else initial_value, name="initial_value", dtype=dtype
                )
        self._constraint = constraint
        self._save_slice_info: Any = None
        self._caching_device = None
        self._dtype = value.dtype.base_dtype
        self._declared_shape = value.shape if shape is None else as_shape(shape)
        with init_scope(), name_scope(name, "Variable") as own_name:
            self._graph_key = get_default_graph()
            self._variable = self._handle(own_name)
            with name_scope("Read"), device(self._variable.device):
                self._graph_element = self._read()
            add_to_collections([GraphKeys.GLOBAL_VARIABLES], self)
        self._synchronization, self._aggregation, self._trainable = checked_modes(
            synchronization, aggregation, trainable, name
        )
        with name_scope(scope):
            self._initial_value = self._guarded_value = lift(value)
            with init_scope():
                with name_scope("IsInitialized"):
                    self._is_initialized_op = gen_ops.var_is_initialized_op(self._variable)
                with name_scope("Assign") as assign_scope, colocate_with(self._variable):
                    self._initializer_op = gen_ops.assign_variable_op(
                        self._variable, self._initial_value, name=assign_scope
                    )
