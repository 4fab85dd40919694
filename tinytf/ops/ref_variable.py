"""`RefVariable`: a variable whose tensor is a reference to memory that assignments change in place."""

from __future__ import annotations

import contextlib
from typing import Any

from tinytf._gen import gen_ops
from tinytf.framework import dtypes
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.graph import get_default_graph
from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.name_scope import add_to_collections, colocate_with, control_dependencies, device, name_scope
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import as_shape
from tinytf.ops import state_ops
from tinytf.ops.variable_support import collection_names, colocated_with_name, guarded_initial_value
from tinytf.ops.variables import Variable


class RefVariable(Variable):
    """See Variable. `dtype` is a reference type; reading goes through one `read` operation."""

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        dtype: Any = None,
        constraint: Any = None,
        shape: Any = None,
    ) -> None:
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        self._trainable = True if trainable is None else trainable
        self._constraint = constraint
        self._caching_device = caching_device
        self._graph_key = get_default_graph()
        from_function = callable(initial_value)
        if dtype is not None:
            dtype = dtypes.as_dtype(dtype)
        with (
            control_dependencies(None),
            name_scope(name, "Variable", [] if from_function else [initial_value]) as scope,
        ):
            if from_function:
                with colocated_with_name(scope[:-1]), name_scope("Initializer"), device(None):
                    self._initial_value = convert_to_tensor(initial_value(), name="initial_value", dtype=dtype)
            else:
                self._initial_value = convert_to_tensor(initial_value, name="initial_value", dtype=dtype)
            declared = self._initial_value.get_shape() if shape is None else as_shape(shape)
            if validate_shape and not declared.is_fully_defined():
                raise ValueError(f"initial_value must have a shape specified: {self._initial_value}")
            with colocated_with_name(scope[:-1]) if from_function else contextlib.nullcontext():
                self._variable = state_ops.variable_op_v2(
                    state_ops.shape_or_unknown(declared, validate_shape),
                    self._initial_value.dtype.base_dtype,
                    name=scope,
                )
            self._initializer_op = gen_ops.assign(
                self._variable, guarded_initial_value(self._initial_value), validate_shape=validate_shape, name="Assign"
            ).op
            if caching_device is not None:
                with device(caching_device):
                    self._snapshot = gen_ops.identity(self._variable, name="read")
            else:
                with colocate_with(self._variable.op):
                    self._snapshot = gen_ops.identity(self._variable, name="read")
        add_to_collections(collection_names(collections, self._trainable), self)

    # -- Description -------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of the reference tensor, "v:0"."""
        return self._variable.name

    @property
    def _shared_name(self) -> str:
        return self._variable.op.name

    @property
    def op(self) -> Any:
        """The VariableV2 operation."""
        return self._variable.op

    @property
    def dtype(self) -> dtypes.DType:
        """A reference type, for example float32_ref."""
        return self._variable.dtype

    @property
    def device(self) -> str:
        """The device asked for."""
        return self._variable.device

    @property
    def graph(self) -> Any:
        """The variable's graph."""
        return self._variable.graph

    @property
    def shape(self) -> Any:
        """The static shape."""
        return self._variable.get_shape()

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    # -- Reading -----------------------------------------------------------------------------------------------------

    def value(self) -> Tensor:
        """The output of the variable's one read operation."""
        return self._snapshot

    def read_value(self) -> Tensor:
        """A new read, which control dependencies can order."""
        return gen_ops.identity(self._variable, name="read")

    def _ref(self) -> Tensor:
        return self._variable

    def _AsTensor(self) -> Tensor:
        return self._snapshot

    def _as_graph_element(self) -> Tensor:
        return self._variable

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether the variable has a value: a bool scalar."""
        return state_ops.is_variable_initialized(self._variable, name)

    def _convert(self, dtype: Any, name: str | None, as_ref: bool) -> Tensor:
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(self.dtype):
            raise ValueError(
                f"Incompatible type conversion requested to type '{dtypes.as_dtype(dtype).name}' for variable of type "
                f"'{self.dtype.name}'"
            )
        return self._variable if as_ref else self._snapshot

    # -- Changing ----------------------------------------------------------------------------------------------------

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Assigns; the result is the variable's reference afterwards (the operation if `read_value` is False)."""
        return _result(state_ops.assign(self._variable, value, use_locking=use_locking, name=name), read_value)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Adds in place."""
        return _result(state_ops.assign_add(self._variable, delta, use_locking=use_locking, name=name), read_value)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtracts in place."""
        return _result(state_ops.assign_sub(self._variable, delta, use_locking=use_locking, name=name), read_value)

    def scatter_add(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Adds the slices. TypeError for other than IndexedSlices."""
        return self._scatter(state_ops.scatter_add, sparse_delta, use_locking, name)

    def scatter_sub(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Subtracts the slices."""
        return self._scatter(state_ops.scatter_sub, sparse_delta, use_locking, name)

    def scatter_update(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Replaces the slices."""
        return self._scatter(state_ops.scatter_update, sparse_delta, use_locking, name)

    def _scatter(self, function: Any, slices: Any, use_locking: bool, name: str | None) -> Any:
        if not isinstance(slices, IndexedSlices):
            raise TypeError(f"sparse_delta is not IndexedSlices: {slices}")
        return function(self._variable, slices.indices, slices.values, use_locking=use_locking, name=name)

    def _strided_slice_assign(self, value: Any, name: str, **where: Any) -> Tensor:
        return gen_ops.strided_slice_assign(self._variable, value=value, name=name, **where)

    def count_up_to(self, limit: int) -> Tensor:
        """Increments the (integer scalar) variable; see tf.count_up_to."""
        return state_ops.count_up_to(self._variable, limit)


def _result(assigned: Tensor, read_value: bool) -> Any:
    return assigned if read_value else assigned.op
