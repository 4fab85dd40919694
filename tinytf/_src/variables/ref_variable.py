"""`RefVariable`: a variable whose tensor is a reference to memory that assignments modify in place."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, mul, sub, truediv
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with, device
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.state import state_ops
from tinytf._src.variables.support import guarded_initial_value, refuse_other_dtype
from tinytf._src.variables.variable import Variable


class RefVariable(Variable):
    """A reference variable; see Variable. `dtype` is a reference type; all readers share one `read` operation."""

    _INITIALIZER_SCOPE = False

    @classmethod
    def _for_mode(cls) -> type:
        if executing_eagerly():
            raise RuntimeError("RefVariable not supported when eager execution is enabled. ")
        return cls

    def _declare(self, name: str, shape: TensorShape, validate_shape: bool) -> Tensor:
        if validate_shape and not shape.is_fully_defined():
            raise ValueError(f"initial_value must have a shape specified: {self._initial_value}")
        declared = state_ops.shape_or_unknown(shape, validate_shape)
        return state_ops.variable_op_v2(declared, self._initial_value.dtype.base_dtype, name=name)

    def _add_operations(self, validate_shape: bool) -> None:
        self._guarded_value = guarded_initial_value(self._variable.op.name, self._initial_value)
        self._initializer_op = gen_ops.assign(
            self._variable,
            self._guarded_value,
            validate_shape=validate_shape,
            name="Assign",
        ).op
        with device(self._caching_device) if self._caching_device is not None else colocate_with(self._variable.op):
            self._snapshot = gen_ops.identity(self._variable, name="read")

    def _adopt_snapshot(self, snapshot: Tensor) -> None:
        self._snapshot = snapshot

    def _snapshot_tensor(self) -> Tensor:
        return self._snapshot

    @property
    def dtype(self) -> dtypes.DType:
        """The reference type, for example float32_ref."""
        return self._variable.dtype

    @property
    def shape(self) -> Any:
        """The static TensorShape."""
        return self._variable.get_shape()

    # -- Reading ------------------------------------------------------------------------------------------------------

    def value(self) -> Tensor:
        """The output of the shared read operation."""
        return self._snapshot

    def read_value(self) -> Tensor:
        """A new read operation's output, which control dependencies can order."""
        return gen_ops.identity(self._variable, name="read")

    def _ref(self) -> Tensor:
        return self._variable

    def _AsTensor(self) -> Tensor:
        return self._snapshot

    def _as_graph_element(self) -> Tensor:
        return self._variable

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether the variable is initialized, as a scalar bool Tensor."""
        return state_ops.is_variable_initialized(self._variable, name)

    def _convert(self, dtype: Any, name: str | None, as_ref: bool) -> Tensor:
        refuse_other_dtype(dtype, self.dtype)
        return self._variable if as_ref else self._snapshot

    # -- Updates ------------------------------------------------------------------------------------------------------

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Assigns `value`; returns the reference after the assignment, or the operation if `read_value` is False."""
        return _result(state_ops.assign(self._variable, value, use_locking=use_locking, name=name), read_value)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Adds `delta`; returns the reference after the update, or the operation if `read_value` is False."""
        return _result(state_ops.assign_add(self._variable, delta, use_locking=use_locking, name=name), read_value)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtracts `delta`; returns the reference after the update, or the operation if `read_value` is False."""
        return _result(state_ops.assign_sub(self._variable, delta, use_locking=use_locking, name=name), read_value)

    def _scatter(self, kind: str, slices: IndexedSlices, use_locking: bool, name: str | None) -> Any:
        scatter = getattr(gen_ops, f"scatter_{kind}")
        return scatter(self._variable, slices.indices, slices.values, use_locking=use_locking, name=name)

    def _scatter_nd(self, kind: str, indices: Any, updates: Any, name: str | None) -> Any:
        return getattr(gen_ops, f"scatter_nd_{kind}")(self._variable, indices, updates, use_locking=True, name=name)

    def _strided_slice_assign(self, value: Any, name: str, **where: Any) -> Tensor:
        return gen_ops.strided_slice_assign(self._variable, value=value, name=name, **where)

    def count_up_to(self, limit: int) -> Tensor:
        """Increments the integer scalar variable up to `limit`; see `tf.count_up_to`."""
        return state_ops.count_up_to(self._variable, limit)


def _result(assigned: Tensor, read_value: bool) -> Any:
    return assigned if read_value else assigned.op


def _new_tensor(operator: str, run: Callable[[Any, Any], Any], update: str, quote: str) -> Callable[[Any, Any], Any]:
    """`variable ⊙= value` as a new tensor `variable ⊙ value`, with a warning that the variable does not change."""

    def compute(self: Any, other: Any) -> Any:
        from tinytf._src.framework.logs import tf_logging

        tf_logging.warn_once_per_line(
            f"Variable {operator}= will be deprecated. Use {update} if you want assignment to the variable value or "
            f"{quote}x = x {operator} y{quote} if you want a new python Tensor object."
        )
        return run(self, other)

    compute.__doc__ = (
        f"Returns the tensor `variable {operator} value`. The variable is not changed, which is logged once per line."
    )
    return compute


for _name, _operator, _run in (("add", "+", add), ("sub", "-", sub)):
    setattr(RefVariable, f"__i{_name}__", _new_tensor(_operator, _run, f"variable.assign_{_name}", "'"))
for _name, _operator, _run in (
    ("mul", "*", mul),
    ("div", "/", truediv),
    ("truediv", "/", truediv),
    ("realdiv", "/", truediv),
    ("pow", "**", pow),
):
    _update = f"`var.assign(var {_operator} other)`"
    setattr(RefVariable, f"__i{_name}__", _new_tensor(_operator, _run, _update, "`"))
