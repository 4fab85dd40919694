"""Gradients of While nodes, built as in TensorFlow: a backward loop that pops the forward loop's accumulators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.eager.control_flow.loop_body_graph import LoopBodyGraph
from tinytf._src.eager.control_flow.loop_node import loop_node, note_original_outputs, original_outputs
from tinytf._src.eager.control_flow.parts import Part, PartFunction, gradient_name
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.gradients.gradients_impl import gradients
from tinytf._src.gradients.missing_gradients import zeros_of_part
from tinytf._src.gradients.trainable import is_trainable

_Gradient = Callable[[Operation, Sequence[Any]], list[Any]]
_FIRST = 3  # index of the first gradient among a backward loop's variables; before it are counters


def gradients_of_loop(
    op: Operation, grads: Sequence[Any], functions: tuple[PartFunction, PartFunction], gradient: _Gradient
) -> list[Any]:
    """Builds the backward loop that yields the gradients of a loop's inputs. `functions` are the loop's condition and
    body; `gradient` computes gradients of the loops."""
    cond, body = functions
    result: list[Any] = [None] * len(op.inputs)
    given = grads[: original_outputs(op)]
    places = [i for i, grad in enumerate(given) if _takes_gradient(body.outputs[i], grad)]
    if not places:
        return result
    seeds = [zeros_of_part(op.outputs[i]) if given[i] is None else convert_to_tensor(given[i]) for i in places]
    limit = _limit(op)
    variables = [*_counters(op, limit), *seeds]
    graph = LoopBodyGraph(gradient_name(body.name), op, cond, body, limit)
    ys, xs = [body.outputs[i] for i in places], [body.inputs[i] for i in places]

    def back(done: Tensor, most: Tensor, total: Tensor, *after: Tensor) -> tuple[list[Tensor], None]:
        found = gradients(ys, xs, list(after), unconnected_gradients="zero")
        before = [_shaped(convert_to_tensor(grad), x) for grad, x in zip(found, xs, strict=True)]
        return [done + 1, most, total, *before], None

    shapes = [t.shape for t in variables]
    step = Part(graph, variables, shapes, back, copies=True)
    repeated = step.as_function(
        [*step.inputs, *graph.internal_captures], [*step.outputs, *graph.next_captures()], gradient
    )
    graph.extend_first()
    note_original_outputs(op)
    inputs = [*variables, *graph.external_captures]
    shapes = [t.shape for t in inputs]
    goes_on = Part(
        gradient_name(op._raw_attr("cond")),
        inputs,
        shapes,
        lambda done, _, total, *__: ([done < total], None),
        copies=True,
    )
    node = loop_node(
        goes_on.as_function(goes_on.inputs, goes_on.outputs, gradient),
        repeated,
        inputs,
        shapes,
        op._raw_attr("parallel_iterations"),
        f"{op.name}_grad",
    )
    values = [gen_ops.identity(tensor) for tensor in node.outputs]
    for i, value in zip(places, values[_FIRST:], strict=False):
        result[i] = value
    return result


def _takes_gradient(result: Tensor, grad: Any) -> bool:
    """Returns whether a result of the body gets a gradient. A popped list counts by its element dtype; resources and
    variants count even if their gradient is missing."""
    if not is_trainable(result):
        return False
    if result.op.type == "TensorListPopBack" and result._key & 0xFFFFFFFF == 0:
        return is_trainable(dtypes.as_dtype(result.op._raw_attr("element_dtype")))
    return grad is not None or result.dtype in (dtypes.resource, dtypes.variant)


def _limit(op: Operation) -> Tensor | None:
    """Returns the maximal number of iterations: the second variable of TensorFlow's loops, or None."""
    limit = op.inputs[1] if len(op.inputs) > 1 else None
    return limit if limit is not None and limit.dtype == dtypes.int32 and limit.shape.ndims == 0 else None


def _counters(op: Operation, limit: Tensor | None) -> list[Tensor]:
    """Returns the counters of the backward loop: 0, the maximal number of iterations, the actual number."""
    total = op.outputs[0]  # the first variable counts iterations
    done = constant(0, total.dtype, name="grad_counter")
    if constant_value(op.inputs[0]) != 0:  # a loop that was not built here
        total = total - op.inputs[0]
    return [done, constant(-1) if limit is None else limit, total]


def _shaped(tensor: Tensor, like: Tensor) -> Tensor:
    """Sets the tensor's shape to that of `like`; densified IndexedSlices may lack it."""
    if like.dtype != dtypes.resource:
        tensor.set_shape(like.shape)
    return tensor
