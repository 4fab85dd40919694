"""Helpers shared by both kinds of variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import device, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes


def collection_names(collections: Any, trainable: bool) -> list[Any]:
    """The collections that a new variable joins. Raises ValueError if `collections` is not a list, tuple or set."""
    if collections is None:
        collections = [GraphKeys.GLOBAL_VARIABLES]
    if not isinstance(collections, (list, tuple, set)):
        raise ValueError(
            f"collections argument to Variable constructor must be a list, tuple, or set. Got {collections} of type "
            f"{type(collections)}"
        )
    names = list(collections)
    if trainable and GraphKeys.TRAINABLE_VARIABLES not in names:
        names.append(GraphKeys.TRAINABLE_VARIABLES)
    return names


def colocated_with_name(name: str) -> AbstractContextManager[None]:
    """Context manager that colocates operations with the operation `name`, which need not exist yet."""
    return get_default_graph()._attr_scope({"_class": [b"loc:@" + name.encode()]})


@contextmanager
def initializer_scope(name: str) -> Iterator[None]:
    """Context manager for a function that creates the initial value of the variable `name`: colocated with the
    variable, without a device."""
    with colocated_with_name(name), name_scope("Initializer"), device(None):
        yield


def made_initial_value(given: Any, dtype: dtypes.DType | None, scope: str, beside: bool) -> Tensor:
    """Returns the initial value of a new variable as a tensor.

    `given` is a function that returns the value, or the value. `scope` is the variable's name scope; if `beside`, the
    value is created in its scope "Initializer". ValueError if the tensor is inside a loop or branch.
    """
    with initializer_scope(scope[:-1]) if beside else nullcontext():
        value = convert_to_tensor(given() if callable(given) else given, name="initial_value", dtype=dtype)
    if value.op._get_control_flow_context() is not None:
        raise ValueError(
            f"Initializer for variable {scope} is from inside a control-flow construct, such as a loop or "
            "conditional. When creating a variable inside a loop or conditional, use a lambda as the initializer."
        )
    return value


def refuse_other_dtype(dtype: Any, own: dtypes.DType) -> None:
    """Raises ValueError unless a variable of type `own` can be read as `dtype`; None means any type."""
    if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(own):
        raise ValueError(
            f"Incompatible type conversion requested to type '{dtypes.as_dtype(dtype).name}' for variable of type "
            f"'{own.name}'"
        )


def guarded_initial_value(name: str, initial_value: Tensor) -> Tensor:
    """The initial value of the variable `name`, with other variables in it replaced by their `initialized_value()`.

    This makes one run of all initializers independent of their order. Returns the tensor itself if it depends on no
    variable, or on a loop.
    """
    return _Rebuild(name.rstrip("/")).tensor(initial_value)


class _Rebuild:
    """Copies the operations that depend on variables; a copy's name is derived from the operation's and the
    variable's."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._copies: dict[Any, Sequence[Tensor]] = {}  # operation → replacements of its outputs

    def tensor(self, tensor: Tensor) -> Tensor:
        order = _inputs_first(tensor.op)
        if order is None or not any(op._spec.is_variable for op in order):
            return tensor
        for op in order:
            self._visit(op)
        return self._of(tensor)

    def _of(self, tensor: Tensor) -> Tensor:
        copies = self._copies.get(tensor.op)
        return tensor if copies is None else copies[tensor.value_index]

    def _visit(self, op: Any) -> None:
        source = op.inputs[0].op if op.inputs else op
        if op._spec.is_variable or (source._spec.is_variable and op.type in _READS):
            variable = _variable_of(source)
            # A handle has no value; its readers are replaced instead.
            if variable is not None and op.outputs[0].dtype != dtypes.resource:
                self._copies[op] = [variable.initialized_value()]
            return
        inputs = [self._of(tensor) for tensor in op.inputs]
        if op.type in _ASKS or all(a is b for a, b in zip(inputs, op.inputs, strict=True)):
            return
        graph, spec = op.graph, op._spec
        attrs = {name: value for name, (_, value) in graph._core.attrs(op._id).items()}
        if spec.has_ref_input:  # it would get a value in place of a reference
            if spec.control_flow != "switch":
                return
            spec = op_spec("Switch")
        name = graph._core.unique_name(f"{op.name}_{self._name}", True)
        self._copies[op] = graph._create(spec, name, inputs, None, attrs).outputs


def _inputs_first(last: Any) -> list[Any] | None:
    """The operations on which `last` depends by data inputs, in topological order; None if there is a cycle. Iterative,
    because initial values may depend on long chains."""
    order: dict[Any, None] = {}
    path = {last: iter(last.inputs)}
    while path:
        op, inputs = next(reversed(path.items()))
        source = next((tensor.op for tensor in inputs if tensor.op not in order), None)
        if source in path:
            return None
        if source is None:
            del path[op]
            order[op] = None
        else:
            path[source] = iter(source.inputs)
    return list(order)


_READS = ("ReadVariableOp",)
_ASKS = ("IsVariableInitialized", "VarIsInitializedOp")  # ops that query whether a variable is initialized


def _variable_of(op: Any) -> Any:
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for variable in op.graph.get_collection(key):
            if getattr(variable, "op", None) is op:
                return variable
    return None
