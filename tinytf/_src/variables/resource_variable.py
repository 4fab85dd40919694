"""`ResourceVariable`: a variable behind a resource handle. Values that were read never change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NoReturn

from tinytf._gen import gen_ops
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph, graph_around
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.resources.variable_watch import accessed_in_graph
from tinytf._src.framework.scopes.name_scope import colocate_with, control_dependencies, device, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.variables.support import guarded_initial_value, refuse_other_dtype
from tinytf._src.variables.variable import Variable


class ResourceVariable(Variable):
    """A resource variable; see Variable. `dtype` is the value's type; each `value()` is a new read."""

    _eager_kind: type  # class used in eager mode; set by `creation`
    _updated_kind: Any  # class of update results in graph mode
    _cached_value: Tensor | None = None

    @classmethod
    def _for_mode(cls) -> type:
        if cls is not ResourceVariable or not executing_eagerly():
            return cls
        return ResourceVariable._eager_kind

    def _declare(self, name: str, shape: TensorShape, validate_shape: bool) -> Tensor:
        given = self._initial_value.shape
        if not given.is_compatible_with(shape):
            raise ValueError(
                f"The initial value's shape ({given}) is not compatible with the explicitly supplied `shape` argument "
                f"({shape})."
            )
        self._dtype = self._initial_value.dtype.base_dtype
        self._declared_shape = shape
        return self._handle(name)

    def _handle(self, name: str) -> Tensor:
        """Creates the operation of the handle in the name scope `name`."""
        return gen_ops.var_handle_op(
            dtype=self._dtype,
            shape=self._declared_shape,
            shared_name=name[:-1],
            container=get_default_graph()._container,
            name=name,
        )

    def _add_operations(self, validate_shape: bool) -> None:
        with name_scope("IsInitialized"):
            self._is_initialized_op = gen_ops.var_is_initialized_op(self._variable)
        with (
            name_scope("Assign") as assign_scope,
            colocate_with(None, ignore_existing=True),
            device(self._variable.device),
        ):
            self._guarded_value = guarded_initial_value(self._variable.op.name, self._initial_value)
            self._initializer_op = gen_ops.assign_variable_op(self._variable, self._guarded_value, name=assign_scope)
        with name_scope("Read"), device(self._variable.device):
            self._graph_element = self._read()
            if self._caching_device is not None:
                # Only on that device: the scopes around concern the variable itself.
                with colocate_with(None, ignore_existing=True), device(self._caching_device):
                    self._cached_value = gen_ops.identity(self._graph_element)

    def _adopt_snapshot(self, snapshot: Tensor) -> None:
        self._dtype = self._variable.op.get_attr("dtype")
        self._declared_shape = as_shape(self._variable.op.get_attr("shape"))
        if snapshot.op.type == "ReadVariableOp":
            self._graph_element = snapshot
        else:  # with a caching device, the snapshot is a copy of the read
            self._cached_value, self._graph_element = snapshot, snapshot.op.inputs[0]

    def _snapshot_tensor(self) -> Tensor:
        return self._graph_element if self._cached_value is None else self._cached_value

    @property
    def handle(self) -> Tensor:
        """The resource handle, a scalar Tensor."""
        return self._variable

    @property
    def dtype(self) -> dtypes.DType:
        """The element type."""
        return self._dtype

    @property
    def shape(self) -> Any:
        """The static TensorShape."""
        return self._declared_shape

    def set_shape(self, shape: Any) -> None:
        """Raises NotImplementedError: only reference variables support it in graph mode."""
        raise NotImplementedError("ResourceVariable does not implement set_shape()")

    @property
    def create(self) -> Any:
        """The operation that initializes the variable."""
        return self._initializer_op

    # -- Reading ------------------------------------------------------------------------------------------------------

    def _read(self) -> Tensor:
        accessed_in_graph(self)
        value = gen_ops.read_variable_op(self._variable, dtype=self._dtype)
        value.set_shape(self.shape)
        return value

    def value(self) -> Tensor:
        """A new read of the value, or the cached value if there is a caching device."""
        if self._cached_value is not None:
            return self._cached_value
        with colocate_with(None, ignore_existing=True), device(self._variable.device):
            return self._read()

    def read_value(self) -> Tensor:
        """A new read of the value, behind an Identity, which control dependencies can order."""
        with name_scope("Read"), device(self._variable.device):
            value = self._read()
        return gen_ops.identity(value)

    def __bool__(self) -> bool:
        return bool(self.read_value())

    def __int__(self) -> int:
        if self._dtype not in (dtypes.int32, dtypes.int64):
            raise TypeError("Non-integer variable can't be converted to integer.")
        return int(self.value().numpy())

    def numpy(self) -> Any:
        """Raises NotImplementedError: only eager variables have a value outside of sessions."""
        raise NotImplementedError("numpy() is only available when eager execution is enabled.")

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """Gathers slices of the value at `indices` along dimension 0, without reading the whole value."""
        with name_scope("Gather" if name is None else name) as scope:
            accessed_in_graph(self)
            value = gen_ops.resource_gather(self._variable, indices, dtype=self._dtype, name=scope)
        return gen_ops.identity(value)

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """Gathers slices of the value at multi-dimensional `indices`, without reading the whole value."""
        with name_scope("GatherNd" if name is None else name) as scope:
            accessed_in_graph(self)
            value = gen_ops.resource_gather_nd(self._variable, indices, dtype=self._dtype, name=scope)
        return gen_ops.identity(value)

    def _ref(self) -> Tensor:
        return self._variable

    def _AsTensor(self) -> Tensor:
        return self.value()

    def _as_graph_element(self) -> Tensor:
        return self._graph_element

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether the variable is initialized, as a scalar bool Tensor."""
        return gen_ops.var_is_initialized_op(self._variable, name=name)

    def _convert(self, dtype: Any, name: str | None, as_ref: bool) -> Any:
        refuse_other_dtype(dtype, self._dtype)
        return self.read_value().op.inputs[0] if as_ref else self.value()

    # -- Updates ------------------------------------------------------------------------------------------------------

    def _after(self, op: Any) -> Any:
        """The variable after an operation that updates it."""
        accessed_in_graph(self)
        with self._building():
            return ResourceVariable._updated_kind(self, op)

    def _changed(self, op: Any, read_value: bool) -> Any:
        return self._after(op) if read_value else op

    def _building(self) -> AbstractContextManager[Any]:
        """Context manager that builds in the variable's graph, or stays in a function inside it: programs may have left
        the graph."""
        graph: Any = get_default_graph()
        while graph is not self.graph and graph is not None and graph.building_function:
            graph = graph_around(graph)
        return nullcontext() if graph is self.graph else self.graph.as_default()

    def _updating(self) -> AbstractContextManager[Any]:
        """Context manager for updates of the current value: with a caching device, the cached read comes first."""
        return self._building() if self._cached_value is None else self._after_cached_read()

    @contextmanager
    def _after_cached_read(self) -> Iterator[None]:
        with self._building(), control_dependencies([self._cached_value]):
            yield

    def assign(self, value: Any, use_locking: Any = None, name: str | None = None, read_value: bool = True) -> Any:
        """Assigns `value`; returns the variable after the assignment, or the operation if `read_value` is False. Raises
        ValueError for an incompatible shape."""
        with self._building():
            value = convert_to_tensor(value, dtype=self._dtype)
            self.shape.assert_is_compatible_with(value.shape)
            return self._changed(gen_ops.assign_variable_op(self._variable, value, name=name), read_value)

    def assign_add(self, delta: Any, use_locking: Any = None, name: str | None = None, read_value: bool = True) -> Any:
        """Adds `delta`; returns the variable after the update, or the operation if `read_value` is False."""
        with self._updating():
            delta = convert_to_tensor(delta, dtype=self._dtype)
            added = gen_ops.assign_add_variable_op(self._variable, delta, name=name)
        return self._changed(added, read_value)

    def assign_sub(self, delta: Any, use_locking: Any = None, name: str | None = None, read_value: bool = True) -> Any:
        """Subtracts `delta`; returns the variable after the update, or the operation if `read_value` is False."""
        with self._updating():
            delta = convert_to_tensor(delta, dtype=self._dtype)
            subtracted = gen_ops.assign_sub_variable_op(self._variable, delta, name=name)
        return self._changed(subtracted, read_value)

    def count_up_to(self, limit: int) -> Tensor:
        """Increments the integer scalar variable up to `limit`; see `tf.count_up_to`."""
        return gen_ops.resource_count_up_to(self._variable, limit=limit, T=self._dtype)

    def batch_scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Replaces slices in each batch; see `tf.batch_scatter_update`."""
        return self._after(super().batch_scatter_update(sparse_delta, use_locking, name))

    def _strided_slice_assign(self, value: Any, name: str, **where: Any) -> Any:
        with self._updating():
            value = convert_to_tensor(value, dtype=self._dtype)
            written = gen_ops.resource_strided_slice_assign(self._variable, value=value, name=name, **where)
        return self._changed(written, read_value=True)

    def _scatter(self, kind: str, slices: IndexedSlices, use_locking: bool, name: str | None) -> Any:
        values = convert_to_tensor(slices.values, self._dtype)
        scatter = getattr(gen_ops, f"resource_scatter_{kind}")
        return self._after(scatter(self._variable, slices.indices, values, name=name))

    def _scatter_nd(self, kind: str, indices: Any, updates: Any, name: str | None) -> Any:
        updates = convert_to_tensor(updates, self._dtype)
        return self._after(getattr(gen_ops, f"resource_scatter_nd_{kind}")(self._variable, indices, updates, name=name))


def is_resource_variable(var: Any) -> bool:
    """Whether operations access the variable by its handle."""
    return isinstance(var, ResourceVariable) or hasattr(var, "_should_act_as_resource_variable")


def _refused(operator: str, text: str) -> Callable[[Any, Any], NoReturn]:
    def refuse(self: Any, other: Any) -> NoReturn:
        raise RuntimeError(f"Variable {operator}= value not supported. Use {text} to get a new Tensor object.")

    refuse.__doc__ = f"Raises RuntimeError: `variable {operator}= value` would not change the variable."
    return refuse


for _name, _operator, _method in (("add", "+", "assign_add"), ("sub", "-", "assign_sub")):
    _text = f"variable.{_method}(value) to modify the variable value and variable = variable {_operator} value"
    setattr(ResourceVariable, f"__i{_name}__", _refused(_operator, _text))
for _name, _operator in (("mul", "*"), ("div", "/"), ("truediv", "/"), ("realdiv", "/"), ("pow", "**")):
    _text = f"`var.assign(var {_operator} value)` to modify the variable or `var = var {_operator} value`"
    setattr(ResourceVariable, f"__i{_name}__", _refused(_operator, _text))
