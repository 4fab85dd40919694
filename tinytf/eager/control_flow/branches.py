"""Branches as If and Case nodes: each is a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf.eager.control_flow.branch_gradient import gradients_of_branches
from tinytf.eager.control_flow.parts import Part, captures_of, here, waited_for
from tinytf.framework import nest
from tinytf.framework.apply_op import add_op
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.name_scope import control_dependencies, name_scope
from tinytf.framework.op_spec import op_spec
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import TensorShape
from tinytf.ops.control_flow.primitives import own_tensor
from tinytf.ops.control_flow.tensor_arrays import flow_of, with_flows


def branch_node(choice: Tensor, parts: Sequence[Part], name: str, is_if: bool) -> Operation:
    """A node that yields what one of the parts does: of two the first if `choice` is true, else the one of that number.

    They take nothing, and yield tensors of the same types.
    """
    outer = captures_of(parts)
    functions = [part.as_function(part.take(outer), part.outputs, _gradient) for part in parts]
    graph = get_default_graph()
    entered = [function.entered(graph) for function in functions]
    kind = "Case"
    if is_if:
        kind = "If" if any(function.is_stateful for function in functions) else "StatelessIf"
    shapes = [_common([part.outputs[i].shape for part in parts]) for i in range(len(parts[0].outputs))]
    attrs: dict[str, Any] = {"Tout": [t.dtype.base_dtype for t in parts[0].outputs], "output_shapes": shapes}
    attrs |= dict(zip(("then_branch", "else_branch"), entered, strict=True)) if is_if else {"branches": entered}
    with control_dependencies(waited_for(parts)):
        return add_op(op_spec(kind), name, (choice, here(outer)), attrs)


def _gradient(op: Operation, grads: Sequence[Any]) -> list[Any]:
    return gradients_of_branches(op, grads, branch_node)


def _common(shapes: Sequence[TensorShape]) -> TensorShape:
    """What several shapes have in common."""
    first, *others = shapes
    for shape in others:
        first = first.most_specific_compatible_shape(shape)
    return first


def build_branches(
    choice: Tensor, functions: Sequence[Callable[[], Any]], names: Sequence[str], scope: str, is_if: bool
) -> Any:
    """What one of several functions returns, whose tensors are outputs of a node; see `branch_node`. For operations the
    node stands, which has run them.

    TypeError or ValueError unless all return tensors of the same types in the same structure.
    """

    def branch(function: Callable[[], Any], name: str) -> Callable[[], Any]:
        def traced() -> tuple[list[Tensor], Any]:
            result = function()
            if result is None and is_if:
                raise ValueError(f"{name} must have a return value.")
            leaves = nest.flatten(result, expand_composites=True)
            return [own_tensor(flow_of(leaf)) for leaf in leaves if not isinstance(leaf, Operation)], result

        return traced

    kinds = ("cond_true", "cond_false") if is_if else [f"switch_case_branch{i}" for i in range(len(functions))]
    calls = [branch(function, name) for function, name in zip(functions, names, strict=True)]
    parts = [Part(kind, [], [], call) for kind, call in zip(kinds, calls, strict=True)]
    for part, name in zip(parts[1:], names[1:], strict=True):
        _check_same(parts[0], part, names[0], name)
    op = branch_node(choice, parts, scope, is_if)
    with name_scope(scope):
        rest = iter([gen_ops.identity(tensor) for tensor in op.outputs])
    leaves = nest.flatten(parts[0].result, expand_composites=True)
    values = [op if isinstance(leaf, Operation) else next(rest) for leaf in leaves]
    return nest.pack_sequence_as(parts[0].result, with_flows(leaves, values), expand_composites=True)


def _check_same(one: Part, other: Part, name: str, other_name: str) -> None:
    try:
        nest.assert_same_structure(one.result, other.result, expand_composites=True)
    except (TypeError, ValueError) as error:
        kind = "types" if isinstance(error, TypeError) else "values"
        raise type(error)(f"Incompatible return {kind} of {name} and {other_name}: {error}") from None
    for a, b in zip(one.outputs, other.outputs, strict=True):
        if a.dtype.base_dtype != b.dtype.base_dtype:
            raise TypeError(
                f"Outputs of {name} and {other_name} must have the same type: {a.dtype.name}, {b.dtype.name}"
            )
