"""Gradients of If and Case nodes: the derivative of the branch that was taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf.eager.calls import call_in_graph
from tinytf.eager.control_flow.parts import Part, PartFunction, gradient_name, here
from tinytf.eager.control_flow.same_outputs import make_alike
from tinytf.eager.graph_function import Recorded
from tinytf.framework import dtypes, nest
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.gradients.missing_gradients import shape_of, zeros_of
from tinytf.gradients.trainable import is_trainable
from tinytf.ops.control_flow.slices import as_indexed_slices
from tinytf.ops.data_flow import list_ops


class Branches:
    """The branches of a node, and where in its outputs is what their derivatives take."""

    def __init__(self, functions: Sequence[PartFunction]) -> None:
        self.functions = functions
        self.names = [function.name for function in functions]
        self.recorded = [function.recorded() for function in functions]
        self.trainable = self.recorded[0].trainable
        inputs = functions[0].inputs
        none = [0] * len(inputs)
        parts = [r.gradient_parts or none for r in self.recorded]
        # Calls of functions give gradients of all that they take.
        able = [i for i, t in enumerate(inputs) if is_trainable(t) or t.dtype == dtypes.resource]
        self.differentiable = [i for i in able if any(part[i] for part in parts)]
        self.in_slices = {i for i in self.differentiable if any(part[i] > 1 for part in parts)}
        self.places: list[slice] = []  # by branch, of what its derivative takes

    def extend(self, op: Operation, attrs: Sequence[str]) -> None:
        """Has the node also yield what the derivatives take, and something in its place for branches that are not taken."""
        first = len(op.outputs)
        more: list[Tensor] = []
        for recorded in self.recorded:
            self.places.append(slice(first + len(more), first + len(more) + len(recorded.saved)))
            more += recorded.saved
        longer = [self._longer(i, first) for i in range(len(self.functions))]
        entered = [function.entered(op.graph) for function in longer]
        op._call_instead(
            {attr: [name] for attr, name in zip(attrs, entered, strict=True)}
            if len(attrs) > 1
            else {attrs[0]: entered},
            more,
        )

    def _longer(self, own: int, first: int) -> PartFunction:
        function = self.functions[own]
        graph = function.graph
        with graph.as_default(), graph.control_dependencies(None), graph.name_scope(None):
            saved = [
                [t if i == own else _placeholder_for(t) for t in recorded.saved]
                for i, recorded in enumerate(self.recorded)
            ]
        return function.longer([], [tensor for part in saved for tensor in part], (self, first))


def _placeholder_for(tensor: Tensor) -> Tensor:
    """Something of the tensor's type and of a shape that it could have, whose value nobody will use."""
    if tensor.dtype == dtypes.variant:  # of which there must be zeros
        return list_ops.empty_tensor_list(None, dtypes.float32)
    return gen_ops.fake_param(tensor.dtype.base_dtype, tensor.shape)


def gradients_of_branches(
    op: Operation, grads: Sequence[Any], functions: Sequence[PartFunction], branch_node: Callable[..., Operation]
) -> list[Any]:
    """The gradients of a node's inputs, by a node that `branch_node` builds; none for what decides. `functions` are the
    node's branches."""
    attrs = ["then_branch", "else_branch"] if op._raw_attr("branches") is None else ["branches"]
    result: list[Any] = [None] * len(op.inputs)
    extension = functions[0].extension
    if extension is None or any(grad is not None for grad in grads[extension[1] :]):
        whole = Branches(functions)
        if not whole.differentiable:
            return result
        whole.extend(op, attrs)
    else:
        whole = extension[0]
    for i, grad in zip(whole.differentiable, _go_back(op, whole, grads, branch_node), strict=True):
        result[i + 1] = grad
    return result


def _go_back(op: Operation, whole: Branches, grads: Sequence[Any], branch_node: Callable[..., Operation]) -> list[Any]:
    outputs, inputs = list(op.outputs), list(op.inputs)[1:]
    seeds = [zeros_of(outputs[i]) if grads[i] is None else convert_to_tensor(grads[i]) for i in whole.trainable]

    def derivative(recorded: Recorded, place: slice) -> Callable[[], Any]:
        def build() -> tuple[list[Tensor], list[Any]]:
            function = recorded.derivative
            found: list[Any] = [None] * len(inputs)
            if function is not None:
                found = recorded.assembled(call_in_graph(function, here([*inputs, *seeds, *outputs[place]])))
            made = [(_slices if i in whole.in_slices else _dense)(found[i], inputs[i]) for i in whole.differentiable]
            return nest.flatten(made, expand_composites=True), made

        return build

    parts = [
        Part(gradient_name(name), [], [], derivative(recorded, place))
        for name, recorded, place in zip(whole.names, whole.recorded, whole.places, strict=True)
    ]
    is_if = op._raw_attr("branches") is None
    make_alike(parts, is_if)
    node = branch_node(op.inputs[0], parts, None if is_if else "gradient", is_if)
    values = [gen_ops.identity(tensor) for tensor in node.outputs]
    return nest.pack_sequence_as(parts[0].result, values, expand_composites=True)


def _dense(grad: Any, like: Tensor) -> Tensor:
    if grad is not None:
        return convert_to_tensor(grad)
    return zeros_of(here([like])[0])


def _slices(grad: Any, like: Tensor) -> IndexedSlices:
    """A gradient that is one in slices in some branch: rows, of a tensor whose shape is told."""
    if not isinstance(grad, IndexedSlices):
        return as_indexed_slices([_dense(grad, like)])[0]
    shape = grad.dense_shape
    if shape is None or shape.dtype != dtypes.int32:
        shape = shape_of(here([like])[0])
    return IndexedSlices(grad.values, grad.indices, shape)
