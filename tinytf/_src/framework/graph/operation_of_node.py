"""Implements `tf.Operation(node_def, graph, …)`, which adds an operation from a `NodeDef`."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.declarations.attr_values import plain_attrs
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.bases import BaseOperation, BaseTensor
from tinytf._src.framework.graph.names import VALID_OP_NAME
from tinytf._src.framework.graph.nodes import GraphNodes
from tinytf._src.framework.sites.call_site import creation_site
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_like import is_control_input

_CALLER = 2  # frames up to the user's call: the constructor and its caller


def add_node(
    op: BaseOperation,
    node_def: Any,
    graph: Any,
    inputs: Any,
    control_inputs: Any,
    input_types: Any,
    original_op: BaseOperation | None,
) -> None:
    """Adds a node to the graph and initializes the new object `op` for it. See `Operation.__init__`."""
    if getattr(getattr(node_def, "DESCRIPTOR", None), "full_name", None) != "tensorflow.NodeDef":
        raise TypeError(f"node_def needs to be a NodeDef: {node_def}")
    if not VALID_OP_NAME.match(node_def.name):
        raise ValueError(f"'{node_def.name}' is not a valid node name")
    if not isinstance(getattr(graph, "_nodes", None), GraphNodes):
        raise TypeError(f"g needs to be a Graph: {graph}")
    tensors = _tensors(inputs)
    _check_types(node_def.name, tensors, input_types)
    waits, outside = graph._scopes.parted_controls([_control(item) for item in control_inputs or ()])
    controls = [item._id for item in waits]
    tensors = [graph._own(tensor) for tensor in tensors]
    graph._check_not_finalized()
    spec = graph._functions.spec(node_def.op)
    keys = [tensor._key for tensor in tensors]
    attrs = plain_attrs(spec, dict(node_def.attr))
    with graph._nodes.lock:
        try:
            id, types = graph._core.add_node(spec.name, node_def.name, keys, None, controls, attrs, node_def.device)
        except errors_impl.InvalidArgumentError as e:
            raise ValueError(e.message) from None
        if graph._core.unique_name(node_def.name, False) == node_def.name:
            graph._core.unique_name(node_def.name, True)  # reserves the name
        op._become(graph, id, node_def.name, spec, types, creation_site(_CALLER))
        op._original_op = original_op
        graph._nodes.ops.append(op)
        graph._generation += 1
    if graph._scopes.asks_context:
        graph._scopes.enter_context(op, outside)
    if spec.derives:
        graph._functions.derived(op)


def _tensors(inputs: Any) -> list[BaseTensor]:
    if inputs is None:
        return []
    if not isinstance(inputs, list):
        raise TypeError(f"inputs needs to be a list of Tensors: {inputs}")
    for item in inputs:
        if not isinstance(item, BaseTensor):
            raise TypeError(f"input needs to be a Tensor: {item}")
    return inputs


def _check_types(name: str, inputs: list[BaseTensor], input_types: Any) -> None:
    if input_types is None:
        return
    wanted = [dtypes.as_dtype(one) for one in input_types]
    given = [tensor.dtype for tensor in inputs]
    if len(wanted) != len(given) or not all(w.is_compatible_with(g) for w, g in zip(wanted, given, strict=True)):
        raise TypeError(f"In op '{name}', input types ({given}) are not compatible with expected types ({wanted})")


def _control(item: Any) -> BaseOperation:
    if isinstance(item, BaseOperation):
        return item
    if isinstance(item, BaseTensor) or is_control_input(item):
        return item.op
    raise TypeError(f"Control input must be an Operation, a Tensor, or IndexedSlices: {item}")
