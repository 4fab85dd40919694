"""Builds conditionals as If and Case nodes whose branches are functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.eager.control_flow.branch_gradient import gradients_of_branches
from tinytf._src.eager.control_flow.defined_parts import branches_of
from tinytf._src.eager.control_flow.parts import Part, captures_of, lowered, name_in, waited_for
from tinytf._src.eager.control_flow.same_outputs import make_alike
from tinytf._src.framework.apply.apply_op import add_op
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import control_dependencies, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.array.shape_ops import squeeze
from tinytf._src.ops.control_flow.primitives import own_tensor
from tinytf._src.ops.control_flow.tensor_arrays import flow_of, with_flows


def branch_node(choice: Tensor, parts: Sequence[Part], name: str | None, is_if: bool) -> Operation:
    """Adds a node that runs one of the parts: an If takes the first if `choice` is true, a Case takes part number
    `choice`.

    The parts have no arguments and yield tensors of the same dtypes.
    """
    outer = captures_of(parts)
    functions = [
        part.as_function(part.take(outer, "Placeholder"), part.outputs, gradient_of_branch_node) for part in parts
    ]
    graph = get_default_graph()
    entered = [function.entered(graph) for function in functions]
    kind = "Case"
    if is_if:
        kind = "If" if any(function.is_stateful for function in functions) else "StatelessIf"
    shapes = [_common([part.outputs[i].shape for part in parts]) for i in range(len(parts[0].outputs))]
    attrs: dict[str, Any] = {"Tout": [t.dtype.base_dtype for t in parts[0].outputs], "output_shapes": shapes}
    attrs |= dict(zip(("then_branch", "else_branch"), entered, strict=True)) if is_if else {"branches": entered}
    with control_dependencies(waited_for(parts)), lowered(graph):
        return add_op(op_spec(kind), name, (choice, outer), attrs)


def gradient_of_branch_node(op: Operation, grads: Sequence[Any]) -> list[Any]:
    """Returns the gradients of the inputs of an If or Case node."""
    return gradients_of_branches(op, grads, branches_of(op, gradient_of_branch_node), branch_node)


def _common(shapes: Sequence[TensorShape]) -> TensorShape:
    """Returns the most specific shape that is compatible with all of the shapes."""
    first, *others = shapes
    for shape in others:
        first = first.most_specific_compatible_shape(shape)
    return first


def build_branches(choice: Any, functions: Sequence[Callable[[], Any]], scope: str, is_if: bool) -> Any:
    """Builds a conditional from functions and returns the selected one's result: copies of the outputs of a
    `branch_node`. Returned operations are represented by tensors that depend on them.

    TypeError unless all functions return the same structure of tensors of the same dtypes.
    """
    choice = own_tensor(choice)
    kinds = ("true", "false") if is_if else [f"branch{i}" for i in range(len(functions))]
    if is_if and choice.shape.ndims != 0:
        choice = squeeze(choice)
    parts = [
        Part(name_in(scope, kind), [], [], _branch(function, choice, f"{kind}_fn" if is_if else ""))
        for kind, function in zip(kinds, functions, strict=True)
    ]
    make_alike(parts, is_if)
    op = branch_node(choice, parts, scope, is_if)
    with name_scope(scope):
        values = [gen_ops.identity(tensor) for tensor in op.outputs]
    leaves = nest.flatten(parts[0].result, expand_composites=True)
    return nest.pack_sequence_as(parts[0].result, with_flows(leaves, values), expand_composites=True)


def _branch(function: Callable[[], Any], choice: Tensor, name: str) -> Callable[[], Any]:
    def traced() -> tuple[list[Tensor], Any]:
        result = function()
        if result is None and name:
            raise ValueError(f"{name} must have a return value.")
        leaves = nest.flatten(result, expand_composites=True)
        tensors = [_result(leaf, choice, function) for leaf in leaves]
        return tensors, nest.pack_sequence_as(result, with_flows(leaves, tensors), expand_composites=True)

    return traced


def _result(leaf: Any, choice: Tensor, function: Callable[[], Any]) -> Tensor:
    if isinstance(leaf, Operation):
        with control_dependencies([leaf]):
            return gen_ops.identity(choice)
    try:
        if get_default_graph().copies_results:
            return convert_to_tensor(flow_of(leaf))  # the copy captures an outer tensor in its name scope
        return own_tensor(flow_of(leaf))
    except (TypeError, ValueError):
        if leaf is None:
            raise
        raise TypeError(
            "To be compatible with tf.contrib.eager.defun, Python functions must return zero or more Tensors; in compilation "
            f"of {function}, found return value of type {type(leaf)}, which is not a Tensor."
        ) from None
