"""Small pieces that both kinds of variables use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tinytf.framework import dtypes
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.name_scope import device, name_scope
from tinytf.framework.tensor import Tensor


def collection_names(collections: Any, trainable: bool) -> list[Any]:
    """The collections a new variable joins. ValueError if `collections` is no sequence."""
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
    """Operations made in the scope are grouped with the operation `name`, which need not exist yet."""
    return get_default_graph()._attr_scope({"_class": [b"loc:@" + name.encode()]})


@contextmanager
def initializer_scope(name: str) -> Iterator[None]:
    """Where a function makes the initial value of the variable `name`: beside it, on no device of its own."""
    with colocated_with_name(name), name_scope("Initializer"), device(None):
        yield


def refuse_other_dtype(dtype: Any, own: dtypes.DType) -> None:
    """ValueError unless a variable of type `own` can be read as `dtype` (None is any)."""
    if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(own):
        raise ValueError(
            f"Incompatible type conversion requested to type '{dtypes.as_dtype(dtype).name}' for variable of type "
            f"'{own.name}'"
        )


def guarded_initial_value(initial_value: Tensor) -> Tensor:
    """`initial_value` with reads of other variables replaced by those variables' initial values.

    So that one run of the initializers works whatever their order. The tensor itself if it reads no variable.
    """
    return _Rebuild().tensor(initial_value)


class _Rebuild:
    """Copies the operations that depend on reads of variables."""

    def __init__(self) -> None:
        self._copies: dict[Any, Any] = {}

    def tensor(self, tensor: Tensor) -> Tensor:
        # Iterative over the depth of the graph: initial values may hang on long chains.
        order, seen, stack = [], set(), [tensor.op]
        while stack:
            op = stack.pop()
            if op in seen:
                continue
            seen.add(op)
            order.append(op)
            stack.extend(t.op for t in op.inputs)
        if not any(op._spec.is_variable for op in order):
            return tensor
        for op in sorted(order, key=lambda op: op._id):
            self._visit(op)
        return self._copies.get(tensor, tensor)

    def _visit(self, op: Any) -> None:
        if op.type in _READS and op.inputs[0].op._spec.is_variable:
            variable = _variable_of(op.inputs[0].op)
            if variable is not None:
                self._copies[op.outputs[0]] = variable.initial_value
            return
        inputs = [self._copies.get(t, t) for t in op.inputs]
        if all(a is b for a, b in zip(inputs, op.inputs, strict=True)):
            return
        graph = op.graph
        attrs = {name: value for name, (_, value) in graph._core.attrs(op._id).items() if name != "_class"}
        copy = graph._create(op._spec, graph._core.unique_name(op.name + "_initialized", True), inputs, None, attrs)
        for old, new in zip(op.outputs, copy.outputs, strict=True):
            self._copies[old] = new


_READS = ("Identity", "ReadVariableOp")


def _variable_of(op: Any) -> Any:
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for variable in op.graph.get_collection(key):
            if getattr(variable, "op", None) is op:
                return variable
    return None
