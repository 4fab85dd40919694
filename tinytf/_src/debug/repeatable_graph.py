"""Makes a recorded graph repeatable: nodes that read the outside world are replaced by their recorded outputs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from tinytf import _core
from tinytf._src import protos
from tinytf._src.debug.record_damage import Damage
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.values import dtypes


class Readings(NamedTuple):
    """Recorded outputs to supply to the graph: `fed` are additional feeds by tensor name. `queued` is for nodes in
    loops: operations to run first, in this order, each with its feeds; they fill the queues of these nodes."""

    fed: dict[str, Any]
    queued: list[tuple[str, dict[str, Any]]]


def make_repeatable(graph_def: Any, fed: set[str], kept: dict[str, list[list[Any]]]) -> Readings:
    """Replaces the nodes of a GraphDef that read or write the outside world, in place.

    `kept` has the outputs of a node for each time it ran. A node with kept outputs becomes an identity of fed
    placeholders, or, in a graph with loops, a dequeue from a queue of its own. A node that only writes the outside
    world becomes a no-op. All keep waiting for the same nodes as before.
    """
    names = {node.name for node in graph_def.node}
    readings = Readings({}, [])
    declared = set(_core.op_names())
    has_loops = any(node.op in declared and op_spec(node.op).control_flow == "enter" for node in graph_def.node)
    for node in list(graph_def.node):
        node.device = ""
        if node.op not in declared:  # an unknown op is reported at import
            continue
        spec = op_spec(node.op)
        is_kept = spec.reads_external_state and node.name in kept
        if not is_kept and (spec.outputs or not spec.writes_external_state):
            continue
        waits = dict.fromkeys(_control_input(text) for text in node.input if _tensor_name(text) not in fed)
        del node.input[:]
        node.attr.clear()
        node.op = "NoOp"
        if is_kept and has_loops:
            _read_queue(graph_def, node, waits, kept[node.name], names, readings.queued)
            continue
        if is_kept:
            node.op = "IdentityN"
            for i, value in enumerate(kept[node.name][-1]):
                own = _add_placeholder(graph_def, f"{node.name}/replayed_{i}", value, names, value.shape)
                node.attr["T"].list.type.append(_type_number(value))
                node.input.append(own)
                readings.fed[f"{own}:0"] = value
        node.input.extend(waits)
    return readings


def _read_queue(
    graph_def: Any, node: Any, waits: Iterable[str], runs: list[list[Any]], names: set[str], queued: list[Any]
) -> None:
    """Replaces a node by a dequeue operation that yields its recorded outputs in order, from a new queue."""
    types = [_type_number(value) for value in runs[0]]
    if any([_type_number(value) for value in run] != types for run in runs):
        raise Damage(f"{node.name} has outputs of different types in different iterations")
    own = _new_name(f"{node.name}/replayed", names)
    for name, inputs in ((own, list(waits)), (_new_name(f"{own}_queue", names), [])):
        queue = graph_def.node.add(name=name, op="FIFOQueueV2", input=inputs)
        queue.attr["component_types"].list.type.extend(types)
        queue.attr["shared_name"].s = own.encode()
    node.op = "QueueDequeueV2"
    node.input.append(own)
    node.attr["component_types"].list.type.extend(types)
    values = [_add_placeholder(graph_def, f"{own}_{i}", value, names, None) for i, value in enumerate(runs[0])]
    enqueue = graph_def.node.add(name=_new_name(f"{own}_enqueue", names), op="QueueEnqueueV2", input=[name, *values])
    enqueue.attr["Tcomponents"].list.type.extend(types)
    queued += [(enqueue.name, {f"{own}:0": one for own, one in zip(values, run, strict=True)}) for run in runs]


def _new_name(wanted: str, names: set[str]) -> str:
    while wanted in names:
        wanted += "_"
    names.add(wanted)
    return wanted


def _add_placeholder(graph_def: Any, wanted: str, value: Any, names: set[str], shape: tuple[int, ...] | None) -> str:
    """Adds a placeholder of the value's dtype and returns its name; `shape` None means unknown rank."""
    name = _new_name(wanted, names)
    placeholder = graph_def.node.add(name=name, op="Placeholder")
    placeholder.attr["dtype"].type = _type_number(value)
    dims = [protos.TensorShapeProto.Dim(size=size) for size in shape or ()]
    placeholder.attr["shape"].shape.CopyFrom(protos.TensorShapeProto(dim=dims, unknown_rank=shape is None))
    return name


def _tensor_name(text: str) -> str:
    """Returns the tensor name of a NodeDef input; for a control input a string that names no tensor."""
    return text if text.startswith("^") or ":" in text else f"{text}:0"


def _control_input(text: str) -> str:
    return "^" + text.lstrip("^").partition(":")[0]


def _type_number(value: Any) -> int:
    return dtypes.as_dtype(value.dtype).as_datatype_enum
