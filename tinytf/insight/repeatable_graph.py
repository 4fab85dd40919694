"""A recorded graph made such that it can run again anywhere: cut off from the world, which is fed what it gave."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from tinytf import _core, protos
from tinytf.framework import dtypes
from tinytf.framework.op_spec import op_spec
from tinytf.insight.record_damage import Damage


class Readings(NamedTuple):
    """What stands for the world: values to be `fed` besides, by tensor; and, of nodes in loops, what is to be put in their queues
    before: operations to be run in this order, each with its feeds."""

    fed: dict[str, Any]
    queued: list[tuple[str, dict[str, Any]]]


def make_repeatable(graph_def: Any, fed: set[str], kept: dict[str, list[list[Any]]]) -> Readings:
    """Cuts a graph off from the world. `kept` has a node's outputs, of each time it ran.

    A node whose outputs were kept passes on what it is fed, or in a graph with loops what a queue of its own holds; one
    that only changes the world does nothing. Both wait for the same nodes as before.
    """
    names = {node.name for node in graph_def.node}
    readings = Readings({}, [])
    declared = set(_core.op_names())
    has_loops = any(node.op in declared and op_spec(node.op).control_flow == "enter" for node in graph_def.node)
    for node in list(graph_def.node):
        node.device = ""
        if node.op not in declared:  # who imports it will say so
            continue
        spec = op_spec(node.op)
        is_kept = spec.reads_world and node.name in kept
        if not is_kept and (spec.outputs or not spec.writes_world):
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
    """Has a node take what it yielded, one time after the other, from a queue that is made where it runs itself."""
    types = [_type_number(value) for value in runs[0]]
    if any([_type_number(value) for value in run] != types for run in runs):
        raise Damage(f"{node.name} yielded values of other types in another iteration")
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
    """The name of a new placeholder of the value's type; without a shape it takes any."""
    name = _new_name(wanted, names)
    placeholder = graph_def.node.add(name=name, op="Placeholder")
    placeholder.attr["dtype"].type = _type_number(value)
    dims = [protos.TensorShapeProto.Dim(size=size) for size in shape or ()]
    placeholder.attr["shape"].shape.CopyFrom(protos.TensorShapeProto(dim=dims, unknown_rank=shape is None))
    return name


def _tensor_name(text: str) -> str:
    """The name of the tensor that a NodeDef's input is; of a control input, something that is none."""
    return text if text.startswith("^") or ":" in text else f"{text}:0"


def _control_input(text: str) -> str:
    return "^" + text.lstrip("^").partition(":")[0]


def _type_number(value: Any) -> int:
    return dtypes.as_dtype(value.dtype).as_datatype_enum
