"""While nodes, of conditions and bodies that are functions."""

from __future__ import annotations

from collections.abc import Sequence

from tinytf.eager.control_flow.parts import PartFunction, lowered
from tinytf.framework.apply_op import add_op
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.name_scope import control_dependencies
from tinytf.framework.op_spec import op_spec
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import TensorShape

_ORIGINAL_OUTPUTS = "_num_original_outputs"


def loop_node(
    condition: PartFunction,
    body: PartFunction,
    inputs: Sequence[Tensor],
    shapes: Sequence[TensorShape],
    parallel_iterations: int,
    name: str,
    waits: Sequence[Operation] = (),
) -> Operation:
    """A new node of the default graph; `shapes` are those that the inputs have in all iterations. As in
    TensorFlow it counts as stateful, whatever the functions are."""
    graph = get_default_graph()
    with control_dependencies(waits), lowered(graph):
        return add_op(
            op_spec("While"),
            name,
            (list(inputs),),
            {
                "cond": condition.entered(graph),
                "body": body.entered(graph),
                "output_shapes": list(shapes),
                "parallel_iterations": parallel_iterations,
            },
        )


def note_original_outputs(op: Operation) -> None:
    """Says that gradients flow through all outputs that a loop has: not through those that it gets later, for gradients."""
    op.graph._core.set_attr(op._id, _ORIGINAL_OUTPUTS, len(op.outputs))


def original_outputs(op: Operation) -> int:
    """How many outputs of a loop may have gradients."""
    count: int | None = op._raw_attr(_ORIGINAL_OUTPUTS)
    return len(op.outputs) if count is None else count
