"""Adds While nodes to graphs."""

from __future__ import annotations

from collections.abc import Sequence

from tinytf._src.eager.control_flow.parts import PartFunction, lowered
from tinytf._src.framework.apply.apply_op import add_op
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.values.tensor_shape import TensorShape

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
    """Adds a While node to the default graph; `shapes` are the loop-invariant shapes of the inputs. As in TensorFlow,
    it counts as stateful whatever its functions do."""
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
    """Marks all present outputs of a loop as differentiable; outputs added later, for gradients, are not."""
    op.graph._core.set_attr(op._id, _ORIGINAL_OUTPUTS, len(op.outputs))


def original_outputs(op: Operation) -> int:
    """Returns the number of outputs of a loop that may have gradients."""
    count: int | None = op._raw_attr(_ORIGINAL_OUTPUTS)
    return len(op.outputs) if count is None else count
