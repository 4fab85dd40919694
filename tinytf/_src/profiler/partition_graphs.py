"""`RunMetadata.partition_graphs`: the subgraph that a run executes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tinytf._src import protos
from tinytf._src.framework.graph import graph_def
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.profiler.devices import FIRST_CPU


def fill_partition_graphs(
    run_metadata: Any,
    graph: Graph,
    feeds: Iterable[Tensor],
    fetches: Iterable[Tensor],
    targets: Iterable[Operation],
    placements: Mapping[str, str],
) -> None:
    """Adds the GraphDef of the nodes that a run with these feeds, fetches and targets needs, with their devices.

    An `_Arg` node named `_arg_{node}_{output}_{k}` replaces the k-th fed tensor, and a `_Retval` node named
    `_retval_{node}_{output}_{k}` receives the k-th fetched one, both counted in the order of their names. Feeds that
    are not needed are left out.
    """
    fed = {tensor: k for k, tensor in enumerate(_by_name(feeds))}
    fetched = _by_name(fetches)
    needed = _needed(fed, fetched, targets)
    message = run_metadata.partition_graphs.add()
    message.versions.CopyFrom(graph.graph_def_versions)
    for tensor, k in fed.items():
        if tensor in needed.fed:
            message.node.append(_boundary("_Arg", _arg_name(tensor, k), tensor, k, placements))
    for op in sorted(needed.ops, key=lambda op: op._id):
        node = graph_def.node_def(op)
        node.device = placements[op.name]
        node.ClearField("input")
        node.input.extend(_input(tensor, fed) for tensor in op.inputs)
        node.input.extend(sorted(f"^{_control(control, fed)}" for control in op.control_inputs))
        message.node.append(node)
    for k, tensor in enumerate(fetched):
        node = _boundary("_Retval", f"_retval_{tensor.op.name}_{tensor.value_index}_{k}", tensor, k, placements)
        node.input.append(_input(tensor, fed))
        message.node.append(node)
    message.library.CopyFrom(protos.FunctionDefLibrary())


class _Needed:
    def __init__(self) -> None:
        self.ops: set[Operation] = set()
        self.fed: set[Tensor] = set()


def _needed(fed: dict[Tensor, int], fetched: Iterable[Tensor], targets: Iterable[Operation]) -> _Needed:
    """Returns the operations that the fetches and targets depend on, and the fed tensors at which the search stops."""
    found = _Needed()
    pending = list(targets)

    def need(tensor: Tensor) -> None:
        if tensor in fed:
            found.fed.add(tensor)
        else:
            pending.append(tensor.op)

    for tensor in fetched:
        need(tensor)
    while pending:
        op = pending.pop()
        if op in found.ops:
            continue
        found.ops.add(op)
        for tensor in op.inputs:
            need(tensor)
        for control in op.control_inputs:
            if _is_fed_placeholder(control, fed):
                found.fed.add(control.outputs[0])
            else:
                pending.append(control)
    return found


def _by_name(tensors: Iterable[Tensor]) -> list[Tensor]:
    return sorted(tensors, key=lambda tensor: tensor.name)


def _is_fed_placeholder(op: Operation, fed: dict[Tensor, int]) -> bool:
    """Whether the operation is a fed placeholder, so that a control input from it is a dependency on the feed."""
    return op._spec.is_placeholder and not op._spec.inputs and op.outputs[0] in fed


def _arg_name(tensor: Tensor, k: int) -> str:
    return f"_arg_{tensor.op.name}_{tensor.value_index}_{k}"


def _input(tensor: Tensor, fed: dict[Tensor, int]) -> str:
    if tensor in fed:
        return _arg_name(tensor, fed[tensor])
    return tensor.name if tensor.value_index else tensor.op.name


def _control(op: Operation, fed: dict[Tensor, int]) -> str:
    return _arg_name(op.outputs[0], fed[op.outputs[0]]) if _is_fed_placeholder(op, fed) else op.name


def _boundary(op: str, name: str, tensor: Tensor, k: int, placements: Mapping[str, str]) -> Any:
    node = protos.NodeDef(name=name, op=op, device=placements.get(tensor.op.name, FIRST_CPU))
    node.attr["T"].type = tensor.dtype.base_dtype.as_datatype_enum
    node.attr["index"].i = k
    return node
