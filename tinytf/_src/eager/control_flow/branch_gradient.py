"""Gradients of If and Case nodes, built as in TensorFlow: a node with a backward function for each branch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.eager.control_flow.branch_graph import BranchGraph
from tinytf._src.eager.control_flow.parts import Part, PartFunction, gradient_name
from tinytf._src.eager.control_flow.same_outputs import make_alike
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.gradients_impl import gradients
from tinytf._src.gradients.held_type import known_held_type
from tinytf._src.gradients.missing_gradients import shape_of, zeros_of_part
from tinytf._src.gradients.trainable import is_trainable
from tinytf._src.ops.control_flow.slices import as_indexed_slices
from tinytf._src.ops.math.casting import cast

_NOT_TO_BE_ADDED = (
    dtypes.bool,
    dtypes.string,
)  # TensorFlow cannot add gradients of these dtypes, so it must not get zeros


def gradients_of_branches(
    op: Operation, grads: Sequence[Any], functions: Sequence[PartFunction], branch_node: Callable[..., Operation]
) -> list[Any]:
    """Builds, with `branch_node`, the node that yields the gradients of a node's inputs. `functions` are the forward
    branches. Unconnected inputs get zeros, the deciding input gets None."""
    graphs = [BranchGraph(gradient_name(function.name), op, function) for function in functions]
    unconnected: list[set[int]] = []
    parts = [
        Part(graph, [], [], _derivative(function, grads, unconnected), copies=True)
        for graph, function in zip(graphs, functions, strict=True)
    ]
    _extend(op, graphs)
    _make_types_alike(parts, functions[0].inputs)
    _make_slices(parts)
    is_if = op._raw_attr("branches") is None
    make_alike(parts, is_if)
    node = branch_node(op.inputs[0], parts, None if is_if else "gradient", is_if)
    values = [gen_ops.identity(tensor) for tensor in node.outputs]
    found = nest.pack_sequence_as(parts[0].result, values, expand_composites=True)
    # TensorFlow yields zeros for bool and string inputs, too, whose sums it then rejects, as it does with zeros of
    # variables of unknown dtype, which it takes for float32. They are left out here.
    unknown = {i for i in set.intersection(*unconnected) if _is_unknown(functions[0].inputs[i])}
    cannot_be_added = unknown | {i for i, grad in enumerate(found) if grad.dtype in (dtypes.bool, dtypes.string)}
    return [None, *(None if i in cannot_be_added else grad for i, grad in enumerate(found))]


def _is_unknown(x: Tensor) -> bool:
    return x.dtype == dtypes.resource and known_held_type(x) is None


def _derivative(function: PartFunction, grads: Sequence[Any], unconnected: list[set[int]]) -> Callable[[], Any]:
    def build() -> tuple[list[Tensor], list[Any]]:
        places = [i for i, y in enumerate(function.outputs) if is_trainable(y)]
        found = gradients([function.outputs[i] for i in places], function.inputs, [grads[i] for i in places])
        unconnected.append({i for i, grad in enumerate(found) if grad is None})
        result = [_gradient(grad, x) for grad, x in zip(found, function.inputs, strict=True)]
        return nest.flatten(result, expand_composites=True), result

    return build


def _gradient(grad: Any, x: Tensor) -> Any:
    """Replaces None by zeros, and gives IndexedSlices a dense shape of dtype int32."""
    if grad is None:
        return zeros_of_part(x)
    if isinstance(grad, IndexedSlices) and (grad.dense_shape is None or grad.dense_shape.dtype != dtypes.int32):
        return IndexedSlices(grad.values, grad.indices, shape_of(x))
    return grad


def _extend(op: Operation, graphs: Sequence[BranchGraph]) -> None:
    """Makes the forward node yield the intermediates that the backward branches take."""
    count = max(len(graph.taken) for graph in graphs)
    if count:
        first = len(op.outputs)
        names = [graph.yields(count).entered(op.graph) for graph in graphs]
        both = op._raw_attr("branches") is None
        attrs = {"then_branch": names[:1], "else_branch": names[1:]} if both else {"branches": names}
        longest = max(graphs, key=lambda graph: len(graph.taken))
        op._call_instead(attrs, longest.taken)
        for graph in graphs:
            graph.found_in(op.outputs[first : first + len(graph.taken)])


def _make_types_alike(parts: Sequence[Part], inputs: Sequence[Tensor]) -> None:
    """Casts zeros of variables of unknown dtype to the dtype of the gradients in other branches."""
    for i, x in enumerate(inputs):
        types = {part.result[i].dtype for part in parts} if x.dtype == dtypes.resource else set()
        if len(types) == 2 and dtypes.float32 in types:
            [known] = types - {dtypes.float32}
            for part in parts:
                with part.building():
                    part.result[i] = cast(part.result[i], known)


def _make_slices(parts: Sequence[Part]) -> None:
    """Converts a gradient to IndexedSlices in all branches if it is IndexedSlices in one."""
    for i in range(len(parts[0].result)):
        if any(isinstance(part.result[i], IndexedSlices) for part in parts):
            for part in parts:
                with part.building():
                    [part.result[i]] = as_indexed_slices([part.result[i]])
    for part in parts:
        part.outputs = nest.flatten(part.result, expand_composites=True)
