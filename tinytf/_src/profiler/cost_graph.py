"""`RunMetadata.cost_graph`: the costs of the nodes of a traced step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.values.tensor_shape import TensorShape


def is_cost_model_due(config: Any, step: int) -> bool:
    """Whether a `ConfigProto` (or None) requests the costs of a step; `step` is the number of earlier steps of its
    kind.

    Every `build_cost_model`-th step is due, starting with step `build_cost_model_after`.
    """
    if config is None:
        return False
    every, after = config.graph_options.build_cost_model, config.graph_options.build_cost_model_after
    return every > 0 and step >= after and (step - after + 1) % every == 0


def fill_cost_graph(
    run_metadata: Any, graph: Graph, nodes: Iterable[tuple[Any, ...]], placements: Mapping[str, str]
) -> None:
    """Fills `cost_graph` from the node records of a step (see `PreparedCall.call_with`) and the placements.

    `compute_cost` is in microseconds. The time of nodes in a function counts for the calling node. A node that ran
    several times has its longest time and its largest outputs. Inputs that no node of the step produced, such as feeds
    and folded constants, are left out.
    """
    times: dict[Operation, int] = {}
    inside: dict[Operation, int] = {}  # time of nodes in called functions
    outputs: dict[Operation, dict[int, tuple[Any, ...]]] = {}  # by slot
    for name, start, end, _, made, _ in nodes:
        op = graph._nodes.owner(name)
        if op.name != name:
            inside[op] = inside.get(op, 0) + end - start
            continue
        times[op] = max(times.get(op, 0), end - start)
        largest = outputs.setdefault(op, {})
        for output in made:
            slot, _, _, size = output
            if slot not in largest or size > largest[slot][3]:
                largest[slot] = output
    run_metadata.ClearField("cost_graph")
    ids = {op: id for id, op in enumerate(sorted(times, key=lambda op: op._id))}
    for op, id in ids.items():
        node = run_metadata.cost_graph.node.add(
            name=op.name, device=placements[op.name], id=id, compute_cost=(times[op] + inside.get(op, 0)) // 1000
        )
        for tensor in op.inputs:
            if tensor.op in ids:
                node.input_info.add(preceding_node=ids[tensor.op], preceding_port=tensor.value_index)
        node.control_input.extend(ids[control] for control in op.control_inputs if control in ids)
        for tensor in op.outputs:
            info = node.output_info.add(alias_input_port=-1)
            made = outputs[op].get(tensor.value_index)
            if made is None:  # a dead output
                info.dtype = tensor.dtype.base_dtype.as_datatype_enum
                info.shape.unknown_rank = True
            else:
                _, info.dtype, dims, info.size = made
                info.shape.CopyFrom(TensorShape._from_tuple(dims).as_proto())
