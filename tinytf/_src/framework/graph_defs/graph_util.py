"""`tf.graph_util`: functions on `GraphDef`s that extract subgraphs and freeze variables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph_defs.importer import import_graph_def
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.values.tensor_util import make_tensor_proto

__all__ = [
    "convert_variables_to_constants",
    "extract_sub_graph",
    "import_graph_def",
    "must_run_on_cpu",
    "remove_training_nodes",
    "tensor_shape_from_node_def_name",
]

_VARIABLES = frozenset(("Variable", "VariableV2", "VarHandleOp"))
# Ops that forward the handle of a variable to its readers.
_PASS_ON = frozenset(("Enter", "Exit", "Identity", "Merge", "NextIteration", "Switch"))
_NEED_MEMORY_OF_VARIABLES = frozenset(
    "Assign AssignAdd AssignSub Queue ScatterAdd ScatterSub ScatterUpdate TruncatedNormal Variable VariableV2".split()
)


def _node_name(input_name: str) -> str:
    """The node name of an input, without the `^` of a control input or the output number."""
    return re.sub(r"^\^|:\d+$", "", input_name)


def _inputs(node: Any) -> list[str]:
    return [_node_name(name) for name in node.input]


@tf_export("graph_util.extract_sub_graph")
@called_by_users
def extract_sub_graph(graph_def: Any, dest_nodes: Any) -> Any:
    """The subgraph that some nodes depend on.

    Args:
      graph_def: `GraphDef` message.
      dest_nodes: list of node names.

    Returns:
      `GraphDef` with `dest_nodes` and all nodes that they depend on, in the order of `graph_def`.

    Raises:
      TypeError: if `graph_def` is not a GraphDef, or `dest_nodes` is a str.
      AssertionError: if a node does not exist.
    """
    if not isinstance(graph_def, protos.GraphDef):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list.")
    nodes = {node.name: node for node in graph_def.node}
    needed: set[str] = set()
    waiting = list(dest_nodes)
    while waiting:
        name = waiting.pop()
        assert name in nodes, f"{name} is not in graph"
        if name not in needed:
            needed.add(name)
            waiting.extend(_inputs(nodes[name]))
    part = protos.GraphDef(library=graph_def.library, versions=graph_def.versions)
    part.node.extend(node for node in graph_def.node if node.name in needed)
    return part


@tf_export("graph_util.convert_variables_to_constants")
@called_by_users
def convert_variables_to_constants(
    sess: Any,
    input_graph_def: Any,
    output_node_names: Iterable[str],
    variable_names_whitelist: Iterable[str] | None = None,
    variable_names_blacklist: Iterable[str] | None = None,
) -> Any:
    """Freezes a graph: extracts the subgraph for some outputs and replaces variables by constants.

    Args:
      sess: Session with the variables' values.
      input_graph_def: `GraphDef` message.
      output_node_names: iterable of names of the output nodes.
      variable_names_whitelist: names of the variables to freeze; None means all.
      variable_names_blacklist: names of variables that stay variables.

    Returns:
      `GraphDef` message.

    Raises:
      AssertionError: if an output node does not exist.
      ValueError: if a variable's read cannot be traced back to variables.
    """
    graph_def = extract_sub_graph(input_graph_def, output_node_names)
    names = [node.name for node in graph_def.node if node.op in _VARIABLES]
    if variable_names_whitelist is not None:
        names = [name for name in names if name in set(variable_names_whitelist)]
    if variable_names_blacklist is not None:
        names = [name for name in names if name not in set(variable_names_blacklist)]
    resources = {node.name for node in graph_def.node if node.op == "VarHandleOp"}
    fetches = [f"{name}/Read/ReadVariableOp:0" if name in resources else f"{name}:0" for name in names]
    values = dict(zip(names, sess.run(fetches) if fetches else []))
    tf_logging.info("Froze %d variables.", len(values))
    frozen = protos.GraphDef(library=graph_def.library)  # without versions, as in TensorFlow
    values_of = _values_of_handles(graph_def, values)
    for node in graph_def.node:
        frozen.node.extend(_frozen(node, values, values_of))
    tf_logging.info("Converted %d variables to const ops.", sum(node.name in values for node in graph_def.node))
    return frozen


def _values_of_handles(graph_def: Any, values: dict[str, Any]) -> dict[str, Any]:
    """Maps each node that is or forwards the handle of a frozen variable to the attr with the variable's type. Raises
    ValueError if a read cannot be traced back to variables."""
    nodes = {node.name: node for node in graph_def.node}
    found: dict[str, Any] = {}
    for reader in graph_def.node:
        if reader.op not in ("ReadVariableOp", "ResourceGather"):
            continue
        way, ends, waiting = [reader.name], [], [_node_name(reader.input[0])]
        while waiting:
            name = waiting.pop()
            if name in way:
                continue
            way.append(name)
            if nodes[name].op not in _PASS_ON:
                ends.append(nodes[name])
            else:
                waiting.extend(map(_node_name, nodes[name].input[: 2 if nodes[name].op == "Merge" else 1]))
        if any(end.op != "VarHandleOp" for end in ends):
            raise ValueError("Cannot find the variable that is an input to the ReadVariableOp.")
        if all(end.name in values for end in ends):
            found.update(dict.fromkeys(way, reader.attr["dtype"]))
    return found


def _frozen(node: Any, values: dict[str, Any], values_of: dict[str, Any]) -> list[Any]:
    """The replacement of a node: a constant for a variable, an Identity for a read, a node of the value's type for one
    that forwarded the handle; other nodes unchanged."""
    if node.name in values:
        value, dtype = values[node.name], node.attr["dtype"]
        return [_constant(node.name, dtype, make_tensor_proto(value, dtype=dtype.type, shape=value.shape))]
    if node.name not in values_of:
        return [node]
    if node.op == "ReadVariableOp":
        return [_in_place_of(node, "Identity", node.input[:1], T=node.attr["dtype"])]
    if node.op == "ResourceGather":
        if node.attr["batch_dims"].i != 0:
            raise ValueError("batch_dims != 0 is not supported by freeze_graph.")
        types = {"Tparams": node.attr["dtype"], "Tindices": node.attr["Tindices"], "Taxis": node.attr["Tindices"]}
        axis = _constant(f"{node.name}/axis", types["Taxis"], make_tensor_proto(0, dtype=types["Taxis"].type))
        return [axis, _in_place_of(node, "GatherV2", [*node.input[:2], axis.name], **types)]
    made = protos.NodeDef()
    made.CopyFrom(node)
    made.attr["T"].CopyFrom(values_of[node.name])
    if "_output_shapes" in made.attr:
        del made.attr["_output_shapes"]
    return [made]


def _constant(name: str, dtype: Any, value: Any) -> Any:
    return protos.NodeDef(name=name, op="Const", attr={"dtype": dtype, "value": protos.AttrValue(tensor=value)})


def _in_place_of(node: Any, op: str, inputs: Iterable[str], **attrs: Any) -> Any:
    """A node of another op with the name and colocation of the given one."""
    made = protos.NodeDef(name=node.name, op=op, input=inputs, attr=attrs)
    if "_class" in node.attr:
        made.attr["_class"].CopyFrom(node.attr["_class"])
    return made


@tf_export("graph_util.remove_training_nodes")
@called_by_users
def remove_training_nodes(input_graph: Any, protected_nodes: Iterable[str] | None = None) -> Any:
    """Removes CheckNumerics and Identity nodes, which inference does not need.

    Identity nodes with control inputs, and those used as control inputs, stay.

    Args:
      input_graph: `GraphDef` message.
      protected_nodes: iterable of names of nodes that must stay; None means none.

    Returns:
      `GraphDef` message.
    """
    protected = set(protected_nodes or ())
    removed = {n.name for n in input_graph.node if n.op == "CheckNumerics" and n.name not in protected}
    nodes = [
        _with_inputs(node, [name for name in node.input if name.removeprefix("^") not in removed])
        for node in input_graph.node
        if node.name not in removed
    ]
    waited_for = {name[1:] for node in nodes for name in node.input if name.startswith("^")}
    spliced = {
        node.name: node.input[0]
        for node in nodes
        if node.op == "Identity"
        and node.name not in protected | waited_for
        and not any(name.startswith("^") for name in node.input)
    }

    def source(name: str) -> str:
        while name.removeprefix("^") in spliced:
            name = spliced[name.removeprefix("^")]
        return name

    output = protos.GraphDef()
    output.node.extend(
        _with_inputs(node, [source(name) for name in node.input]) for node in nodes if node.name not in spliced
    )
    return output


def _with_inputs(node: Any, inputs: list[str]) -> Any:
    made = protos.NodeDef()
    made.CopyFrom(node)
    del made.input[:]
    made.input.extend(inputs)
    return made


@tf_export("graph_util.must_run_on_cpu")
@called_by_users
def must_run_on_cpu(node: Any, pin_variables_on_cpu: bool = False) -> bool:
    """Whether a node would have to run on a CPU if there were other devices.

    Args:
      node: Operation or `NodeDef`.
      pin_variables_on_cpu: bool, whether variables and the ops that use their memory count as such nodes.

    Returns:
      bool.
    """
    if isinstance(node, Operation):
        node = node.node_def
    assert isinstance(node, protos.NodeDef)
    if pin_variables_on_cpu and node.op in _NEED_MEMORY_OF_VARIABLES:
        return True
    if node.op == "Const":
        return node.attr["dtype"].type in (protos.DT_STRING, protos.DT_INT32)
    if node.op in ("DynamicStitch", "ParallelDynamicStitch"):
        return node.attr["T"].type == protos.DT_INT32
    return node.op == "Cast" and node.attr["SrcT"].type in (protos.DT_STRING, protos.DT_INT32)


@tf_export("graph_util.tensor_shape_from_node_def_name")
@called_by_users
def tensor_shape_from_node_def_name(graph: Any, input_name: str) -> Any:
    """The static shape of a tensor.

    Args:
      graph: Graph.
      input_name: str, name of a tensor, or of an operation, which stands for its first output.

    Returns:
      TensorShape.
    """
    return graph.get_tensor_by_name(input_name if ":" in input_name else f"{input_name}:0").get_shape()


tf_export("graph_util").namespace(__doc__)
