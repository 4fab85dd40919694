"""`import_graph_def`: adds the nodes of a `GraphDef` to the default graph."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

from tinytf import _core
from tinytf._src.exports import tf_export
from tinytf._src.framework.declarations.unknown_ops import is_strict, undeclared
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.device import canonical_name, merge_device
from tinytf._src.framework.graph.devices import DeviceScope
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_defs.import_arguments import (
    check_versions,
    checked_graph_def,
    checked_input_map,
    checked_names,
    parse_tensor_name,
    producer_defaults,
)
from tinytf._src.framework.graph_defs.import_attrs import check_undeclared
from tinytf._src.framework.graph_defs.large_constants import split
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.sites.call_site import creation_site
from tinytf._src.framework.tensors.conversion import convert_to_tensor

__all__ = ["import_graph_def"]

_COLOCATION = "loc:@"
_CONTROL = -1  # as an output index: the operation itself
_CALLER = 3  # frames between the user's call and _import_nodes: _import, import_graph_def, and the error wrapper


@tf_export("graph_util.import_graph_def", "import_graph_def")
@called_by_users
def import_graph_def(
    graph_def: Any,
    input_map: Any = None,
    return_elements: Any = None,
    name: str | None = None,
    op_dict: Any = None,
    producer_op_list: Any = None,
) -> list[Any] | None:
    """Imports the nodes of a `GraphDef` into the default graph; adds either all nodes or, after an error, none.

    Operations of undeclared ops are kept with their attrs as serialized, can have consumers, and are exported again.
    Running one raises NotFoundError, which names all undeclared ops of the run. Within
    `tf.experimental.strict_imports()` the import itself fails.

    Args:
      graph_def: `GraphDef` message, also of TensorFlow's own class.
      input_map: dict from tensor names in `graph_def` ("op", "op:1") to Tensors that replace them; a key "^op" replaces
        a control input by the operation of the Tensor.
      return_elements: list of names of operations and tensors in `graph_def` to return.
      name: str, name scope of the new operations; None means "import", "" no scope.
      op_dict: ignored, as in TensorFlow.
      producer_op_list: `OpList` with the op declarations of the program that wrote the graph. Undeclared attrs with
        their default value in it are dropped, and undeclared ops get their outputs from it.

    Returns:
      List of Operations and Tensors, one per item of `return_elements`; None if that is None.

    Raises:
      TypeError: for arguments of other types.
      ValueError: for an invalid graph, or a graph for other versions of TensorFlow.
      NotFoundError: for an undeclared op, if imports are strict.
      UnimplementedError: for an op that was removed from TensorFlow before the graph was written.

    Example:
      x, y = tf.import_graph_def(graph_def, return_elements=["x:0", "y:0"], name="")
    """
    del op_dict
    return _import(graph_def, {}, input_map, return_elements, name, producer_op_list)


@called_by_users
def import_without_large(
    graph_def: Any,
    contents: Mapping[int, Any],
    input_map: Any = None,
    return_elements: Any = None,
    name: str | None = None,
    producer_op_list: Any = None,
) -> list[Any] | None:
    """Like `import_graph_def`, for a message without the contents of large constants.

    `contents` maps node numbers to byte arrays with these contents; the graph uses their memory without a copy.
    """
    return _import(graph_def, contents, input_map, return_elements, name, producer_op_list)


def _import(
    graph_def: Any,
    contents: Mapping[int, Any],
    input_map: Any,
    return_elements: Any,
    name: str | None,
    producer_op_list: Any,
) -> list[Any] | None:
    graph_def = checked_graph_def(graph_def)
    input_map = checked_input_map(input_map)
    returned = checked_names(return_elements)
    check_versions(graph_def.versions)
    defaults = producer_defaults(producer_op_list)
    producers_ops = undeclared(graph_def, producer_op_list)
    graph = get_default_graph()
    with name_scope(name, "import", list(input_map.values())) as scope:
        if not all(isinstance(v, Tensor) for v in input_map.values()):
            if not scope:
                raise ValueError(
                    "tf.import_graph_def() requires a non-empty `name` if `input_map` contains non-Tensor values. Try "
                    "calling tf.convert_to_tensor() on `input_map` values before calling tf.import_graph_def()."
                )
            with name_scope("_inputs"):
                input_map = {key: convert_to_tensor(value) for key, value in input_map.items()}
    graph._check_not_finalized()
    mapped = _mapped(graph, input_map)
    is_new = bool(scope) and scope != (name.decode() if isinstance(name, bytes) else name)
    with graph.as_default():
        ops = _import_nodes(graph, graph_def, contents, mapped, scope, is_new, defaults, producers_ops, returned)
    versions = graph._graph_def_versions.joined(graph_def.versions)
    graph._graph_def_versions = versions.with_functions() if graph_def.library.function else versions
    return None if return_elements is None else [_element(name, ops, mapped) for name in returned]


_Inputs = dict[tuple[str, int], Tensor]


def _mapped(graph: Graph, input_map: dict[str, Any]) -> _Inputs:
    """The replacements of inputs, keyed by node and output index; _CONTROL stands for the node itself."""
    mapped: _Inputs = {}
    for key, tensor in input_map.items():
        if type(tensor) is not Tensor:
            tensor = graph.capture(tensor)
        source = (key[1:], _CONTROL) if key.startswith("^") else parse_tensor_name(key)
        mapped[source] = _found(graph, tensor, source)
    return mapped


def _found(graph: Graph, tensor: Tensor, source: tuple[str, int]) -> Tensor:
    """The tensor, possibly captured by a function's graph. A tensor of another graph is replaced by the one with its
    name, as in TensorFlow. Raises ValueError if there is none."""
    try:
        return graph._own(tensor)
    except ValueError:
        op = graph._nodes.named(tensor.op.name)
        if op is not None and tensor.value_index < len(op.outputs):
            return op.outputs[tensor.value_index]
        name, index = source
        entry = f"^{name}->^{tensor.op.name}" if index == _CONTROL else f"{name}:{index}->{tensor.name}"
        raise ValueError(
            f"node '{tensor.op.name}' in input_map does not exist in graph (input_map entry: {entry})"
        ) from None


def _import_nodes(
    graph: Graph,
    graph_def: Any,
    contents: Mapping[int, Any],
    mapped: _Inputs,
    scope: str,
    is_new: bool,
    defaults: dict[str, dict[str, Any]],
    producers_ops: dict[str, Any],
    returned: list[str],
) -> dict[str, Operation]:
    """Adds all nodes; returns the operations named in `returned`, by their names in the GraphDef."""

    def device(text: str) -> str:
        return merge_device(text).merge_name("")

    def undeclared_attr(op: str, attr: str, value: bytes, node: str) -> None:
        check_undeclared(op, attr, value, node, defaults.get(op, {}))

    input_map = [(source, output, tensor._key) for (source, output), tensor in mapped.items()]
    producer = graph_def.versions.producer
    wanted = [name.partition(":")[0] for name in returned]
    data, values = split(graph_def, contents)
    with graph._nodes.lock:
        try:
            made, (placed, colocated), ids = _core.import_graph_def(
                graph._core, data, scope, is_new, input_map, producer,
                undeclared_attr, device, wanted, is_strict(), [op.SerializeToString() for op in producers_ops.values()],
                values,
            )  # fmt: skip
        except errors_impl.InvalidArgumentError as e:
            raise ValueError(e.message) from None
        graph._functions.declare(graph_def.library.function)
        graph._functions.producers_ops.update(producers_ops)
        ops = graph._adopt(*made, creation_site(_CALLER))
    graph._enter_scopes(ops)
    _take_names(graph, ops)
    _place(graph, ops, dict(placed), dict(colocated))
    graph._functions.imported(graph, ops, graph_def.library.function)
    return {name: graph._nodes.by_id(id) for name, id in ids.items()}


def _take_names(graph: Graph, ops: list[Operation]) -> None:
    """Reserves the frame names of imported loops and the source names of imported TensorArray gradients, which identify
    them in a step, so that new ones get other names."""
    for op in ops:
        spec = op._spec
        attr = "frame_name" if spec.control_flow == "enter" else "source" if "source" in spec.attr_by_name else None
        if attr is not None:
            graph._names.take(op._raw_attr(attr).decode(errors="replace"))


def _place(graph: Graph, ops: list[Operation], devices: dict[int, str], elsewhere: dict[int, list[str]]) -> None:
    """Assigns devices: operations get the device that they and the open scopes request, operations with colocation
    groups the device of the first group member that has one."""
    if graph._scopes.open.devices:
        for op in ops:
            if op._id not in elsewhere:
                given = devices.get(op._id)
                with graph.device(given) if given else nullcontext():
                    graph._devices.place_by_device(op)
    else:
        scopes = {given: DeviceScope(given) for given in set(devices.values())}
        for id, given in devices.items():
            graph._nodes.by_id(id)._device_assignments = [scopes[given]]
    for id, groups in elsewhere.items():
        op = graph._nodes.by_id(id)
        names = [group[len(_COLOCATION) :] for group in groups if group.startswith(_COLOCATION)]
        others = [graph._nodes.named(name) for name in names if name != op.name]
        chosen = next((other.device for other in others if other is not None and other.device), "")
        if chosen:
            op._set_device(canonical_name(chosen))


def _element(name: str, ops: dict[str, Operation], mapped: _Inputs) -> Any:
    """The Operation or Tensor that a name in the GraphDef refers to, in this graph."""
    if ":" not in name:
        if name not in ops:
            raise ValueError(f"Requested return node '{name}' not found in graph def")
        return ops[name]
    source, index = parse_tensor_name(name)
    if (source, index) in mapped:
        return mapped[source, index]
    op = ops.get(source)
    if op is None:
        raise ValueError(f"Requested return tensor '{name}' not found in graph def")
    if index >= len(op.outputs):
        raise ValueError(f"Invalid return output {index} of node '{source}', which has {len(op.outputs)} output(s)")
    return op.outputs[index]
